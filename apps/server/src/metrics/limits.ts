/** Limits of metrics. */
export const LIMITS = {
  /** Values of one item, each part of a histogram being one; the rest is counted as `too_many_metrics`. */
  METRICS_PER_ITEM: 50_000,
  METRIC_NAME_CHARS: 200,
  METRIC_UNIT_CHARS: 40,
  /** Words: environment, service, server, names of SDK. */
  METRIC_WORD_CHARS: 200,
  METRIC_NOTES: 20,
  /** Parts of one histogram; one with more is not read. */
  METRIC_BUCKETS: 500,
} as const
