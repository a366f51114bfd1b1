/** Bounds of issue trackers, of tickets in them, and of what trackers tell us. */
export const LIMITS = {
  /** Of an organisation, deleted ones not counted. */
  TRACKERS_PER_ORGANIZATION: 50,
  /** A deleted one, and a ticket that was taken off, can be brought back for so long. */
  TRACKER_RESTORE_MS: 24 * 60 * 60_000,
  /** Tickets of one issue or report. */
  TICKETS_PER_SUBJECT: 20,
  /** Title and text of a ticket; trackers take at least so much. */
  TICKET_TITLE_CHARS: 200,
  TICKET_BODY_CHARS: 32_767,
  TICKET_NOTE_CHARS: 4000,
  /** Of the stack, the first lines, the last call first. */
  TICKET_STACK_LINES: 30,
  TICKET_STACK_CHARS: 5000,
  TICKET_TAGS: 12,
  TICKET_TAG_CHARS: 150,
  /** People whose words are quoted beside an issue, and how much of each; of one report there is more. */
  TICKET_QUOTES: 3,
  TICKET_QUOTE_CHARS: 400,
  TICKET_REPORT_CHARS: 4000,
  /** From the look-up of the name to the end of the answer. */
  TRACKER_TIMEOUT_MS: 15_000,
  /** Of an answer; lists of the newest tickets are the largest. */
  TRACKER_ANSWER_BYTES: 8 * 1024 * 1024,
  /** Of what is said to be wrong, with what a tracker says. */
  TRACKER_SENTENCE_CHARS: 300,
  /** So long a tracker is left alone that wants fewer calls and does not say for how long; and at most, whatever it says. */
  TRACKER_FEWER_CALLS_MS: 60_000,
  TRACKER_LONGEST_QUIET_MS: 24 * 60 * 60_000,
  /** And one that did not answer: twice as long each time, up to the longest. */
  TRACKER_REST_MS: 5000,
  TRACKER_LONGEST_REST_MS: 30 * 60_000,
  /** Nobody else works on a ticket while somebody does, for so long: three calls. */
  TICKET_LEASE_MS: 60_000,
  /** Tickets that are worked on at once, of each tracker one; and of one organisation. */
  TICKETS_AT_ONCE: 16,
  TICKETS_OF_ORGANIZATION_AT_ONCE: 3,
  /** Pages of the newest tickets in which one that may have been made is looked for. */
  TICKET_SEARCH_PAGES: 5,
  /** How long a request waits for the ticket that it made; then the ticket comes later. */
  TICKET_WAIT_MS: 12_000,
  /** How often what is due is looked for while something lately became due, and for how long after that. */
  TICKET_INTERVAL_MS: 250,
  TICKET_WATCH_MS: 10_000,
  /** And where nothing was. */
  TICKET_QUIET_MS: 30_000,
  /** How often tickets are looked at of which nobody told us anything: a webhook comes once, also while we are away. */
  TICKET_REVISIT_MS: 6 * 60 * 60_000,
  /** How often such tickets are looked for, and how many of one tracker each time, those first that wait the longest. */
  TICKET_REVISIT_INTERVAL_MS: 60 * 60_000,
  TICKET_REVISITS: 200,
  /** Those that are not older. */
  TICKET_REVISIT_AGE_MS: 90 * 24 * 60 * 60_000,
  /** Over how long such looks are spread, so that tickets that people make do not wait for them. */
  TICKET_REVISIT_SPREAD_MS: 30 * 60_000,
  /** Facts that are followed in one transaction. */
  TICKET_FACTS_AT_ONCE: 100,
  /** Of a webhook of a tracker. */
  TRACKER_HOOK_BYTES: 4 * 1024 * 1024,
  /** A webhook with a time of its own is refused when it is older, or further in the future. */
  TRACKER_HOOK_AGE_MS: 60_000,
  /** Ids of webhooks are remembered for so long. */
  TRACKER_HOOK_MEMORY_MS: 3 * 24 * 60 * 60_000,
} as const
