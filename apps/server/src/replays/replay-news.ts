import { LIMITS } from './limits.ts'
import type { Segment } from './segment.ts'

/** What a batch of the digest tells of one project, for pages that show its replays. */
export interface ReplayNews {
  /** Of which something was stored; null when they are too many to be named. */
  readonly replayIds: readonly string[] | null
}

/** @param segments null for an event whose recording came beside it and is told itself */
export const newsOf = (segments: readonly (Pick<Segment, 'replayId'> | null)[]): ReplayNews => {
  const replayIds = new Set(segments.flatMap((segment) => segment?.replayId ?? []))
  return { replayIds: replayIds.size > LIMITS.REPLAYS_NAMED_LIVE ? null : [...replayIds] }
}
