/** Alerts wait for the oldest result that telemetry has not. */
export const resultsByTime = (): readonly string[] => [
  `CREATE INDEX monitor_results_by_time ON monitor_results (decided_at)`,
]
