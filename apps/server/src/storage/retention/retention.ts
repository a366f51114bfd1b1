import type { ClickHouseClient } from '@clickhouse/client'
import type { Clock } from '../../lib/clock.ts'
import type { Logger } from '../../lib/logger.ts'
import type { BlobStore } from '../blobs/blobs.store.ts'
import type { Ledger } from '../ledger/ledger.ts'
import {
  expireEventIndex,
  expireFacts,
  expireFeedback,
  expireInvitations,
  expireIssues,
  expireReleases,
  expireSessions,
  findDeletedIssues,
  findDeletedProjects,
  forgetIssues,
  forgetProject,
  takeExpiredBlobs,
} from './ledger-retention.ts'
import { deleteIssueEvents, deleteProjectRows, expireTelemetry } from './telemetry-retention.ts'
import type { Cutoff } from './telemetry-retention.ts'

/** What a run freed. */
export interface RetentionReport {
  /** Weeks of telemetry that were dropped whole, and such that were rewritten without the rows that were due. */
  readonly droppedPartitions: number
  readonly rewrittenPartitions: number
  readonly issues: number
  readonly eventIndexEntries: number
  readonly releases: number
  readonly feedback: number
  readonly facts: number
  readonly sessions: number
  readonly invitations: number
  readonly blobs: number
  readonly blobBytes: number
  readonly milliseconds: number
}

export interface PurgeReport {
  readonly issues: number
  readonly projects: number
}

/**
 * Frees what is older than its organisation keeps it (`retention_days`), and what users deleted. Works in small steps:
 * nothing else waits for it. The spool frees itself.
 *
 * Both functions may be called at any time; calls that overlap share one run. Steps that were done stay done when a run
 * is interrupted.
 */
export interface Retention {
  /** Expiry in all stores, then `purge`, then the ledger's free space goes back to the file system. Once a day is enough. */
  run(): Promise<RetentionReport>
  /** Issues and projects that were deleted longer than `DELETION_UNDO_MS` ago. Every few minutes is enough. */
  purge(): Promise<PurgeReport>
  /** Stops a running one after its step, and waits for that. */
  close(): Promise<void>
}

const DAY_MS = 24 * 60 * 60_000

export interface RetentionParts {
  readonly ledger: Ledger
  readonly client: ClickHouseClient
  readonly blobs: BlobStore
  readonly clock: Clock
  readonly logger: Logger
}

export const createRetention = ({ ledger, client, blobs, clock, logger }: RetentionParts): Retention => {
  const stop = new AbortController()
  const { signal } = stop

  const purge = async (): Promise<PurgeReport> => {
    const now = clock.now()
    let issues = 0
    for (;;) {
      signal.throwIfAborted()
      const deleted = await findDeletedIssues(ledger, now)
      if (deleted.length === 0) break
      for (const [projectId, own] of Map.groupBy(deleted, (issue) => issue.project_id)) {
        const ids = own.map((issue) => issue.id)
        // Telemetry first: as long as the issue is there, an interrupted deletion is found again.
        await deleteIssueEvents(client, projectId, ids, signal)
        await forgetIssues(ledger, ids)
        await expireEventIndex(ledger, projectId, -Infinity, signal)
      }
      issues += deleted.length
    }
    const projects = await findDeletedProjects(ledger, now)
    for (const project of projects) {
      await deleteProjectRows(client, project.id, signal)
      await forgetProject(ledger, project.id, signal)
    }
    if (issues + projects.length > 0) logger.info('Deleted data was removed', { issues, projects: projects.length })
    return { issues, projects: projects.length }
  }

  const expireBlobs = async (now: number): Promise<{ blobs: number; blobBytes: number }> => {
    let count = 0
    let bytes = 0
    for (;;) {
      signal.throwIfAborted()
      const expired = await takeExpiredBlobs(ledger, now)
      if (expired.length === 0) return { blobs: count, blobBytes: bytes }
      await blobs.remove(expired.map((blob) => blob.key))
      count += expired.length
      bytes += expired.reduce((sum, blob) => sum + blob.bytes, 0)
    }
  }

  const run = async (): Promise<RetentionReport> => {
    const startedAt = performance.now()
    const now = clock.now()
    const organizations = await ledger.db.selectFrom('organizations').select(['id', 'retention_days']).execute()
    const cutoffs: Cutoff[] = [...Map.groupBy(organizations, (organization) => organization.retention_days)].map(
      ([days, own]) => ({ organizationIds: own.map((organization) => organization.id), before: now - days * DAY_MS }),
    )
    const telemetry =
      cutoffs.length === 0
        ? { droppedPartitions: 0, rewrittenPartitions: 0 }
        : await expireTelemetry(client, cutoffs, signal)

    let issues = 0
    let eventIndexEntries = 0
    let releases = 0
    let feedback = 0
    for (const { organizationIds, before } of cutoffs) {
      for (const organizationId of organizationIds) {
        const projects = await ledger.db
          .selectFrom('projects')
          .select('id')
          .where('organization_id', '=', organizationId)
          .execute()
        for (const { id } of projects) {
          issues += await expireIssues(ledger, id, before, signal)
          eventIndexEntries += await expireEventIndex(ledger, id, before, signal)
        }
        releases += await expireReleases(ledger, organizationId, before)
        feedback += await expireFeedback(ledger, organizationId, before)
      }
    }
    const facts = await expireFacts(ledger, now, signal)
    const sessions = await expireSessions(ledger, now)
    const invitations = await expireInvitations(ledger, now)
    const freed = await expireBlobs(now)
    await purge()
    await ledger.compact()
    const report = {
      ...telemetry,
      issues,
      eventIndexEntries,
      releases,
      feedback,
      facts,
      sessions,
      invitations,
      ...freed,
      milliseconds: Math.round(performance.now() - startedAt),
    }
    logger.info('Housekeeping is done', report)
    return report
  }

  // A run and a purge would delete the same rows: one at a time, in the order of the calls.
  let tail: Promise<unknown> = Promise.resolve()
  let running: Promise<RetentionReport> | null = null
  let purging: Promise<PurgeReport> | null = null
  const inTurn = <Value>(work: () => Promise<Value>): Promise<Value> => {
    const result = tail.then(work)
    tail = result.catch(() => {})
    return result
  }
  return {
    run: () => {
      running ??= inTurn(run).finally(() => {
        running = null
      })
      return running
    },
    purge: () => {
      purging ??= inTurn(purge).finally(() => {
        purging = null
      })
      return purging
    },
    close: async () => {
      stop.abort()
      await tail
    },
  }
}
