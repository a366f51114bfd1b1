/** Limits of traces, their spans and transactions. */
export const LIMITS = {
  SPANS_V1_PER_ENVELOPE: 25,
  /** Spans of one item; the rest is counted as `too_many_spans`. */
  SPANS_PER_ITEM: 50_000,
  SPAN_NAME_CHARS: 2048,
  /** Words: operation, status, origin, name of an SDK. */
  SPAN_WORD_CHARS: 128,
  SPAN_TRANSACTION_CHARS: 200,
  SPAN_URL_CHARS: 2048,
  SPAN_LINKS: 100,
  /** Of the text that spans alike have in common. */
  SPAN_GROUP_CHARS: 1000,
  /** Of a statement that is read to find its group. */
  SPAN_STATEMENT_CHARS: 128 * 1024,
  /** Tables of a statement that are told. */
  SPAN_TABLES: 5,
  /** Hosts of a domain that are told apart; from one more on they are `*.example.com`. */
  SPAN_SUBDOMAINS: 50,
  /** Domains whose hosts are counted. */
  SPAN_DOMAINS: 1000,
  /** Texts whose description is remembered, of each of three kinds. */
  SPAN_TEXTS_REMEMBERED_CHARS: 500_000,
  /** Page loads whose later spans do not say which page it was. */
  ROOTS_REMEMBERED: 20_000,
  SPAN_NOTES: 20,
  /** A span that lasts longer is none. */
  SPAN_DURATION_DAYS: 7,
  /** Traces that the news of one batch name, of all projects together. */
  TRACES_PER_NEWS: 20_000,
  /** Spans of a trace that one answer shows. */
  TRACE_SPANS_SHOWN: 50_000,
  /** Of what a span did, in a waterfall. */
  SPAN_SHOWN_CHARS: 200,
  TRACE_ERRORS_SHOWN: 1000,
  /** Log lines of a trace that its waterfall marks. */
  TRACE_LOGS_SHOWN: 1000,
  /** Spans of a trace in Sentry's shape, which is twenty times as large. */
  TRACE_SPANS_NESTED: 10_000,
  /** Different texts at one place of an address, from which on they are taken for ids, */
  NAME_SLUGS: 30,
  /** when they came within so many hours. */
  NAME_LEARNING_HOURS: 10,
  /** Parts of names that are known of a project; what has no room is `<other>`. */
  NAME_PLACES: 10_000,
  NAME_PLACES_CHARS: 500_000,
  /** How often a name has come is counted so far. */
  NAME_TIMES: 1024,
  /** What came so often at one place of an address by itself is not taken for an id. */
  NAME_OFTEN: 16,
  /** Characters of the names of a project that wait for a place. */
  NAME_WAITING_CHARS: 250_000,
  /** Names that are looked for at one time to give way. */
  NAME_WEAKEST: 1000,
  /** Of one place that must not become `*`. */
  NAME_CHILDREN: 1000,
  /** When there is no room, what was not seen for so long gives way. */
  NAME_PLACE_HOURS: 24,
  /** Of all projects in memory. */
  NAME_PLACES_IN_MEMORY: 100_000,
  /** Parts of a path that are told apart. */
  NAME_PARTS: 20,
  NAME_RULE_CHARS: 200,
  /** Rules that the members of a project make. */
  NAME_RULES_OWN: 100,
  /** Rules that are learned, and refused. */
  NAME_RULES_LEARNED: 200,
  /** A learned rule that named nothing for so long goes; so do examples. */
  NAME_RULE_DAYS: 30,
  /** Of what a rule named. */
  NAME_EXAMPLES: 5,
  /** How old rules may be by which is named. */
  NAME_RULES_AGE_MS: 1000,
  /** Between two times at which what is known of a project's names is stored; a millisecond more for each place. */
  NAME_SAVE_MS: 2000,
  /** Levels to which a trace is nested in Sentry's shape; what is deeper stands beside its parent. */
  TRACE_NESTED_LEVELS: 400,
  /** A service's clock is taken to be off by at most so much. */
  TRACE_SHIFT_MS: 60 * 60_000,
  /** Which transactions are fast enough; four times as long is unbearable. */
  APDEX_THRESHOLD_MS: 300,
  /** Names of transactions that are skipped to come to a page of them. */
  TRANSACTIONS_OFFSET: 10_000,
  /** Steps of a transaction's chart. */
  TRANSACTION_BUCKETS: 120,
  /** Steps of it when there are few samples. */
  TRANSACTION_BUCKETS_FEW: 31,
  /** Samples per step from which on its steps are not made longer. */
  TRANSACTION_STEP_SAMPLES: 5,
  /** Operations of its spans that a transaction's page shows. */
  TRANSACTION_OPERATIONS: 20,
  /** Spans from which on a day is worth summing up. */
  SPAN_DAY_ROWS: 50_000,
  /** How long no span of a day came before it is summed up: longer than any question takes that began before. */
  SPAN_DAY_QUIET_MS: 5 * 60_000,
  /** Between two looks for days that can be summed up. */
  SPAN_DAYS_INTERVAL_MS: 60_000,
  /** After so long, the next look goes on with further days. */
  SPAN_DAYS_LOOK_MS: 10_000,
  /** What telemetry may take for one day. */
  SPAN_DAY_SECONDS: 55,
} as const
