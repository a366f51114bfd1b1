/**
 * How lines of percentiles are drawn: in ink, apart by weight and dash. Those of higher ones lie below and are seen beside
 * or between the others where all are the same.
 */
export const PERCENTILE_LOOKS = {
  p50: { hue: '--ink-2', weight: 1 },
  p75: { hue: '--ink', weight: 1.5, dash: [2, 4] },
  p95: { hue: '--ink', weight: 2, dash: [9, 4] },
  p99: { hue: '--ink-3', weight: 3 },
} as const
