import { messageOf } from '../../lib/error-text.ts'
import type { Logger } from '../../lib/logger.ts'
import { Unanswerable } from '../../lib/unanswerable.ts'
import type { DeletionJob, DeletionJobs, RunningDeletion } from '../ledger/deletion-jobs.ts'
import { LIMITS } from '../limits.ts'
import { askForReplays, type ReplaySearching } from '../list/asked-replays.ts'
import type { Granted, ReplayServices } from '../services.ts'
import type { VisitorReplays } from '../telemetry/visitor-replays.ts'
import type { ReplayDeleting } from './delete-replays.ts'
import { expectStillThere, type NamesChecking } from './still-there.ts'

export type JobParts = NamesChecking &
  Pick<ReplayServices, 'projects'> &
  ReplaySearching &
  Granted<{ replays: 'list' }> & {
    readonly jobs: Pick<DeletionJobs, 'count' | 'end' | 'find' | 'next'>
    readonly deleting: Pick<ReplayDeleting, 'delete'>
    readonly visitors: Pick<VisitorReplays, 'some'>
    readonly logger: Logger
    /** The server ends: no further part of a job is begun; the next process goes on. */
    readonly ending: AbortSignal
  }

/** Who asked is no user any more: they have seen nothing. */
const NOBODY = 0

/** Some replays that a job has still to delete. */
const someOf = async (parts: JobParts, organizationId: number, job: RunningDeletion): Promise<readonly string[]> => {
  const { projectId, visitor } = job
  if (visitor !== null) {
    return parts.visitors.some({ organizationId, projectId }, visitor, LIMITS.REPLAY_DELETIONS_AT_ONCE)
  }
  const project = (await parts.projects(organizationId)).find(({ id }) => id === projectId)
  if (project === undefined) return []
  const period = { from: job.from ?? 0, to: job.to ?? parts.clock.now() }
  const asked = { written: job.query, period, userId: job.userId ?? NOBODY, held: job.names }
  const filter = await askForReplays(parts, { organizationId, projects: [project] }, asked)
  if (!filter.ok) throw new Unanswerable(filter.error.message)
  const found = await parts.replays.list(
    { organizationId, projectIds: [projectId] },
    {
      filter: filter.value,
      environments: job.environments,
      period,
      sort: { field: 'started_at', descending: false },
    },
    { limit: LIMITS.REPLAY_DELETIONS_AT_ONCE, offset: 0 },
  )
  await expectStillThere(parts, organizationId, job)
  return found.slice(0, LIMITS.REPLAY_DELETIONS_AT_ONCE).map(({ replayId }) => replayId)
}

/**
 * Deletes what jobs name, a part at a time: whoever dies goes on with what is left. Organisations take turns, a part each, so
 * that nobody waits for all that somebody else deletes; within one it is one job after the other.
 */
export const createJobRunner = (parts: JobParts) => {
  const { deleting, ending, jobs, logger } = parts
  /** By job, since it last went well. */
  const failures = new Map<number, number>()
  let lastOrganization = 0

  /** @returns whether the job is over */
  const step = async (organizationId: number, job: RunningDeletion): Promise<boolean> => {
    const { id, projectId } = job
    const replayIds = await someOf(parts, organizationId, job)
    if (replayIds.length === 0) return true
    await deleting.delete(
      { organizationId, projectId, replayIds },
      { id, count: (transaction, added) => jobs.count(transaction, id, added) },
    )
    return false
  }

  const end = async ({ id, projectId, userId }: DeletionJob): Promise<void> => {
    await jobs.end(id, 'completed')
    const ended = await jobs.find(projectId, id)
    const { deleted: replays, freedBytes } = ended ?? {}
    logger.info('Replays were deleted', { job: id, projectId, userId, replays, freedBytes })
  }

  const runPart = async (organizationId: number, job: RunningDeletion): Promise<void> => {
    try {
      if (await step(organizationId, job)) await end(job)
      failures.delete(job.id)
    } catch (error) {
      const failed = (failures.get(job.id) ?? 0) + 1
      failures.set(job.id, failed)
      if (!(error instanceof Unanswerable) && failed < LIMITS.REPLAY_DELETION_ATTEMPTS) throw error
      failures.delete(job.id)
      await jobs.end(job.id, 'failed', messageOf(error))
      logger.warn('A deletion of replays failed', { job: job.id, error: messageOf(error) })
    }
  }

  const run = async (): Promise<void> => {
    /** Organisations whose job failed: it is tried again in the next run, and keeps nobody else waiting until then. */
    const failed = new Map<number, unknown>()
    let passedOver = 0
    // Passed over more often than there are of them: all the others are over.
    while (!ending.aborted && passedOver <= failed.size) {
      const next = await jobs.next(lastOrganization)
      if (next === null) break
      const { job, organizationId } = next
      lastOrganization = organizationId
      if (failed.has(organizationId)) {
        passedOver += 1
        continue
      }
      passedOver = 0
      try {
        await runPart(organizationId, job)
      } catch (error) {
        failed.set(organizationId, error)
      }
    }
    for (const error of failed.values()) throw error
  }

  let running: Promise<void> | null = null
  return {
    /** Calls that overlap share one run. */
    run: (): Promise<void> => {
      running ??= run().finally(() => {
        running = null
      })
      return running
    },
  }
}

export type JobRunner = ReturnType<typeof createJobRunner>
