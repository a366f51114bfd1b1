import { columnTypes } from '../../../../storage/ledger/column-types.ts'
import type { LedgerDialect } from '../../../../storage/ledger/dialect.ts'

/** Up to which minute rules about how much were evaluated, how they stand, and what they take. */
export const measuredTables = (dialect: LedgerDialect): readonly string[] => {
  const { int, clustered } = columnTypes(dialect)
  return [
    `CREATE TABLE measured_clock (
      id ${int} PRIMARY KEY,
      minute ${int} NOT NULL,
      heard_until ${int} NOT NULL,
      gap_from ${int} NOT NULL,
      gap_to ${int} NOT NULL
    )`,
    `CREATE TABLE measured_courses (
      rule_id ${int} NOT NULL,
      organization_id ${int} NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
      group_key text NOT NULL,
      course text NOT NULL,
      PRIMARY KEY (rule_id, group_key)
    )${clustered}`,
    `CREATE TABLE measured_costs (
      rule_id ${int} PRIMARY KEY,
      organization_id ${int} NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
      rows ${int} NOT NULL,
      milliseconds ${int} NOT NULL,
      every_minutes ${int} NOT NULL,
      slowed_at ${int}
    )`,
  ]
}
