import { sql, type RawBuilder } from 'kysely'
import { fold } from '../../lib/fold.ts'
import type { LedgerDialect } from '../../storage/ledger/dialect.ts'

interface Written {
  readonly organizationId: number
  readonly keys: readonly string[]
  /** In lower case. */
  readonly emails: readonly string[]
}

/**
 * Ids of reports `f` of whom the page knew by one of these keys, and of those who gave one of these addresses: by an index each.
 *
 * @param within what else holds for each
 */
export const ownReports = (
  dialect: LedgerDialect,
  { organizationId, keys, emails }: Written,
  within: RawBuilder<unknown>,
) => {
  const named = [
    sql`f.user_key IN (${sql.join(['', ...keys])}) AND f.user_key != ''`,
    sql`lower(f.email) IN (${sql.join(['', ...emails])}) AND f.email != ''`,
    ...(dialect === 'sqlite' ? emails.flatMap((email) => inAnyCase(email)) : []),
  ]
  const each = named.map(
    (one) => sql`SELECT f.id FROM feedback f WHERE f.organization_id = ${organizationId} AND ${one} AND ${within}`,
  )
  return sql<number>`(${sql.join(each, sql` UNION `)})`
}

/**
 * SQLite's `lower`, by which the index is, knows the letters of English alone: of an address with others, the index says who
 * begins as it does up to the first of them, and goes on with any other.
 */
const inAnyCase = (email: string) => {
  const [begins = ''] = /^\p{ASCII}*/u.exec(email) ?? []
  if (begins === email) return []
  return [
    sql`lower(f.email) >= ${`${begins}\u0080`} AND lower(f.email) <= ${`${begins}\u{10ffff}`}
      AND fold(f.email) = ${fold(email)} AND f.email != ''`,
  ]
}
