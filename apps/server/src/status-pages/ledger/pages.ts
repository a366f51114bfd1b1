import type { Selectable } from 'kysely'
import type { Accounts } from '../../accounts/index.ts'
import type { Standing } from '../../lib/standing.ts'
import { readStanding as standingOfMonitor } from '../../monitors/index.ts'
import type { Ledger } from '../../storage/index.ts'
import { readStanding as standingOfUptime } from '../../uptime/index.ts'
import type { Component } from '../status.ts'
import type { StatusPageTable } from './schema.ts'

export type PageRow = Selectable<StatusPageTable>

export type Pages = ReturnType<typeof createPages>

/** Pages, and how their components stand. */
export const createPages = ({
  ledger,
  organizations,
}: {
  readonly ledger: Ledger
  readonly organizations: Pick<Accounts['store'], 'organizationBySlug'>
}) => ({
  of: async (organizationId: number): Promise<PageRow | null> =>
    (await ledger.db
      .selectFrom('status_pages')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .executeTakeFirst()) ?? null,

  all: (): Promise<PageRow[]> => ledger.db.selectFrom('status_pages').selectAll().execute(),

  /** False when the address is that of another organisation: it has a page there, or is called so. */
  save: async (organizationId: number, page: Omit<PageRow, 'id' | 'organization_id'>): Promise<boolean> => {
    const namesake = await organizations.organizationBySlug(page.slug)
    if (namesake !== null && namesake.id !== organizationId) return false
    return ledger.transaction(async (transaction) => {
      const other = await transaction
        .selectFrom('status_pages')
        .select('id')
        .where('slug', '=', page.slug)
        .where('organization_id', '<>', organizationId)
        .executeTakeFirst()
      if (other !== undefined) return false
      await transaction
        .insertInto('status_pages')
        .values({ ...page, organization_id: organizationId })
        .onConflict((conflict) => conflict.column('organization_id').doUpdateSet(page))
        .execute()
      return true
    })
  },

  /** How a monitor or an address stands, and how its days were; null when it is not there any more. */
  standing: async (organizationId: number, component: Component, firstDay: number): Promise<Standing | null> =>
    component.source === 'uptime'
      ? standingOfUptime(ledger, organizationId, component.id, firstDay)
      : standingOfMonitor(ledger, organizationId, component.id, firstDay),
})
