import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { folded } from './containing.ts'
import type { LedgerDialect } from './dialect.ts'

/**
 * Whether a text has one of these parts in it: those that are exact, or those that are in lower case whatever its case. All
 * rows may have to be read for it: whoever no longer waits for the answer stops the statement here.
 */
export const namingAny = (
  dialect: LedgerDialect,
  column: string,
  { exact, lower }: { readonly exact: readonly string[]; readonly lower: readonly string[] },
): RawBuilder<SqlBool> => {
  const place = dialect === 'sqlite' ? sql`instr` : sql`strpos`
  const text = sql.ref(column)
  const parts = [
    ...exact.map((part) => sql`${place}(${text}, ${part}) > 0`),
    ...lower.map((part) => sql`${place}(${folded(dialect, text)}, ${folded(dialect, part)}) > 0`),
  ]
  const inTime = dialect === 'sqlite' ? sql`in_time(1) AND ` : sql``
  return sql<SqlBool>`(${inTime}(${sql.join([sql`1 = 0`, ...parts], sql` OR `)}))`
}
