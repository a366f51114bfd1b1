import { sql } from 'kysely'
import type { Ledger } from './ledger.ts'

/** Rows whose id is above `after` and at most `last`. */
export interface IdRange {
  readonly after: number
  readonly last: number
}

/**
 * A table from its first id to its last one, in ranges of so many rows at most, whosever they are: a statement about one of
 * them reads no more than that, however few rows it finds. What is added meanwhile is in the last ones.
 */
export const idRanges = async function* (
  ledger: Pick<Ledger, 'db'>,
  table: string,
  rows: number,
): AsyncGenerator<IdRange, void> {
  for (let after = 0; ;) {
    const found = await sql<{ readonly last: number | null }>`SELECT max(id) AS last FROM (
      SELECT id FROM ${sql.table(table)} WHERE id > ${after} ORDER BY id LIMIT ${sql.lit(rows)}) AS part`.execute(
      ledger.db,
    )
    const last = found.rows[0]?.last ?? null
    if (last === null) return
    yield { after, last }
    after = last
  }
}
