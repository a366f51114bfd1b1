import { sql, type RawBuilder } from 'kysely'
import type { LedgerDialect } from './dialect.ts'

/** A text in a column of JSON, '' where it is not there. */
export const jsonText = (column: string, name: string, dialect: LedgerDialect): RawBuilder<string> =>
  dialect === 'sqlite'
    ? sql<string>`coalesce(json_extract(${sql.ref(column)}, ${sql.lit(`$.${name}`)}), '')`
    : sql<string>`coalesce(${sql.ref(column)}::json ->> ${sql.lit(name)}, '')`
