import type { RepositoryHost } from '@firsthand/contract'
import type { Selectable } from 'kysely'
import { containing } from '../../storage/ledger/containing.ts'
import type { Ledger } from '../../storage/ledger/ledger.ts'
import { LIMITS } from '../limits.ts'
import type { Addressed } from '../repository-links.ts'
import type { RepositoryTable } from './schema.ts'

export type Repository = Selectable<RepositoryTable>
export type Repositories = ReturnType<typeof createRepositories>

/** Its address, and how its pages are addressed. */
export interface RepositoryLinks {
  readonly url: string | null | undefined
  readonly host?: RepositoryHost | null | undefined
  readonly commitUrl?: string | null | undefined
  readonly lineUrl?: string | null | undefined
}

/** What is not named is left as it is. */
const columnsOf = ({ commitUrl, host, lineUrl, url }: Partial<RepositoryLinks>) => ({
  ...(url === undefined ? {} : { url }),
  ...(host === undefined ? {} : { host }),
  ...(commitUrl === undefined ? {} : { commit_url: commitUrl }),
  ...(lineUrl === undefined ? {} : { line_url: lineUrl }),
})

/** As those who make addresses of it want it. */
export const addressed = ({ commit_url: commitUrl, host, line_url: lineUrl, url }: Repository): Addressed => ({
  url,
  host,
  commitUrl,
  lineUrl,
})

/** Repositories that an organisation named. Nobody is asked about them: they are names that commits belong to. */
export const createRepositories = ({ ledger }: { readonly ledger: Ledger }) => ({
  list: (
    organizationId: number,
    query: string,
    page: { readonly offset: number; readonly limit: number },
  ): Promise<Repository[]> => {
    let rows = ledger.db.selectFrom('repositories').selectAll().where('organization_id', '=', organizationId)
    if (query !== '') rows = rows.where(containing(ledger.dialect, 'name', query))
    return rows.orderBy('name').limit(page.limit).offset(page.offset).execute()
  },

  /** One that is there gets the address. @returns null when there are too many */
  add: (
    organizationId: number,
    { name, now, ...links }: RepositoryLinks & { readonly name: string; readonly now: number },
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
        .values({ organization_id: organizationId, name, ...columnsOf(links), created_at: now })
        .onConflict((conflict) =>
          conflict.columns(['organization_id', 'name']).doUpdateSet((eb) => ({
            url: eb.fn.coalesce('excluded.url', 'repositories.url'),
            host: eb.fn.coalesce('excluded.host', 'repositories.host'),
            commit_url: eb.fn.coalesce('excluded.commit_url', 'repositories.commit_url'),
            line_url: eb.fn.coalesce('excluded.line_url', 'repositories.line_url'),
          })),
        )
        .returningAll()
        .executeTakeFirstOrThrow()
    }),

  /** Changes what is named. @returns null when it is not there, `taken` when another one has the name */
  change: (
    organizationId: number,
    id: number,
    { name, ...links }: Partial<RepositoryLinks> & { readonly name?: string | undefined },
  ): Promise<Repository | 'taken' | null> =>
    ledger.transaction(async (transaction) => {
      const own = transaction.selectFrom('repositories').where('organization_id', '=', organizationId)
      if (name !== undefined) {
        const same = await own.select('id').where('name', '=', name).where('id', '!=', id).executeTakeFirst()
        if (same !== undefined) return 'taken'
      }
      const changes = { ...(name === undefined ? {} : { name }), ...columnsOf(links) }
      if (Object.keys(changes).length > 0) {
        await transaction
          .updateTable('repositories')
          .set(changes)
          .where('organization_id', '=', organizationId)
          .where('id', '=', id)
          .execute()
      }
      return (await own.selectAll().where('id', '=', id).executeTakeFirst()) ?? null
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
