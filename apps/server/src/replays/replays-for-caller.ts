import type { Replay } from '@firsthand/contract'
import type { ReplayEventRecord } from '../issues/index.ts'
import { replayJson } from './replay-json.ts'
import type { ReplayRecord, ReplayReference, ReplayScope } from './replay.ts'
import type { Granted } from './services.ts'

/** A replay as its caller is answered, and what was reported of it. */
interface ReplayForCaller {
  readonly replay: Replay
  /** By time. */
  readonly reported: readonly ReplayEventRecord[]
}

interface AskedBy {
  readonly userId: number
  /** With what was clicked. */
  readonly wantsClicks?: boolean
}

/** What that takes. */
export type Answering = Granted<{ replays: 'clickedElements' | 'events'; stars: 'among'; viewers: 'seenBy' }>

/** Replays as their caller is answered: with what was reported of each, whether it has a star and whether the caller opened it. */
export const replaysForCaller = async (
  services: Answering,
  scope: ReplayScope,
  records: readonly ReplayRecord[],
  asked: AskedBy,
): Promise<Replay[]> => (await withReported(services, scope, records, asked)).map(({ replay }) => replay)

export const withReported = async (
  { replays, stars, viewers }: Answering,
  scope: ReplayScope,
  records: readonly ReplayRecord[],
  { userId, wantsClicks }: AskedBy,
): Promise<ReplayForCaller[]> => {
  const [all, seen, starred, clicks] = await Promise.all([
    replays.events(scope, records),
    viewers.seenBy(records, userId),
    stars.among(records),
    wantsClicks === true ? replays.clickedElements(scope, records) : null,
  ])
  return records.map((record) => {
    const isOf = ({ projectId, replayId }: ReplayReference): boolean =>
      projectId === record.projectId && replayId === record.replayId
    const reported = all.filter(isOf)
    const replay = replayJson(record, {
      reported,
      hasViewed: seen.some(isOf),
      isStarred: starred.some(isOf),
      clicks: clicks?.filter(isOf) ?? null,
    })
    return { replay, reported }
  })
}
