import type { Clock } from '../../../lib/clock.ts'
import type { Ledger } from '../../../storage/index.ts'
import type { WaitingAsset } from '../../asset.ts'
import { LIMITS } from '../../limits.ts'
import '../schema.ts'

/** What is to be fetched, and when. */
export const createQueue = ({ clock, ledger }: { readonly clock: Clock; readonly ledger: Pick<Ledger, 'db'> }) => ({
  /** Some of each project for which something is to be fetched now. */
  due: async (): Promise<readonly WaitingAsset[]> => {
    const now = clock.now()
    const projects = await ledger.db
      .selectFrom('replay_assets')
      .innerJoin('projects', 'projects.id', 'replay_assets.project_id')
      .select(['project_id', 'projects.organization_id'])
      .distinct()
      .where('state', '=', 'waiting')
      .where('due_at', '<=', now)
      .where('projects.deleted_at', 'is', null)
      .execute()
    const due: WaitingAsset[] = []
    for (const project of projects) {
      const rows = await ledger.db
        .selectFrom('replay_assets')
        .select(['id', 'url', 'depth', 'attempts'])
        .where('project_id', '=', project.project_id)
        .where('state', '=', 'waiting')
        .where('due_at', '<=', now)
        .orderBy('due_at')
        .orderBy('id')
        .limit(LIMITS.REPLAY_ASSETS_PER_TURN)
        .execute()
      for (const row of rows) {
        due.push({ ...row, organizationId: project.organization_id, projectId: project.project_id })
      }
    }
    return due
  },

  /**
   * Counts an attempt before it is made, and when the next one would be: what ends the whole server while it is fetched or
   * read is not asked for without end.
   */
  attempt: async ({ attempts, id }: WaitingAsset): Promise<void> => {
    await ledger.db
      .updateTable('replay_assets')
      .set({ attempts: attempts + 1, due_at: clock.now() + LIMITS.REPLAY_ASSET_RETRY_MS * 4 ** attempts })
      .where('id', '=', id)
      .where('state', '=', 'waiting')
      .execute()
  },

  /** An attempt does not count that an orderly end of the server cut short. */
  takeBack: async ({ attempts, id }: WaitingAsset): Promise<void> => {
    await ledger.db
      .updateTable('replay_assets')
      .set({ attempts, due_at: clock.now() })
      .where('id', '=', id)
      .where('state', '=', 'waiting')
      .execute()
  },
})
