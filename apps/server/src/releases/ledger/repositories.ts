import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import { containing } from '../../storage/ledger/containing.ts'
import type { Ledger } from '../../storage/ledger/ledger.ts'
import { LIMITS } from '../limits.ts'
import type { RepositoryTable } from './schema.ts'

export type Repository = Selectable<RepositoryTable>
export type Repositories = ReturnType<typeof createRepositories>

/** Repositories that an organisation named. Nobody is asked about them: they are names that commits belong to. */
export const createRepositories = ({ ledger }: { readonly ledger: Ledger }) => ({
  list: (
    organizationId: number,
    query: string,
    page: { readonly offset: number; readonly limit: number },
  ): Promise<Repository[]> => {
    let rows = ledger.db.selectFrom('repositories').selectAll().where('organization_id', '=', organizationId)
    if (query !== '') rows = rows.where(sql<boolean>`lower(name) like ${containing(query)} escape '\\'`)
    return rows.orderBy('name').limit(page.limit).offset(page.offset).execute()
  },

  /** One that is there gets the address. @returns null when there are too many */
  add: (
    organizationId: number,
    { name, url, now }: { readonly name: string; readonly url: string | null; readonly now: number },
  ): Promise<Repository | null> =>
    ledger.transaction(async (transaction) => {
      const own = transaction.selectFrom('repositories').where('organization_id', '=', organizationId)
      const known = await own.select('id').where('name', '=', name).executeTakeFirst()
      const { count } = await own
        .select(({ fn }) => fn.countAll<number | string>().as('count'))
        .executeTakeFirstOrThrow()
      if (known === undefined && Number(count) >= LIMITS.REPOSITORIES) return null
      return transaction
        .insertInto('repositories')
        .values({ organization_id: organizationId, name, url, created_at: now })
        .onConflict((conflict) =>
          conflict.columns(['organization_id', 'name']).doUpdateSet((eb) => ({
            url: eb.fn.coalesce('excluded.url', 'repositories.url'),
          })),
        )
        .returningAll()
        .executeTakeFirstOrThrow()
    }),

  remove: async (organizationId: number, id: number): Promise<boolean> => {
    const { numDeletedRows } = await ledger.db
      .deleteFrom('repositories')
      .where('organization_id', '=', organizationId)
      .where('id', '=', id)
      .executeTakeFirst()
    return Number(numDeletedRows) > 0
  },
})
