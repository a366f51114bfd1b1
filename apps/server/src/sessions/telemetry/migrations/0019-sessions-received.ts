/**
 * Alerts ask what was heard of sessions by when it was heard, whenever a session began: without these a question about the
 * last hour would read all sessions of a project.
 */
export const statements: readonly string[] = ['session_updates', 'session_counts'].flatMap((table) => [
  `ALTER TABLE ${table} ADD INDEX IF NOT EXISTS by_received received TYPE minmax GRANULARITY 1`,
  `ALTER TABLE ${table} MATERIALIZE INDEX by_received SETTINGS mutations_sync = 0`,
])
