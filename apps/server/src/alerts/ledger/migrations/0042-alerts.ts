import { columnTypes } from '../../../storage/ledger/column-types.ts'
import type { LedgerDialect } from '../../../storage/ledger/dialect.ts'

/** Rules, what they came to, what they told, and what waits to be told together. Each organisation begins with one rule. */
// long: tables, one after the other
export const alertTables = (dialect: LedgerDialect): readonly string[] => {
  const { clustered, flag, id, int } = columnTypes(dialect)
  const real = dialect === 'sqlite' ? 'real' : 'double precision'
  const organization = `organization_id ${int} NOT NULL REFERENCES organizations (id) ON DELETE CASCADE`
  return [
    `CREATE TABLE alert_rules (
      id ${id},
      ${organization},
      name text NOT NULL,
      source text NOT NULL,
      draft text NOT NULL,
      all_projects ${flag} NOT NULL,
      version ${int} NOT NULL,
      is_enabled ${flag} NOT NULL,
      is_default ${flag} NOT NULL,
      muted_until ${int},
      is_muted ${flag} NOT NULL,
      muted_by ${int} REFERENCES users (id) ON DELETE SET NULL,
      created_by ${int} REFERENCES users (id) ON DELETE SET NULL,
      created_at ${int} NOT NULL,
      updated_at ${int} NOT NULL,
      last_fired_at ${int},
      deleted_at ${int},
      imported text
    )`,
    `CREATE INDEX alert_rules_by_organization ON alert_rules (organization_id, source)`,
    `CREATE INDEX alert_rules_muted_by ON alert_rules (muted_by) WHERE muted_by IS NOT NULL`,
    `CREATE INDEX alert_rules_created_by ON alert_rules (created_by) WHERE created_by IS NOT NULL`,
    `CREATE INDEX alert_rules_deleted ON alert_rules (deleted_at) WHERE deleted_at IS NOT NULL`,
    `CREATE TABLE alert_rule_projects (
      rule_id ${int} NOT NULL REFERENCES alert_rules (id) ON DELETE CASCADE,
      project_id ${int} NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
      PRIMARY KEY (rule_id, project_id)
    )${clustered}`,
    `CREATE INDEX alert_rule_projects_by_project ON alert_rule_projects (project_id)`,
    `CREATE TABLE alert_incidents (
      id ${id},
      ${organization},
      rule_id ${int} NOT NULL,
      rule_name text NOT NULL,
      subject text NOT NULL,
      group_values text NOT NULL,
      issue_id ${int} REFERENCES issues (id) ON DELETE CASCADE,
      project_id ${int} REFERENCES projects (id) ON DELETE CASCADE,
      headline text NOT NULL,
      state text NOT NULL,
      started_at ${int} NOT NULL,
      ended_at ${int},
      told_at ${int},
      changed_at ${int} NOT NULL,
      peak ${real},
      value_limit ${real},
      unit text,
      swallowed ${int} NOT NULL
    )`,
    `CREATE UNIQUE INDEX alert_incidents_open ON alert_incidents (rule_id, subject) WHERE ended_at IS NULL`,
    `CREATE INDEX alert_incidents_by_rule ON alert_incidents (rule_id, subject, id)`,
    `CREATE INDEX alert_incidents_by_organization ON alert_incidents (organization_id, id)`,
    `CREATE INDEX alert_incidents_by_issue ON alert_incidents (issue_id) WHERE issue_id IS NOT NULL`,
    `CREATE INDEX alert_incidents_by_project ON alert_incidents (project_id) WHERE project_id IS NOT NULL`,
    `CREATE INDEX alert_incidents_flapping ON alert_incidents (changed_at) WHERE state = 'flapping'`,
    `CREATE TABLE alert_evaluations (
      id ${id},
      organization_id ${int} NOT NULL,
      rule_id ${int} NOT NULL REFERENCES alert_rules (id) ON DELETE CASCADE,
      rule_version ${int} NOT NULL,
      occasion text NOT NULL,
      at ${int} NOT NULL,
      evaluated_at ${int} NOT NULL,
      issue_id ${int} REFERENCES issues (id) ON DELETE CASCADE,
      group_values text NOT NULL,
      decision text NOT NULL,
      reason text NOT NULL,
      sentence text NOT NULL,
      value ${real},
      value_limit ${real},
      unit text,
      window_minutes ${int},
      incident_id ${int},
      repeated ${int} NOT NULL,
      rows_read ${int},
      milliseconds ${real}
    )`,
    `CREATE UNIQUE INDEX alert_evaluations_once ON alert_evaluations (rule_id, occasion)`,
    `CREATE INDEX alert_evaluations_by_rule ON alert_evaluations (rule_id, id)`,
    `CREATE INDEX alert_evaluations_by_issue ON alert_evaluations (issue_id, id) WHERE issue_id IS NOT NULL`,
    `CREATE INDEX alert_evaluations_by_age ON alert_evaluations (evaluated_at)`,
    `CREATE TABLE alert_messages (
      id ${id},
      organization_id ${int} NOT NULL,
      rule_id ${int} NOT NULL REFERENCES alert_rules (id) ON DELETE CASCADE,
      incident_id ${int},
      key text NOT NULL,
      receiver text NOT NULL,
      stage text NOT NULL,
      sent_at ${int} NOT NULL
    )`,
    `CREATE INDEX alert_messages_by_rule ON alert_messages (rule_id, sent_at)`,
    `CREATE INDEX alert_messages_by_incident ON alert_messages (incident_id) WHERE incident_id IS NOT NULL`,
    `CREATE INDEX alert_messages_by_age ON alert_messages (sent_at)`,
    `CREATE TABLE alert_gatherings (
      id ${id},
      organization_id ${int} NOT NULL,
      rule_id ${int} NOT NULL REFERENCES alert_rules (id) ON DELETE CASCADE,
      channel_id ${int} NOT NULL,
      subject text NOT NULL,
      thread text NOT NULL,
      opened_at ${int} NOT NULL,
      due_at ${int} NOT NULL,
      told ${int} NOT NULL,
      waiting ${int} NOT NULL
    )`,
    `CREATE UNIQUE INDEX alert_gatherings_once ON alert_gatherings (channel_id, subject, organization_id)`,
    `CREATE INDEX alert_gatherings_due ON alert_gatherings (due_at)`,
    `CREATE INDEX alert_gatherings_by_rule ON alert_gatherings (rule_id)`,
    `CREATE TABLE alert_gathered (
      id ${id},
      gathering_id ${int} NOT NULL REFERENCES alert_gatherings (id) ON DELETE CASCADE,
      level text NOT NULL,
      text text NOT NULL,
      path text NOT NULL,
      people text
    )`,
    `CREATE INDEX alert_gathered_by_gathering ON alert_gathered (gathering_id, id)`,
    `CREATE TABLE alert_held_back (
      rule_id ${int} NOT NULL REFERENCES alert_rules (id) ON DELETE CASCADE,
      channel_id ${int} NOT NULL,
      organization_id ${int} NOT NULL,
      since ${int} NOT NULL,
      held ${int} NOT NULL,
      PRIMARY KEY (rule_id, channel_id)
    )${clustered}`,
    `CREATE INDEX alert_held_back_by_age ON alert_held_back (since)`,
    `CREATE TABLE alert_defaults (
      organization_id ${int} PRIMARY KEY REFERENCES organizations (id) ON DELETE CASCADE
    )`,
  ]
}
