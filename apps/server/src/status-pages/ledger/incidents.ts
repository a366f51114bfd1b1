import { sql, type Selectable } from 'kysely'
import type { OffsetPage } from '../../lib/offset-page.ts'
import type { Ledger } from '../../storage/index.ts'
import { LIMITS } from '../limits.ts'
import type { Head, Incident } from '../status.ts'
import type { StatusIncidentTable } from './schema.ts'

export type KeptHead = Head & { readonly isPublished: boolean }
export type KeptIncident = KeptHead & Incident

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
  ...readsOf(ledger),
  ...writesOf(ledger),
})

const readsOf = (ledger: Ledger) => ({
  /** Without their words; the newest first, with those alone that were published when `isPublic`. */
  heads: (
    organizationId: number,
    isPublic: boolean,
    { limit, offset }: OffsetPage = { limit: LIMITS.STATUS_INCIDENTS, offset: 0 },
  ): Promise<KeptHead[]> => {
    let query = selectWithLastSaid(ledger).where('organization_id', '=', organizationId)
    if (isPublic) query = query.where('is_published', '=', 1)
    return readHeads(query, { limit, offset })
  },

  /**
   * Those of one page of the list, each with its newest updates: what goes on, then what is announced, then what is over.
   * One too many when there is a next page.
   */
  list: async (organizationId: number, { limit, offset }: OffsetPage, now: number): Promise<KeptIncident[]> => {
    const query = selectWithLastSaid(ledger).where('organization_id', '=', organizationId).orderBy(phaseRank(now))
    const heads = await readHeads(query, { limit: limit + 1, offset })
    return withUpdates(heads, await readUpdates(ledger, idsOf(heads), LIMITS.STATUS_LISTED_UPDATES))
  },

  /** With all of its updates. */
  one: async (organizationId: number, id: number): Promise<KeptIncident | null> => {
    const row = await selectWithLastSaid(ledger)
      .where('organization_id', '=', organizationId)
      .where('id', '=', id)
      .executeTakeFirst()
    if (row === undefined) return null
    return withUpdates([headOf(row)], await readUpdates(ledger, [id], LIMITS.STATUS_UPDATES))[0] ?? null
  },

  /** Of incidents that `heads` gave. */
  withUpdates: async (heads: readonly Head[], each: number): Promise<Incident[]> =>
    withUpdates(heads, await readUpdates(ledger, idsOf(heads), each)),

  /** How the newest update of each published incident begins, by the incident's id. */
  lastWords: async (organizationId: number): Promise<ReadonlyMap<number, string>> => {
    const rows = await ledger.db
      .selectFrom((from) =>
        from
          .selectFrom('status_updates')
          .innerJoin('status_incidents', 'status_incidents.id', 'status_updates.incident_id')
          .where('status_incidents.organization_id', '=', organizationId)
          .where('status_incidents.is_published', '=', 1)
          .select(['status_updates.id as update_id', NEWEST_RANK])
          .as('ranked'),
      )
      .innerJoin('status_updates', 'status_updates.id', 'ranked.update_id')
      .where('rank', '=', 1)
      .select([
        'status_updates.incident_id',
        sql<string>`substr(status_updates.text, 1, ${sql.lit(LIMITS.STATUS_HISTORY_CHARACTERS + 1)})`.as('words'),
      ])
      .execute()
    return new Map(rows.map(({ incident_id, words }) => [incident_id, words]))
  },
})

const writesOf = (ledger: Ledger) => ({
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

const NEWEST_RANK =
  sql<number>`row_number() OVER (PARTITION BY status_updates.incident_id ORDER BY status_updates.at DESC, status_updates.id DESC)`.as(
    'rank',
  )

const idsOf = (heads: readonly Head[]): number[] => heads.map(({ id }) => id)

const selectWithLastSaid = ({ db }: Ledger) =>
  db
    .selectFrom('status_incidents')
    .selectAll()
    .select((from) =>
      from
        .selectFrom('status_updates')
        .whereRef('status_updates.incident_id', '=', 'status_incidents.id')
        .select(({ fn }) => fn.max('status_updates.at').as('at'))
        .as('last_said_at'),
    )

/** As `phaseOf` says it. */
const phaseRank = (now: number) =>
  sql<number>`CASE WHEN status IN ('resolved', 'completed') THEN 2 WHEN kind = 'incident' THEN 0
    WHEN starts_at > ${now} THEN 1 WHEN ends_at IS NOT NULL AND ends_at <= ${now} THEN 2 ELSE 0 END`

const readHeads = async (
  query: ReturnType<typeof selectWithLastSaid>,
  { limit, offset }: OffsetPage,
): Promise<KeptHead[]> => {
  const rows = await query.orderBy('starts_at', 'desc').orderBy('id', 'desc').limit(limit).offset(offset).execute()
  return rows.map(headOf)
}

const headOf = (row: Row & { readonly last_said_at: number | null }): KeptHead => ({
  id: row.id,
  kind: row.kind as Incident['kind'],
  title: row.title,
  impact: row.impact as Incident['impact'],
  status: row.status,
  components: JSON.parse(row.components) as string[],
  startsAt: row.starts_at,
  endsAt: row.ends_at,
  lastSaidAt: row.last_said_at ?? row.starts_at,
  isPublished: row.is_published === 1,
})

/** The newest updates of each incident, and how many it has. They are numbered by the index, so that no text is read that is not given. */
const readUpdates = async (ledger: Ledger, ids: readonly number[], each: number) => {
  if (ids.length === 0) return []
  return ledger.db
    .selectFrom((from) =>
      from
        .selectFrom('status_updates')
        .where('incident_id', 'in', ids)
        .select([
          'id as update_id',
          NEWEST_RANK,
          sql<number>`count(*) OVER (PARTITION BY status_updates.incident_id)`.as('of'),
        ])
        .as('ranked'),
    )
    .innerJoin('status_updates', 'status_updates.id', 'ranked.update_id')
    .where('rank', '<=', each)
    .select(['incident_id', 'status', 'text', 'at', 'of'])
    .orderBy('incident_id')
    .orderBy('rank')
    .execute()
}

const withUpdates = <One extends Head>(
  heads: readonly One[],
  rows: Awaited<ReturnType<typeof readUpdates>>,
): (One & Pick<Incident, 'updates' | 'updateCount'>)[] => {
  const byIncident = Map.groupBy(rows, (row) => row.incident_id)
  return heads.map((head) => {
    const own = byIncident.get(head.id) ?? []
    return { ...head, updates: own.map(({ at, status, text }) => ({ at, status, text })), updateCount: own[0]?.of ?? 0 }
  })
}
