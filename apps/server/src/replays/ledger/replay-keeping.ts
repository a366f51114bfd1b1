import type { Clock } from '../../lib/clock.ts'
import type { Ledger } from '../../storage/index.ts'
import './schema.ts'

/** How a project keeps its replays. */
export interface Keeping {
  /** Null for as long as the organisation keeps its data. */
  readonly days: number | null
  readonly maxBytes: number | null
}

export interface KeepingOfProject extends Keeping {
  readonly organizationId: number
  readonly projectId: number
}

export interface FreedReplays {
  readonly replays: number
  readonly bytes: number
}

export const createReplayKeeping = ({ ledger, clock }: { readonly ledger: Ledger; readonly clock: Clock }) => ({
  of: async (
    projectId: number,
  ): Promise<Keeping & { readonly freed: (FreedReplays & { readonly at: number }) | null }> => {
    const row = await ledger.db
      .selectFrom('replay_keeping')
      .selectAll()
      .where('project_id', '=', projectId)
      .executeTakeFirst()
    if (row === undefined) return { days: null, maxBytes: null, freed: null }
    const freed =
      row.freed_at === null ? null : { at: row.freed_at, replays: row.freed_replays, bytes: row.freed_bytes }
    return { days: row.days, maxBytes: row.max_bytes, freed }
  },

  save: async (projectId: number, { days, maxBytes }: Keeping): Promise<void> => {
    const row = { days, max_bytes: maxBytes }
    await ledger.db
      .insertInto('replay_keeping')
      .values({ project_id: projectId, ...row, freed_at: null, freed_replays: 0, freed_bytes: 0 })
      .onConflict((conflict) => conflict.column('project_id').doUpdateSet(row))
      .execute()
  },

  /** Of all living projects that have limits of their own. */
  all: async (): Promise<readonly KeepingOfProject[]> => {
    const rows = await ledger.db
      .selectFrom('replay_keeping')
      .innerJoin('projects', 'projects.id', 'replay_keeping.project_id')
      .select(['project_id', 'days', 'max_bytes', 'projects.organization_id'])
      .where('projects.deleted_at', 'is', null)
      .where(({ eb, or }) => or([eb('days', 'is not', null), eb('max_bytes', 'is not', null)]))
      .orderBy('project_id')
      .execute()
    return rows.map((row) => ({
      organizationId: row.organization_id,
      projectId: row.project_id,
      days: row.days,
      maxBytes: row.max_bytes,
    }))
  },

  noteFreed: async (projectId: number, { bytes, replays }: FreedReplays): Promise<void> => {
    await ledger.db
      .updateTable('replay_keeping')
      .set({ freed_at: clock.now(), freed_replays: replays, freed_bytes: bytes })
      .where('project_id', '=', projectId)
      .execute()
  },

  /** How many days an organisation keeps its data. */
  organizationDays: async (organizationId: number): Promise<number> => {
    const row = await ledger.db
      .selectFrom('organizations')
      .select('retention_days')
      .where('id', '=', organizationId)
      .executeTakeFirst()
    return row?.retention_days ?? 0
  },
})

export type ReplayKeeping = ReturnType<typeof createReplayKeeping>
