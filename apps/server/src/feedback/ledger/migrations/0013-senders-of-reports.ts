/** Who sent a report, beside the address that many share; and the way to reports of the same words. */
export const sendersOfReports = (): readonly string[] => [
  `ALTER TABLE feedback ADD COLUMN sender_hash text NOT NULL DEFAULT ''`,
  `CREATE INDEX feedback_alike ON feedback (project_id, message_hash, created_at)`,
]
