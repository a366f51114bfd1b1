import type { Expiring, RetentionPart } from '../../storage/index.ts'
import type { ReplayLinks } from './replay-links.ts'
import type { ReplayPacks } from './replay-packs.ts'

interface Aging {
  /** What an organisation keeps no longer. */
  readonly expire: (due: Expiring) => Promise<void>
}

/** What of replays goes by its age; their rows of telemetry do so by `agingTables`. */
export const createReplayRetention = (parts: {
  readonly aging: readonly Aging[]
  readonly links: Pick<ReplayLinks, 'sweep'>
  readonly packs: Pick<ReplayPacks, 'expire' | 'forgetProject'>
}): RetentionPart => ({
  expire: async (due) => {
    if (due.projectIds.length === 0) return {}
    for (const part of [...parts.aging, parts.packs]) await part.expire(due)
    return {}
  },
  sweep: async (now) => {
    await parts.links.sweep(now)
    return {}
  },
  // What chunks are held by goes before the rows that say so, which go with the project.
  forgetProject: parts.packs.forgetProject,
})
