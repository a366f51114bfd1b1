import { columnTypes } from '../../../storage/ledger/column-types.ts'
import type { LedgerDialect } from '../../../storage/ledger/dialect.ts'

/**
 * What waits to be told waits for one receiver, and knows of which rule and incident it is; an incident knows when it may be
 * told that could not be when it began. What waited when this came is not told: that is minutes.
 */
export const alertsByReceiver = (dialect: LedgerDialect): readonly string[] => {
  const { clustered, id, int } = columnTypes(dialect)
  return [
    `DROP TABLE alert_gathered`,
    `DROP TABLE alert_gatherings`,
    `DROP TABLE alert_held_back`,
    `CREATE TABLE alert_gatherings (
      id ${id},
      organization_id ${int} NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
      receiver text NOT NULL,
      topic text NOT NULL,
      opened_at ${int} NOT NULL,
      due_at ${int} NOT NULL,
      told ${int} NOT NULL,
      waiting ${int} NOT NULL,
      urgency ${int} NOT NULL
    )`,
    `CREATE UNIQUE INDEX alert_gatherings_once ON alert_gatherings (organization_id, topic, receiver)`,
    `CREATE INDEX alert_gatherings_due ON alert_gatherings (due_at)`,
    `CREATE TABLE alert_gathered (
      id ${id},
      gathering_id ${int} NOT NULL REFERENCES alert_gatherings (id) ON DELETE CASCADE,
      rule_id ${int} NOT NULL REFERENCES alert_rules (id) ON DELETE CASCADE,
      incident_id ${int} NOT NULL REFERENCES alert_incidents (id) ON DELETE CASCADE,
      project_id ${int},
      notice text,
      kind text NOT NULL,
      level text NOT NULL,
      name text NOT NULL,
      place text NOT NULL,
      text text NOT NULL,
      path text NOT NULL
    )`,
    `CREATE INDEX alert_gathered_by_gathering ON alert_gathered (gathering_id, id)`,
    `CREATE INDEX alert_gathered_by_rule ON alert_gathered (rule_id)`,
    `CREATE INDEX alert_gathered_by_incident ON alert_gathered (incident_id)`,
    `CREATE TABLE alert_held_back (
      rule_id ${int} NOT NULL REFERENCES alert_rules (id) ON DELETE CASCADE,
      receiver text NOT NULL,
      organization_id ${int} NOT NULL,
      since ${int} NOT NULL,
      due_at ${int} NOT NULL,
      told ${int} NOT NULL,
      held ${int} NOT NULL,
      level text NOT NULL,
      headline text NOT NULL,
      PRIMARY KEY (rule_id, receiver)
    )${clustered}`,
    `CREATE INDEX alert_held_back_due ON alert_held_back (due_at)`,
    `ALTER TABLE alert_messages ADD COLUMN urgency ${int} NOT NULL DEFAULT 0`,
    `ALTER TABLE alert_messages ADD COLUMN notice text`,
    `ALTER TABLE alert_incidents ADD COLUMN due_at ${int}`,
    `ALTER TABLE alert_incidents ADD COLUMN fact_id ${int}`,
    `CREATE INDEX alert_incidents_due ON alert_incidents (due_at) WHERE due_at IS NOT NULL`,
    `ALTER TABLE alert_rules ADD COLUMN watched_since ${int} NOT NULL DEFAULT 0`,
    `UPDATE alert_rules SET watched_since = updated_at`,
    `ALTER TABLE measured_courses ADD COLUMN shape text NOT NULL DEFAULT ''`,
  ]
}
