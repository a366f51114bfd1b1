/** Limits of what visitors say, and of the answers to them. */
export const LIMITS = {
  /** Text of a report; a longer one is cut. */
  FEEDBACK_MESSAGE_CHARS: 65_536,
  /** What a search of the inbox looks at in one report: name, e-mail, the beginning of the address, then the message. */
  FEEDBACK_SEARCHED_CHARS: 4096,
  FEEDBACK_SEARCHED_URL_CHARS: 1024,
  /** Words of one search of the inbox, and the length of one. */
  FEEDBACK_QUERY_WORDS: 10,
  FEEDBACK_QUERY_WORD_CHARS: 100,
  /** Name of a reporter (protocol.md 2.8). */
  FEEDBACK_NAME_CHARS: 128,
  /** E-mail of a reporter. */
  FEEDBACK_EMAIL_CHARS: 254,
  /** Custom fields of a form. */
  FEEDBACK_FIELDS: 50,
  /** Value of a custom field. */
  FEEDBACK_FIELD_CHARS: 4096,
  /** Within it, a second report about one event takes the first one's place (protocol.md 3.5). */
  FEEDBACK_REPLACE_MS: 5 * 60_000,
  /** Reports of so long ago count when rates and repeated texts are judged. */
  FEEDBACK_SPAM_WINDOW_MS: 10 * 60_000,
  /** A report of the same words as an open one that is no older stands under it. */
  FEEDBACK_GATHER_MS: 7 * 24 * 60 * 60_000,
  /** Messages of so many characters say the same on any page; shorter ones only on one. */
  FEEDBACK_TELLING_CHARS: 20,
  /** Open reports of the same words that are looked at. */
  FEEDBACK_GATHER_ROWS: 50,
  /** One message of a thread, a note of the team, an answer of a reporter. */
  FEEDBACK_REPLY_CHARS: 10_000,
  /** Entries of a report's activity that one answer has, the newest; and notes that the report itself brings along. */
  FEEDBACK_ACTIVITY_ENTRIES: 500,
  FEEDBACK_NOTES_SHOWN: 500,
  /** Reports under another one that it brings along; its count tells of all. */
  FEEDBACK_MERGED_SHOWN: 100,
  /** Messages of one thread, and how many of them may be a reporter's within ten minutes. */
  FEEDBACK_THREAD_MESSAGES: 500,
  FEEDBACK_ANSWERS_PER_WINDOW: 10,
  FEEDBACK_ANSWER_WINDOW_MS: 10 * 60_000,
  /** E-mails to one address within an hour; more wait. */
  FEEDBACK_MAILS_PER_ADDRESS: 10,
  FEEDBACK_MAIL_WINDOW_MS: 60 * 60_000,
  /** E-mails of a project within an hour that no person wrote; more wait. */
  FEEDBACK_UNASKED_MAILS_PER_PROJECT: 200,
  /** A mail that was refused is tried again after this time, then twice as long, and so on. */
  FEEDBACK_MAIL_RETRY_MS: 60_000,
  FEEDBACK_MAIL_ATTEMPTS: 8,
  /** After something happened, how long it takes at most until mails are sent and reports are compared with their issues. */
  FEEDBACK_MAIL_INTERVAL_MS: 5000,
  /** How long an error of the trace of a report is waited for, and how long before the report it may have happened. */
  FEEDBACK_TRACE_WAIT_MS: 10 * 60_000,
  FEEDBACK_TRACE_BEFORE_MS: 30 * 60_000,
  /** Errors of one trace that are looked at, the last. */
  FEEDBACK_TRACE_ERRORS: 100,
  /** Rows that one step of the two works on. */
  FEEDBACK_STEP_ROWS: 50,
  /** Beginning of a message in a list. */
  FEEDBACK_ROW_CHARS: 1000,
  /** Different tag values that the filter of the inbox offers. */
  FEEDBACK_TAG_VALUES: 500,
  /** Tags of one report. */
  FEEDBACK_TAGS: 100,
  /** How long a call waits for the event of which it makes an issue. */
  FEEDBACK_ISSUE_WAIT_MS: 10_000,
  /** Reports of an erased person that go together. */
  ERASED_REPORTS_PER_STEP: 100,
  /** Facts that are looked through together for deleted reports, of which the rows of telemetry go, and the files. */
  FORGOTTEN_REPORTS_BATCH: 100,
  /** Reports that are too old, deleted in one step. */
  EXPIRED_REPORTS_PER_STEP: 500,
} as const
