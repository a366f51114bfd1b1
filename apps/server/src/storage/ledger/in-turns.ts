import { sql, type RawBuilder, type SelectQueryBuilder } from 'kysely'
import type { Ledger } from './ledger.ts'
import type { LedgerSchema } from './schema.ts'

/** Which one of its organisation a row is, in some order. */
export const turnOf = (organizationId: string, order: string | RawBuilder<unknown>) =>
  sql<number>`row_number() OVER (PARTITION BY ${sql.ref(organizationId)} ORDER BY ${typeof order === 'string' ? sql.ref(order) : order})`.as(
    'turn',
  )

/**
 * The first row of each organisation, then the second of each, and so on: however much waits of one, it keeps nobody waiting.
 *
 * @param waiting rows with their `turnOf`
 */
export const idsInTurns = async <Tables extends keyof LedgerSchema>(
  { db }: Ledger,
  waiting: SelectQueryBuilder<LedgerSchema, Tables, { id: number; turn: number }>,
  limit: number,
): Promise<readonly number[]> => {
  const rows = await db
    .selectFrom(waiting.as('waiting'))
    .select('id')
    .orderBy('turn')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}
