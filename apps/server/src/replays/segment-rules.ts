import { LIMITS } from './limits.ts'
import type { SegmentRecord } from './replay.ts'

/** What can be done with segments that came, and whether more of them are expected. Pure. */

/** Its recording is kept and can be read. */
export const isPlayable = ({ blobKey, broken }: Pick<SegmentRecord, 'blobKey' | 'broken'>): boolean =>
  blobKey !== '' && broken === ''

/** A phone's video came with it. */
export const isFilmed = ({ videoKey }: Pick<SegmentRecord, 'videoKey'>): boolean => videoKey !== ''

/** When the last of them came; 0 for none. */
export const lastReceived = (segments: readonly Pick<SegmentRecord, 'receivedAt'>[]): number =>
  segments.reduce((latest, { receivedAt }) => Math.max(latest, receivedAt), 0)

/** Replays of which nothing came since this moment are complete. */
export const quietSince = (now: number): number => now - LIMITS.REPLAY_QUIET_MS

/** @param lastAt when something of the replay came last */
export const isComplete = (lastAt: number, now: number): boolean => lastAt <= quietSince(now)
