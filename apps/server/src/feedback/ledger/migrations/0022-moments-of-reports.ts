/** When a report was sent by its sender's clock: one that waited for a connection is received later. */
export const momentsOfReports = (): readonly string[] => [
  `ALTER TABLE feedback ADD COLUMN written_at bigint NOT NULL DEFAULT 0`,
]
