import type { LedgerTransaction } from '../../../storage/index.ts'
import { LIMITS } from '../../limits.ts'
import type { OwnedProject } from '../../replay.ts'
import '../schema.ts'

/** How many more of a project may wait, by its own bound and by that of its organisation. */
export const roomToWait = async (
  transaction: LedgerTransaction,
  { organizationId, projectId }: OwnedProject,
): Promise<number> => {
  const rows = await transaction
    .selectFrom('replay_assets')
    .select(({ fn }) => ['project_id', fn.countAll<number | string>().as('waiting')])
    .where('project_id', 'in', (own) =>
      own.selectFrom('projects').select('id').where('organization_id', '=', organizationId),
    )
    .where('state', '=', 'waiting')
    .groupBy('project_id')
    .execute()
  const own = rows.find((row) => row.project_id === projectId)
  const all = rows.reduce((sum, { waiting }) => sum + Number(waiting), 0)
  return Math.min(
    LIMITS.REPLAY_ASSETS_WAITING - Number(own?.waiting ?? 0),
    LIMITS.REPLAY_ASSETS_WAITING_PER_ORGANIZATION - all,
  )
}
