/** Incidents that ended for another reason than what they are about, until whoever heard of them is told. */
export const untoldEnds = (): readonly string[] => [
  `ALTER TABLE alert_incidents ADD COLUMN untold_end text`,
  `CREATE INDEX alert_incidents_untold ON alert_incidents (rule_id, id) WHERE untold_end IS NOT NULL`,
]
