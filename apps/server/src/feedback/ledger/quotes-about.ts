import { sql } from 'kysely'
import type { Ledger } from '../../storage/ledger/ledger.ts'

/** What people said about issues, the newest first; spam, and what says the same as another, is left out. */
export const quotesAbout =
  ({ db }: Ledger) =>
  async (
    { organizationId, issueIds }: { readonly organizationId: number; readonly issueIds: readonly number[] },
    { limit, chars }: { readonly limit: number; readonly chars: number },
  ): Promise<readonly { readonly text: string; readonly name: string }[]> => {
    const rows = await db
      .selectFrom('feedback')
      .select('name')
      .select(sql<string>`substr(message, 1, ${chars})`.as('text'))
      .where('organization_id', '=', organizationId)
      .where('issue_id', 'in', [0, ...issueIds])
      .where('status', '!=', 'spam')
      .where('merged_into_id', 'is', null)
      .orderBy('id', 'desc')
      .limit(limit)
      .execute()
    return rows.map(({ name, text }) => ({ name, text: text.toWellFormed() }))
  }
