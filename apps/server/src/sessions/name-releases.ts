import type { Announcement } from '../ingest/index.ts'
import type { Clock } from '../lib/clock.ts'
import { stackOf } from '../lib/error-text.ts'
import type { Logger } from '../lib/logger.ts'
import { RecentMap } from '../lib/recent-map.ts'
import { nameReleases } from '../releases/index.ts'
import type { Ledger } from '../storage/index.ts'
import { LIMITS } from './limits.ts'
import type { SessionNews } from './session-news.ts'

interface Parts {
  readonly ledger: Pick<Ledger, 'transaction'>
  readonly clock: Clock
  readonly logger: Pick<Logger, 'warn'>
}

/**
 * Makes the releases that sessions name. News that is lost when the process ends is no loss: the next session says the
 * same. @returns for those who wait until it is done
 */
export const createReleaseNaming = ({ ledger, clock, logger }: Parts) => {
  /** Those that were made or found. */
  const known = new RecentMap<string, true>(LIMITS.SESSION_RELEASES_REMEMBERED)
  return async ({ organizationId, projectId, data }: Pick<Announcement, 'organizationId' | 'projectId' | 'data'>) => {
    const keyOf = (version: string): string => `${projectId}:${version}`
    const versions = (data as SessionNews).versions.filter((version) => known.get(keyOf(version)) === undefined)
    if (versions.length === 0) return
    try {
      await ledger.transaction((transaction) =>
        nameReleases(transaction, { organizationId, projectId, versions, now: clock.now() }),
      )
      for (const version of versions) known.set(keyOf(version), true)
    } catch (error) {
      logger.warn('sessions: releases could not be named; the next session names them', { error: stackOf(error) })
    }
  }
}
