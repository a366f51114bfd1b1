/** Limits of log lines, and of what is read of them at once. */
export const LIMITS = {
  /** Lines of one item; the rest is counted as `too_many_logs`. */
  LOGS_PER_ITEM: 50_000,
  LOG_BODY_CHARS: 2 * 1024 * 1024,
  /** So much of a body stands beside its line; the rest apart, where no list reads it. */
  LOG_BODY_NEAR_CHARS: 4096,
  /** Words: environment, logger, server, names of SDK. */
  LOG_WORD_CHARS: 200,
  /** What lines that are alike have in common. */
  LOG_PATTERN_CHARS: 160,
  LOG_NOTES: 20,
  /** Of a body, and of the value of an attribute, in a list. */
  LOG_BODY_SHOWN_CHARS: 500,
  LOG_VALUE_SHOWN_CHARS: 100,
  LOG_ATTRIBUTES_SHOWN: 12,
  /** A list is searched backwards in windows: the first is so long, each next one so many times as long. */
  LOG_WINDOW_MS: 60_000,
  LOG_WINDOW_TIMES: 8,
  /** After so long a list says how far back it has looked. */
  LOG_SEARCH_MS: 4000,
  /** The tail shows lines that were written so long ago at most. */
  LOG_TAIL_MS: 15 * 60_000,
  /** It begins so much earlier, because lines that are on their way to the store have their moment already. */
  LOG_TAIL_OVERLAP_MS: 5000,
  LOG_BUCKETS: 120,
  LOG_FACET_VALUES: 6,
  /** Values of one facet that are counted; there may be a million. */
  LOG_FACET_VALUES_COUNTED: 100_000,
  /** Lines, the newest, whose attributes are offered. */
  LOG_ATTRIBUTES_SAMPLE: 5000,
  LOG_ATTRIBUTES_OFFERED: 100,
} as const
