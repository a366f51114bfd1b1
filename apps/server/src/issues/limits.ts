/** Limits of issues, their events, and the reading of both. */
export const LIMITS = {
  /** How long a read waits for events that the ledger has and telemetry has not yet. */
  SETTLE_WAIT_MS: 5000,
  /** Events that one message about a settled batch names per project. */
  FACT_EVENTS: 100,
  /** Events that are read whole together, of many: more would take too much memory. */
  EVENTS_LOADED_TOGETHER: 20,
  /** Frames of an event whose functions, files and modules can be searched. */
  INDEXED_FRAMES: 60,
  /** Stacks that the digest knows to be stored and does not write again. */
  KNOWN_STACKS: 20_000,
  /** What an issue is known by: functions of its event, those nearest to the crash, */
  FEATURE_FUNCTIONS: 40,
  /** of the name of each and of the type, of the message, */
  FEATURE_NAME_CHARS: 200,
  FEATURE_MESSAGE_CHARS: 500,
  /** and all of it as JSON: functions that there is no room for are left out. */
  FEATURE_BYTES: 4096,
  /** Title, message and error values of an event, as far as free text finds them. */
  SEARCH_TEXT_CHARACTERS: 2048,
  /** Of what an event keeps of the reason of its grouping: its description, and the rule that matched. */
  GROUPING_REASON_CHARACTERS: 1000,
  /** Rows that one step of housekeeping reads or deletes. */
  HOUSEKEEPING_ROWS: 2000,
  /** Issues that one step of housekeeping deletes. */
  HOUSEKEEPING_ISSUES: 200,
  /** A new issue is ongoing after this time. */
  ISSUE_NEW_DAYS: 7,
  /** An issue that was archived until it escalates does so above this many events an hour at least, */
  ESCALATION_MINIMUM_EVENTS: 10,
  /** and above what is usual for the hour and so many times how far it moves. */
  ESCALATION_STEPS: 6,
  /** Fewer hours say nothing of what is usual in this one: then all hours are asked. */
  ESCALATION_LEAST_SAMPLES: 6,
  /** An issue that was archived for ever is told of once, when a day brings so many times what its busiest day did. */
  ARCHIVED_GROWTH_TIMES: 10,
  /** Issues whose counts are remembered, and for how long at most. */
  COUNTS_REMEMBERED: 4000,
  COUNTS_REMEMBERED_MS: 60_000,
  /** Searches whose issues are remembered, how many issues of one, and how many that got events since are looked at again. */
  MATCHES_REMEMBERED: 50,
  MATCHES_REMEMBERED_ISSUES: 10_000,
  MATCHES_REVIEWED: 500,
  /** The same where other processes store events of the same issues. */
  COUNTS_REMEMBERED_SHARED_MS: 2000,
  /** Issues that one search or ranking by events may find. */
  ISSUE_MATCHES: 50_000,
  /** Issues of a ranking of which it is asked first whether they match; then twice as many, and so on. */
  RANKED_ISSUES_ASKED: 2000,
  /** `X-Hits` counts up to here. */
  ISSUE_HITS_MAXIMUM: 1000,
  /** Counts that are only looked at: how often one is worked out at most, how long it holds while nothing changes, */
  GLANCE_MS: 4000,
  GLANCE_AGE_MS: 30_000,
  /** and how many are remembered. */
  GLANCES_REMEMBERED: 1000,
  /** Searches that one person keeps in an organisation, and as many that it shares. */
  SAVED_SEARCHES: 100,
  /** Issues of one transaction, when everything that matches a search is changed. */
  ISSUES_PER_CHANGE: 500,
  /** Issues that are frozen to be changed together, how many sets of them a person has, and for how long. */
  ISSUE_SET_ISSUES: 50_000,
  ISSUE_SETS: 20,
  ISSUE_SET_MS: 30 * 60_000,
  /** Of them, as they are shown before. */
  ISSUE_SET_EXAMPLES: 5,
  /** Merged issues, the newest, that are read at once to tell which issue an event belongs to now. */
  MERGES_FOLLOWED: 10_000,
  /** Entries of an issue's activity that one answer has, the newest; and those that the issue itself brings along. */
  ISSUE_ACTIVITY_ENTRIES: 500,
  ISSUE_ACTIVITY_PREVIEW: 100,
  /** Rows of a list of events that were asked for whole (`full=true`): each may have a megabyte. */
  FULL_EVENTS: 20,
  /** Tag keys of an issue, of a search, or offered while one is typed; senders may invent any number. */
  TAG_KEYS_SHOWN: 200,
  /** Issues, those seen last, of which a start compares the counted events with the stored ones. */
  COMPARED_ISSUES: 500,
  /** Fewer events that are missing, or less than one in a hundred, are no sign of a bad copy. */
  COMPARED_MISSING_EVENTS: 3,
  /** Events of an issue, and as many others of its project, whose tags are compared. */
  TAG_SAMPLE_EVENTS: 10_000,
  /** Values of one page of a table of events: a page with long ones has fewer rows. */
  EVENT_TABLE_BYTES: 4 * 1024 * 1024,
  /** Neighbouring events that are chosen together: fewer would be more even, and take longer to read. */
  TAG_SAMPLE_RUN: 256,
  /** How long the comparison waits for the batch that was under way when the server ended. */
  COMPARE_WAIT_MS: 60_000,
  ARCHIVE_REVIEW_INTERVAL_MS: 60_000,
  /** Uploads that are noted together, and that are looked at by turns. */
  LATE_MAPS_BATCH: 100,
  LATE_MAPS_UPLOADS: 10,
  /** Mappings that are uploaded within so much time are looked back for together. */
  LATE_MAPS_TOGETHER_MS: 10_000,
  /** How far back events are looked at by maps that came later. */
  LATE_MAPS_DAYS: 30,
  /** Events of one step, each of another hash; and hashes of one issue, those that were seen last. */
  LATE_MAPS_STEP_EVENTS: 50,
  LATE_MAPS_HASHES_PER_ISSUE: 20,
  /** For so long at once, and after so much time again. */
  LATE_MAPS_WORK_MS: 500,
  LATE_MAPS_INTERVAL_MS: 5_000,
  /** Open issues whose points are counted at a time, of those that are new and of the others; how often, and of those that were seen so lately. */
  PRIORITY_STEP_ISSUES: 250,
  PRIORITY_INTERVAL_MS: 30_000,
  PRIORITY_DAYS: 14,
  /** Names of environments that a list of projects gives of each. */
  PROJECT_ENVIRONMENTS: 100,
  /** Releases of a project that are looked at for the newest, the last ones. */
  RELEASES_COMPARED: 100,
  /** Issues of a project that wait for its next release and are resolved in the one that comes, in one transaction. */
  NEXT_RELEASE_ISSUES: 5000,
  /** Events of an erased person that are taken out of the ledger together. */
  ERASED_EVENTS_PER_STEP: 1000,
} as const
