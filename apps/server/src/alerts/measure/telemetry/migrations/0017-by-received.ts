/**
 * Rules go by when something was received, which is close to the order in which rows are stored: an index of its ends
 * leaves out all but the newest. Rows from before are read as they were; merges add the index to them.
 */
export const byReceived: readonly string[] = ['events', 'spans', 'logs', 'metrics'].map(
  (table) => `ALTER TABLE ${table} ADD INDEX IF NOT EXISTS by_received received TYPE minmax GRANULARITY 1`,
)
