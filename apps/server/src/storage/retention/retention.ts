import type { ClickHouseClient } from '@clickhouse/client'
import type { Clock } from '../../lib/clock.ts'
import { DAY_MS } from '../../lib/durations.ts'
import type { Logger } from '../../lib/logger.ts'
import type { BlobStore } from '../blobs/blobs.store.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { findDeletedProjects, noteReach, takeBlobsOfNobody, takeOldBlobs } from './ledger-retention.ts'
import { deleteProjectRows, expireTelemetry } from './telemetry-retention.ts'
import type { AgingTable, Cutoff } from './telemetry-retention.ts'

/** What was removed, by what it is called in the log. */
export type Removed = Readonly<Record<string, number>>

/** What of one organisation is too old. */
export interface Expiring {
  readonly organizationId: number
  readonly projectIds: readonly number[]
  /** Milliseconds since the epoch. */
  readonly before: number
  readonly signal: AbortSignal
}

/** What a capability removes from the ledger. Each step is short; an interrupted one is found again. */
export interface RetentionPart {
  /** What an organisation keeps no longer. */
  expire?(due: Expiring): Promise<Removed>
  /** What goes by a time of its own. */
  sweep?(now: number, signal: AbortSignal): Promise<Removed>
  /** What users deleted long enough ago. */
  purge?(now: number, signal: AbortSignal): Promise<Removed>
  /** Its telemetry is gone already. The parts are asked from the last to the first. */
  forgetProject?(projectId: number, signal: AbortSignal): Promise<void>
}

/** What a run freed, and how long it took. */
export type RetentionReport = Removed & {
  /** Weeks of telemetry that were dropped whole, and such that were rewritten without the rows that were due. */
  readonly droppedPartitions: number
  readonly rewrittenPartitions: number
  readonly blobs: number
  readonly blobBytes: number
  readonly milliseconds: number
}

export type PurgeReport = Removed & { readonly projects: number }

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
  /** What was deleted longer than `DELETION_UNDO_MS` ago. Every few minutes is enough. */
  purge(): Promise<PurgeReport>
  /** Stops a running one after its step, and waits for that. */
  close(): Promise<void>
}

export interface RetentionParts {
  readonly ledger: Ledger
  readonly client: ClickHouseClient
  readonly blobs: BlobStore
  readonly tables: readonly AgingTable[]
  readonly parts: readonly RetentionPart[]
  readonly clock: Clock
  readonly logger: Logger
}

const sum = (removed: readonly Removed[]): Record<string, number> => {
  const total: Record<string, number> = {}
  for (const counts of removed) {
    for (const [name, count] of Object.entries(counts)) total[name] = (total[name] ?? 0) + count
  }
  return total
}

/** By the days that organisations keep their data now, whatever they were when a blob came. */
const expireBlobs = async (
  { blobs, ledger }: Pick<RetentionParts, 'blobs' | 'ledger'>,
  { cutoffs, now }: { readonly cutoffs: readonly Cutoff[]; readonly now: number },
  signal: AbortSignal,
): Promise<{ blobs: number; blobBytes: number }> => {
  let count = 0
  let bytes = 0
  const takes = [
    ...cutoffs.flatMap(({ before, organizationIds }) =>
      organizationIds.map((organizationId) => () => takeOldBlobs(ledger, { before, now, organizationId })),
    ),
    () => takeBlobsOfNobody(ledger, now),
  ]
  for (const take of takes) {
    signal.throwIfAborted()
    for (let expired = await take(); expired.length > 0; expired = await take()) {
      await blobs.remove(expired.map((blob) => blob.key))
      count += expired.length
      bytes += expired.reduce((sum, blob) => sum + blob.bytes, 0)
      signal.throwIfAborted()
    }
  }
  return { blobs: count, blobBytes: bytes }
}

export const createRetention = ({ ledger, client, blobs, tables, parts, clock, logger }: RetentionParts): Retention => {
  const stop = new AbortController()
  const { signal } = stop

  const purge = async (): Promise<PurgeReport> => {
    const now = clock.now()
    const removed: Removed[] = []
    for (const part of parts) removed.push((await part.purge?.(now, signal)) ?? {})
    const projects = await findDeletedProjects(ledger, now)
    for (const project of projects) {
      await deleteProjectRows(client, tables, project.id, signal)
      // What builds on others comes after them in the list: it goes first.
      for (const part of parts.toReversed()) await part.forgetProject?.(project.id, signal)
    }
    const report = { ...sum(removed), projects: projects.length }
    if (Object.values(report).some((count) => count > 0)) logger.info('Deleted data was removed', report)
    return report
  }

  const run = async (): Promise<RetentionReport> => {
    const startedAt = performance.now()
    const now = clock.now()
    const organizations = await ledger.db.selectFrom('organizations').select(['id', 'retention_days']).execute()
    const cutoffs: Cutoff[] = [...Map.groupBy(organizations, (organization) => organization.retention_days)].map(
      ([days, own]) => ({ organizationIds: own.map((organization) => organization.id), before: now - days * DAY_MS }),
    )
    for (const { organizationIds, before } of cutoffs) await noteReach(ledger, organizationIds, before)
    const telemetry =
      cutoffs.length === 0
        ? { droppedPartitions: 0, rewrittenPartitions: 0 }
        : await expireTelemetry(client, tables, cutoffs, signal)

    const removed: Removed[] = []
    for (const { organizationIds, before } of cutoffs) {
      for (const organizationId of organizationIds) {
        const projects = await ledger.db
          .selectFrom('projects')
          .select('id')
          .where('organization_id', '=', organizationId)
          .execute()
        const due = { organizationId, projectIds: projects.map(({ id }) => id), before, signal }
        for (const part of parts) removed.push((await part.expire?.(due)) ?? {})
      }
    }
    for (const part of parts) removed.push((await part.sweep?.(now, signal)) ?? {})
    const freed = await expireBlobs({ blobs, ledger }, { cutoffs, now }, signal)
    await purge()
    await ledger.compact()
    const report = {
      ...telemetry,
      ...sum(removed),
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
    // Whoever called gets the failure; the next in the row runs after it all the same.
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
