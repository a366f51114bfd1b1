/** Limits of status pages. */
export const LIMITS = {
  STATUS_INCIDENTS: 500,
  STATUS_UPDATES: 100,
  /** Days of the bars of a component. */
  STATUS_BARS_DAYS: 90,
  /** Days for which an incident that is over is shown. */
  STATUS_HISTORY_DAYS: 14,
  /** Between two looks at all pages; a change is shown at once. */
  STATUS_INTERVAL_MS: 60_000,
} as const
