import type { Clock } from '../../lib/clock.ts'
import { messageOf } from '../../lib/error-text.ts'
import type { Logger } from '../../lib/logger.ts'
import { ThreadEnded } from '../asked-thread.ts'
import { LIMITS } from '../limits.ts'
import { quietSince } from '../segment-rules.ts'
import type { ReplayView } from '../replays.view.ts'
import type { Packs } from './packs.ts'

/**
 * Cuts large replays when nothing of them has come for some time, before anybody asks. Small ones wait until somebody
 * does: most are never looked at, and it takes a moment.
 */
export const createQuietPacks = (parts: {
  readonly replays: Pick<ReplayView, 'quiet' | 'segments'>
  readonly packs: Pick<Packs, 'of'>
  readonly clock: Clock
  readonly logger: Logger
}): (() => Promise<void>) => {
  const { clock, logger, packs, replays } = parts
  let done = clock.now() - LIMITS.REPLAY_QUIET_LOOK_BACK_MS
  return async () => {
    const until = quietSince(clock.now())
    const found = await replays.quiet({ after: done, until })
    for (const { lastAt, organizationId, projectId, replayId } of found) {
      const replay = { organizationId, projectId, replayId }
      try {
        await packs.of(replay, await replays.segments({ organizationId, projectIds: [projectId] }, replay))
      } catch (error) {
        if (error instanceof ThreadEnded && error.why === 'stopped') return
        logger.warn('a replay was not cut into chunks', { projectId, replayId, error: messageOf(error) })
      }
      done = lastAt
    }
    if (found.length < LIMITS.REPLAY_QUIET_AT_ONCE) done = until
  }
}
