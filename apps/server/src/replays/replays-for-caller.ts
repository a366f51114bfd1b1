import type { Replay } from '@firsthand/contract'
import { replayJson } from './replay-json.ts'
import type { ReplayRecord, ReplayReference, ReplayScope } from './replays.view.ts'
import type { ReplayServices } from './services.ts'

/** Replays as their caller is answered: with what was reported of each, and whether the caller opened it. */
export const replaysForCaller = async (
  { replays, viewers }: Pick<ReplayServices, 'replays' | 'viewers'>,
  scope: ReplayScope,
  records: readonly ReplayRecord[],
  userId: number,
): Promise<Replay[]> => {
  const [reported, seen] = await Promise.all([replays.events(scope, records), viewers.seenBy(records, userId)])
  return records.map((record) => {
    const isOf = ({ projectId, replayId }: ReplayReference): boolean =>
      projectId === record.projectId && replayId === record.replayId
    return replayJson(record, { reported: reported.filter(isOf), hasViewed: seen.some(isOf) })
  })
}
