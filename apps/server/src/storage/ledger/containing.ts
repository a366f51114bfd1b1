import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { LedgerDialect } from './dialect.ts'

/**
 * A text as searches compare it. SQLite's own `lower` knows the letters of English alone, so that its connections have a
 * function for it (`lib/fold.ts`).
 */
export const folded = (dialect: LedgerDialect, text: RawBuilder<unknown> | string): RawBuilder<string> =>
  dialect === 'sqlite' ? sql`fold(${text})` : sql`replace(lower(normalize(${text}, NFC)), 'ς', 'σ')`

/** Whether a column has a text in it, whatever the case of either. `%`, `_` and `\` stand for themselves. */
export const containing = (dialect: LedgerDialect, column: string, text: string): RawBuilder<SqlBool> => {
  const pattern = `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  return sql<SqlBool>`(${folded(dialect, sql.ref(column))} LIKE ${folded(dialect, pattern)} ESCAPE '\\')`
}
