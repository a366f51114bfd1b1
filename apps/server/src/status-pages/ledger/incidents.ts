import type { Selectable } from 'kysely'
import type { Ledger } from '../../storage/index.ts'
import { LIMITS } from '../limits.ts'
import type { Incident } from '../status.ts'
import type { StatusIncidentTable } from './schema.ts'

export type KeptIncident = Incident & { readonly isPublished: boolean }

type Row = Selectable<StatusIncidentTable>

export type NewIncident = Pick<
  Row,
  'kind' | 'title' | 'impact' | 'status' | 'components' | 'starts_at' | 'ends_at' | 'is_published'
>
export type IncidentChange = Partial<
  Pick<Row, 'title' | 'impact' | 'components' | 'starts_at' | 'ends_at' | 'is_published'>
>

export type Incidents = ReturnType<typeof createIncidents>

/** What people say. Every call names the organisation. */
export const createIncidents = ({ ledger }: { readonly ledger: Ledger }) => ({
  /** The newest first, with those alone that were published when `isPublic`. */
  list: async (organizationId: number, isPublic: boolean): Promise<KeptIncident[]> => {
    let query = ledger.db.selectFrom('status_incidents').selectAll().where('organization_id', '=', organizationId)
    if (isPublic) query = query.where('is_published', '=', 1)
    const rows = await query.orderBy('starts_at', 'desc').orderBy('id', 'desc').limit(LIMITS.STATUS_INCIDENTS).execute()
    const updates = await ledger.db
      .selectFrom('status_updates')
      .selectAll()
      .where('incident_id', 'in', [...rows.map(({ id }) => id), 0])
      .orderBy('at', 'desc')
      .orderBy('id', 'desc')
      .execute()
    const byIncident = Map.groupBy(updates, (update) => update.incident_id)
    return rows.map((row) => ({
      id: row.id,
      kind: row.kind as Incident['kind'],
      title: row.title,
      impact: row.impact as Incident['impact'],
      status: row.status,
      components: JSON.parse(row.components) as string[],
      startsAt: row.starts_at,
      endsAt: row.ends_at,
      isPublished: row.is_published === 1,
      updates: (byIncident.get(row.id) ?? []).map(({ at, status, text }) => ({ at, status, text })),
    }))
  },

  /** Null when there are as many as there may be. */
  add: (
    organizationId: number,
    incident: NewIncident,
    update: { readonly text: string; readonly userId: number | null; readonly at: number },
  ): Promise<number | null> =>
    ledger.transaction(async (transaction) => {
      const { incidents } = await transaction
        .selectFrom('status_incidents')
        .select((eb) => eb.fn.countAll<number>().as('incidents'))
        .where('organization_id', '=', organizationId)
        .executeTakeFirstOrThrow()
      if (incidents >= LIMITS.STATUS_INCIDENTS) return null
      const { id } = await transaction
        .insertInto('status_incidents')
        .values({ ...incident, organization_id: organizationId, changed_at: update.at })
        .returning('id')
        .executeTakeFirstOrThrow()
      await transaction
        .insertInto('status_updates')
        .values({ incident_id: id, user_id: update.userId, status: incident.status, text: update.text, at: update.at })
        .execute()
      return id
    }),

  update: (
    organizationId: number,
    id: number,
    update: { readonly status: string; readonly text: string; readonly userId: number | null; readonly at: number },
  ): Promise<'done' | 'gone' | 'full'> =>
    ledger.transaction(async (transaction) => {
      const { updates } = await transaction
        .selectFrom('status_updates')
        .select((eb) => eb.fn.countAll<number>().as('updates'))
        .where('incident_id', '=', id)
        .executeTakeFirstOrThrow()
      const incident = await transaction
        .selectFrom('status_incidents')
        .select('id')
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .executeTakeFirst()
      if (incident === undefined) return 'gone'
      if (updates >= LIMITS.STATUS_UPDATES) return 'full'
      const { at, status, text, userId } = update
      await transaction.updateTable('status_incidents').set({ status, changed_at: at }).where('id', '=', id).execute()
      await transaction
        .insertInto('status_updates')
        .values({ incident_id: id, user_id: userId, status, text, at })
        .execute()
      return 'done'
    }),

  change: async (organizationId: number, id: number, change: IncidentChange, now: number): Promise<boolean> => {
    const { numUpdatedRows } = await ledger.db
      .updateTable('status_incidents')
      .set({ ...change, changed_at: now })
      .where('organization_id', '=', organizationId)
      .where('id', '=', id)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  },

  remove: async (organizationId: number, id: number): Promise<boolean> => {
    const { numDeletedRows } = await ledger.db
      .deleteFrom('status_incidents')
      .where('organization_id', '=', organizationId)
      .where('id', '=', id)
      .executeTakeFirst()
    return numDeletedRows > 0n
  },
})
