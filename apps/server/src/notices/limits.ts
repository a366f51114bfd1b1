/** Limits of what people are told. */
export const LIMITS = {
  /** People that one notice tells; of more, the first. */
  NOTICE_PEOPLE: 1000,
  /** Of a line of the inbox, and of each thing in it: longer texts are cut. */
  NOTICE_TITLE_CHARS: 300,
  NOTICE_DETAIL_CHARS: 500,
  /** Key and cause of a notice. */
  NOTICE_KEY_CHARS: 200,
  /** Things that a line of the inbox shows; how many there are, it says. */
  NOTICE_ITEMS_SHOWN: 50,
  /** Things of a line, the newest, in which a search looks besides the line's title. */
  NOTICE_ITEMS_SEARCHED: 200,
  /** Lines of the inbox that one call changes. */
  NOTICE_ENTRIES_CHANGED: 1000,
  /** What was done with, and what nobody looked at, leaves the inbox after this time. */
  NOTICE_DONE_MS: 30 * 24 * 60 * 60_000,
  NOTICE_KEPT_MS: 90 * 24 * 60 * 60_000,
  /** A mail about what somebody looked at can be wanted again for so long, by an undo. */
  NOTICE_UNDO_MS: 10 * 60_000,
  /** Reports that are gone, of which one sweep removes what was told. */
  NOTICE_REPORTS_FORGOTTEN: 1000,
  /** Things in lines of inboxes that one statement looks through for a person who is erased. */
  NOTICE_SEARCHED_ROWS: 500,
  /** Of these that name the person, those that one transaction changes. */
  NOTICE_CHANGED_AT_ONCE: 10,
  /** Projects for which somebody has settings of their own. */
  NOTICE_PROJECTS: 100,
  /** How far ahead a line can sleep. */
  NOTICE_SNOOZE_MS: 366 * 24 * 60 * 60_000,
  /** An issue got worse when it has so many times the events that it had. */
  NOTICE_WORSE_TIMES: 2,
  /** After something happened, how long it takes at most until open inboxes hear of it, and mails that wait are looked for. */
  NOTICE_INTERVAL_MS: 1000,
  /** How long after it that is done. */
  NOTICE_AWAKE_MS: 15_000,
  /** Facts that one step reads. */
  NOTICE_FACTS: 200,
  /** An address that refuses so many mails within this time is sent none any more; one refusal for good is enough. */
  NOTICE_BOUNCES: 3,
  NOTICE_BOUNCE_MS: 72 * 60 * 60_000,
  /** People whose mails are gathered in one step, and what one mail lists; how many there were, it says. */
  NOTICE_DIGESTS: 50,
  NOTICE_DIGEST_LINES: 30,
  /** Issues that a weekly report looks at for each of its parts, and those that a part lists; how many there were, it says. */
  WEEK_ISSUES: 1000,
  WEEK_LINES: 5,
  /** What visitors said in a weekly report. */
  WEEK_QUOTES: 3,
  WEEK_QUOTE_CHARS: 280,
  /** An issue with fewer events in a week did not get worse. */
  WEEK_WORSE_EVENTS: 10,
  /** How often it is looked whose Monday has come. */
  WEEK_INTERVAL_MS: 5 * 60_000,
} as const
