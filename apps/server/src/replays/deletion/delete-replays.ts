import type { ClickHouseClient } from '@clickhouse/client'
import { forgetKeptItems } from '../../kept-items/index.ts'
import type { Clock } from '../../lib/clock.ts'
import type { FreedBlobs, BlobFreeing } from '../../storage/blobs/freeing.ts'
import type { Ledger } from '../../storage/index.ts'
import { releaseBlobs } from '../../storage/ledger/release-blobs.ts'
import { freedForJob } from '../ledger/deletion-jobs.ts'
import type { CountingJob, Deletion, ReplayDeletions } from '../ledger/replay-deletions.ts'
import { LIMITS } from '../limits.ts'
import type { ReplaysOfProject } from '../replay.ts'
import { forgetRows, freeRows, keysOfReplays } from '../telemetry/replay-rows.ts'

/**
 * What else is kept of replays and goes with them: chunks, links, stars. A part of it is a word in `serve.ts`. It lets its
 * blobs go by itself, by `holdBlobs` or `releaseHolders`.
 */
export interface KeptOfReplays {
  /** Asked again and again until nothing of the replays can be on its way any more. */
  readonly forget: (replays: ReplaysOfProject) => Promise<void>
}

/** What deletes replays works with. */
export interface DeletingParts {
  readonly client: ClickHouseClient
  readonly ledger: Ledger
  readonly freeing: BlobFreeing
  readonly deletions: ReplayDeletions
  readonly kept: readonly KeptOfReplays[]
  readonly clock: Clock
}

export type ReplayDeleting = ReturnType<typeof createReplayDeleting>

const KEPT_TYPES = ['replay_event', 'replay_recording', 'replay_video']

/** Those of one project that one job deletes go together. */
const inOne = (deletions: readonly Deletion[]): readonly (ReplaysOfProject & Pick<Deletion, 'jobId'>)[] =>
  [...Map.groupBy(deletions, ({ jobId, projectId }) => `${projectId} ${jobId}`).values()].flatMap((own) => {
    const [first] = own
    return first === undefined ? [] : [{ ...first, replayIds: own.map(({ replayId }) => replayId) }]
  })

const freedFor = (jobId: number | null | undefined): string | undefined => (jobId ? freedForJob(jobId) : undefined)

/**
 * Deletes replays. First it is noted, so that nothing of them is stored any more and whoever dies meanwhile goes on with it
 * at the next start. Then their blobs are released, what else is kept of them goes, then their rows; at last those of their
 * blobs that nothing else has.
 */
export const createReplayDeleting = ({ client, clock, deletions, freeing, kept, ledger }: DeletingParts) => {
  const forget = async (replays: ReplaysOfProject): Promise<void> => {
    const { organizationId, projectId, replayIds } = replays
    await releaseBlobs(ledger.db, await keysOfReplays(client, replays))
    for (const part of kept) await part.forget(replays)
    await forgetRows(client, replays)
    await forgetKeptItems(client, { organizationId, projectId, eventIds: replayIds, itemTypes: KEPT_TYPES })
  }

  return {
    delete: async (replays: ReplaysOfProject, job?: CountingJob): Promise<FreedBlobs> => {
      await deletions.note(replays, job)
      return freeing.after(() => forget(replays), freedFor(job?.id))
    },

    /**
     * What was on its way to the tables when a replay was deleted may have come after it: it is looked for again until
     * nothing can be on its way any more. Also ends what a process before this one began.
     */
    finish: async (): Promise<void> => {
      const settled = clock.now() - LIMITS.REPLAY_DELETION_SETTLES_MS
      let after: Deletion | null = null
      let done = 0
      let waiting = 0
      for (;;) {
        const found: readonly Deletion[] = await deletions.toDo(after)
        const over = found.filter(({ deletedAt }) => deletedAt <= settled)
        for (const replays of inOne(found)) await freeing.after(() => forget(replays), freedFor(replays.jobId))
        for (const replays of inOne(over)) await deletions.done(replays)
        done += over.length
        waiting += found.length - over.length
        after = found.at(-1) ?? null
        if (after === null) break
      }
      // What others released, e.g. chunks in whose place others came.
      await freeing.after(async () => undefined)
      if (done > 0 && waiting === 0) await freeRows(client)
    },
  }
}
