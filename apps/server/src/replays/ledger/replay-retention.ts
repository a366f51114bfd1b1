import type { Expiring, RetentionPart } from '../../storage/index.ts'
import type { ReplayLinks } from './replay-links.ts'

interface Aging {
  /** What an organisation keeps no longer. */
  readonly expire: (due: Expiring) => Promise<void>
}

/** What names blobs, which are released with it. */
interface Holding extends Aging {
  readonly forgetProject: (projectId: number, signal: AbortSignal) => Promise<void>
}

/** What of replays goes by its age; their rows of telemetry do so by `agingTables`. */
export const createReplayRetention = (parts: {
  readonly aging: readonly Aging[]
  readonly links: Pick<ReplayLinks, 'sweep'>
  readonly holders: readonly Holding[]
}): RetentionPart => ({
  expire: async (due) => {
    if (due.projectIds.length === 0) return {}
    for (const part of [...parts.aging, ...parts.holders]) await part.expire(due)
    return {}
  },
  sweep: async (now) => {
    await parts.links.sweep(now)
    return {}
  },
  // What blobs are held by goes before the rows that say so, which go with the project.
  forgetProject: async (projectId, signal) => {
    for (const part of parts.holders) await part.forgetProject(projectId, signal)
  },
})
