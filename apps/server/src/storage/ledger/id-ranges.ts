import { sql } from 'kysely'
import type { Ledger } from './ledger.ts'

/** Rows whose id is above `after` and at most `last`. */
export interface IdRange {
  readonly after: number
  readonly last: number
}

export interface RowsOf {
  readonly column: 'organization_id' | 'rule_id'
  readonly value: number
}

/**
 * Rows from the first id to the last one, in ranges of so many at most: a statement about one of them reads no more than
 * that, however few rows it finds. What is added meanwhile is in the last ones.
 *
 * @param of the rows with this value in a column, where an index has that column before the id: nobody else's are read then.
 * Without it the ranges are of all rows, whosever they are.
 */
export const idRanges = async function* (
  ledger: Pick<Ledger, 'db'>,
  table: string,
  rows: number,
  of: RowsOf | null = null,
): AsyncGenerator<IdRange, void> {
  const own = of === null ? sql`` : sql`${sql.ref(of.column)} = ${of.value} AND `
  for (let after = 0; ;) {
    const found = await sql<{ readonly last: number | null }>`SELECT max(id) AS last FROM (
      SELECT id FROM ${sql.table(table)} WHERE ${own}id > ${after} ORDER BY id LIMIT ${sql.lit(rows)}) AS part`.execute(
      ledger.db,
    )
    const last = found.rows[0]?.last ?? null
    if (last === null) return
    yield { after, last }
    after = last
  }
}
