import type { Clock } from '../../../lib/clock.ts'
import { DAY_MS } from '../../../lib/durations.ts'
import type { Ledger } from '../../../storage/index.ts'
import { LIMITS } from '../../limits.ts'
import type { OwnedProject } from '../../replay.ts'
import '../schema.ts'

/** What a project, and its organisation, may ask other servers for on one day. */
export const createDayBudget = ({ clock, ledger }: { readonly clock: Clock; readonly ledger: Ledger }) => ({
  /** Counts a request before it is made. @returns false where the project or its organisation has had its share of the day */
  spend: ({ organizationId, projectId }: OwnedProject): Promise<boolean> =>
    ledger.transaction(async (transaction) => {
      const day = Math.floor(clock.now() / DAY_MS)
      const days = await transaction
        .selectFrom('replay_asset_days')
        .select(['project_id', 'requests', 'bytes'])
        .where('project_id', 'in', (own) =>
          own.selectFrom('projects').select('id').where('organization_id', '=', organizationId),
        )
        .where('day', '=', day)
        .execute()
      const spent = days.find((row) => row.project_id === projectId)
      const sum = (what: 'requests' | 'bytes'): number => days.reduce((all, row) => all + row[what], 0)
      const isSpent =
        (spent?.requests ?? 0) >= LIMITS.REPLAY_ASSET_REQUESTS_PER_DAY ||
        (spent?.bytes ?? 0) >= LIMITS.REPLAY_ASSET_BYTES_PER_DAY ||
        sum('requests') >= LIMITS.REPLAY_ASSET_REQUESTS_PER_DAY_PER_ORGANIZATION ||
        sum('bytes') >= LIMITS.REPLAY_ASSET_BYTES_PER_DAY_PER_ORGANIZATION
      if (isSpent) return false
      await transaction
        .deleteFrom('replay_asset_days')
        .where('project_id', '=', projectId)
        .where('day', '<', day)
        .execute()
      await transaction
        .insertInto('replay_asset_days')
        .values({ project_id: projectId, day, requests: 1, bytes: 0 })
        .onConflict((conflict) =>
          conflict.columns(['project_id', 'day']).doUpdateSet(({ eb, ref }) => ({
            requests: eb(ref('replay_asset_days.requests'), '+', 1),
          })),
        )
        .execute()
      return true
    }),

  /** Bytes of an answer as they came, also of one that is not kept. */
  countBytes: async (projectId: number, bytes: number): Promise<void> => {
    await ledger.db
      .updateTable('replay_asset_days')
      .set(({ eb }) => ({ bytes: eb('bytes', '+', bytes) }))
      .where('project_id', '=', projectId)
      .where('day', '=', Math.floor(clock.now() / DAY_MS))
      .execute()
  },
})
