import { sql, type RawBuilder } from 'kysely'
import type { WrittenAbout } from '../../issues/index.ts'
import type { Ledger } from '../../storage/ledger/ledger.ts'

/** How many people wrote about issues. Who wrote three times is one; who said the same as another is another. */

/**
 * Who wrote about what, each once: a report is about its own issue, else about that of the report under which it stands.
 *
 * @param which of the reports whose `issue_id` says so, by the name of their table
 */
const WRITERS = (which: (table: 'own' | 'parent') => RawBuilder<unknown>): RawBuilder<unknown> => sql`
  SELECT own.issue_id AS issue, own.writer AS writer FROM feedback own
  WHERE ${which('own')} AND own.status != 'spam'
  UNION
  SELECT parent.issue_id, child.writer FROM feedback parent
  INNER JOIN feedback child ON child.merged_into_id = parent.id
  WHERE ${which('parent')} AND child.issue_id IS NULL AND child.status != 'spam'`

export const countWriters =
  ({ db }: Ledger) =>
  async ({ organizationId, issues }: WrittenAbout): Promise<ReadonlyMap<number, number>> => {
    const among = (ids: readonly number[]) => (table: 'own' | 'parent') =>
      sql`${sql.ref(`${table}.organization_id`)} = ${organizationId} AND ${sql.ref(`${table}.issue_id`)} IN (${sql.join([...ids])})`
    const alone = [...issues].flatMap(([id, stored]) => (stored.length === 1 ? [id] : []))
    const counted = new Map<number, number>()
    if (alone.length > 0) {
      const { rows } = await sql<{ issue: number; people: number }>`
        SELECT issue, count(*) AS people FROM (${WRITERS(among(alone))}) AS written GROUP BY issue`.execute(db)
      for (const { issue, people } of rows) counted.set(issue, people)
    }
    // Of several that are one now, whoever wrote about two of them is one.
    for (const [id, stored] of issues) {
      if (stored.length <= 1) continue
      const { rows } = await sql<{ people: number }>`
        SELECT count(DISTINCT writer) AS people FROM (${WRITERS(among(stored))}) AS written`.execute(db)
      counted.set(id, rows[0]?.people ?? 0)
    }
    return counted
  }

export const rankWriters =
  ({ db }: Ledger) =>
  async (organizationId: number): Promise<ReadonlyMap<number, number>> => {
    const all = (table: 'own' | 'parent') =>
      sql`${sql.ref(`${table}.organization_id`)} = ${organizationId} AND ${sql.ref(`${table}.issue_id`)} IS NOT NULL`
    const { rows } = await sql<{ issue: number; people: number }>`
      SELECT coalesce(issues.merged_into_id, issues.id) AS issue, count(DISTINCT written.writer) AS people
      FROM (${WRITERS(all)}) AS written
      INNER JOIN issues ON issues.id = written.issue
      WHERE issues.deleted_at IS NULL
      GROUP BY coalesce(issues.merged_into_id, issues.id)`.execute(db)
    return new Map(rows.map(({ issue, people }) => [issue, people]))
  }
