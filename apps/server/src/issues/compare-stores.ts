import { setTimeout as delay } from 'node:timers/promises'
import type { ClickHouseClient } from '@clickhouse/client'
import type { Clock } from '../lib/clock.ts'
import { DAY_MS } from '../lib/durations.ts'
import { finding } from '../lib/findings.ts'
import type { Findings } from '../lib/findings.ts'
import { LIMITS } from './limits.ts'
import { countRefused } from '../receipts/index.ts'
import type { Ledger } from '../storage/ledger/ledger.ts'
import { pendingBatches } from '../storage/ledger/pending-batches.ts'

/**
 * Whether ledger and telemetry belong together. They are written one after the other, so a folder that was copied while
 * its server ran, or a backup of which a part was restored, has them from different moments: events that were counted and
 * are not there, or the other way round. Nobody would notice but by chance.
 *
 * The ledger is asked before the digest starts. From then on telemetry only gains, so what it has less than was counted
 * is missing; what retention, deletions and merges changed is left out, and so is what telemetry refused.
 */

const POLL_MS = 100

/** An issue that telemetry should know as well as the ledger does. */
interface CountedIssue {
  readonly projectId: number
  readonly id: number
  readonly timesSeen: number
  readonly lastSeen: number
  /** All of its events are young enough to be kept. */
  readonly whole: boolean
}

export interface LedgerSample {
  readonly issues: readonly CountedIssue[]
  readonly projectIds: readonly number[]
  /** Highest id of an issue; 0 when there is none. */
  readonly newestIssue: number
  /** Batch that the ledger has and telemetry may not have yet, by its spool. */
  readonly pending: readonly { readonly spool: string; readonly batch: number }[]
}

/** The issues that were seen last, at most `COMPARED_ISSUES`. Call it before the digest starts. */
export const sampleLedger = async ({ db }: Ledger, clock: Clock): Promise<LedgerSample> => {
  const now = clock.now()
  const projects = await db
    .selectFrom('projects')
    .innerJoin('organizations', 'organizations.id', 'projects.organization_id')
    .select([
      'projects.id as id',
      'organizations.retention_days as days',
      'organizations.removed_before as removedBefore',
    ])
    .where('projects.deleted_at', 'is', null)
    .execute()
  // What was removed does not come back when more days are kept.
  const keptSince = new Map(
    projects.map(({ id, days, removedBefore }) => [id, Math.max(now - days * DAY_MS, removedBefore ?? -Infinity)]),
  )
  const rows = await db
    .selectFrom('issues')
    .select(['id', 'project_id', 'times_seen', 'first_seen', 'last_seen'])
    .where('deleted_at', 'is', null)
    .where('merged_into_id', 'is', null)
    .where('times_seen', '>', 0)
    // What was merged or taken apart has events under the ids of others.
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('issue_activity')
            .select('issue_activity.id')
            .whereRef('issue_activity.issue_id', '=', 'issues.id')
            .where('issue_activity.type', 'like', '%merge%'),
        ),
      ),
    )
    .orderBy('last_seen', 'desc')
    .limit(LIMITS.COMPARED_ISSUES)
    .execute()
  const newest = await db
    .selectFrom('issues')
    .select(({ fn }) => fn.max('id').as('id'))
    .executeTakeFirst()
  const pending = await pendingBatches(db).execute()
  return {
    issues: rows.flatMap((row) => {
      const since = keptSince.get(row.project_id)
      if (since === undefined || row.last_seen <= since + DAY_MS) return []
      return {
        projectId: row.project_id,
        id: row.id,
        timesSeen: row.times_seen,
        lastSeen: row.last_seen,
        whole: row.first_seen > since + DAY_MS,
      }
    }),
    projectIds: projects.map(({ id }) => id),
    newestIssue: newest?.id ?? 0,
    pending,
  }
}

/** Resolves when telemetry has what was on its way at the sample; false when that takes longer than `COMPARE_WAIT_MS`. */
const settled = async ({ db }: Ledger, { pending }: LedgerSample, signal: AbortSignal): Promise<boolean> => {
  const deadline = performance.now() + LIMITS.COMPARE_WAIT_MS
  for (const { spool, batch } of pending) {
    for (;;) {
      const row = await db
        .selectFrom('digest_progress')
        .select(['batch', 'pending_segment'])
        .where('spool', '=', spool)
        .executeTakeFirst()
      if (row === undefined || row.batch > batch || row.pending_segment === null) break
      if (performance.now() > deadline) return false
      await delay(POLL_MS, undefined, { signal })
    }
  }
  return true
}

interface Difference {
  /** Events that were counted, and how many of them are not there. */
  readonly counted: number
  readonly missing: number
}

/** What telemetry answers. A server that stops does not wait for it. */
const ask = async <Row>(
  client: ClickHouseClient,
  statement: { readonly query: string; readonly query_params: Record<string, unknown> },
  signal: AbortSignal,
): Promise<Row[]> => {
  signal.throwIfAborted()
  const answer = await client.query({ ...statement, format: 'JSONEachRow', abort_signal: signal })
  return answer.json<Row>()
}

const compare = async (client: ClickHouseClient, sample: LedgerSample, signal: AbortSignal): Promise<Difference> => {
  const found = new Map<string, { n: number; newest: number }>()
  if (sample.issues.length > 0) {
    const statement = {
      query: `SELECT project_id, issue_id, count() AS n, toUnixTimestamp64Milli(max(timestamp)) AS newest FROM events
        WHERE project_id IN {projects:Array(UInt64)} AND issue_id IN {issues:Array(UInt64)}
        GROUP BY project_id, issue_id`,
      query_params: {
        projects: [...new Set(sample.issues.map(({ projectId }) => projectId))],
        issues: sample.issues.map(({ id }) => id),
      },
    }
    type Row = { project_id: number; issue_id: number; n: number; newest: number }
    for (const row of await ask<Row>(client, statement, signal)) found.set(`${row.project_id}:${row.issue_id}`, row)
  }
  let counted = 0
  let missing = 0
  for (const issue of sample.issues) {
    const { n = 0, newest = -Infinity } = found.get(`${issue.projectId}:${issue.id}`) ?? {}
    // Of an issue that is older than what is kept, the newest event at least has to be there.
    counted += issue.whole ? issue.timesSeen : 1
    missing += issue.whole ? Math.max(0, issue.timesSeen - n) : newest < issue.lastSeen ? 1 : 0
  }
  const refused = await countRefused(client, sample.projectIds, signal)
  return { counted, missing: Math.max(0, missing - refused) }
}

/** Events of issues that the ledger does not know, among those with the highest ids. */
const countUnknown = async (
  client: ClickHouseClient,
  { db }: Ledger,
  sample: LedgerSample,
  signal: AbortSignal,
): Promise<number> => {
  const statement = {
    query: `SELECT issue_id AS id, count() AS n FROM events
      WHERE project_id IN {projects:Array(UInt64)} AND issue_id > {newest:UInt64}
      GROUP BY id ORDER BY id LIMIT {limit:UInt32}`,
    query_params: { projects: sample.projectIds, newest: sample.newestIssue, limit: LIMITS.COMPARED_ISSUES },
  }
  const stored = await ask<{ id: number; n: number }>(client, statement, signal)
  if (stored.length === 0) return 0
  // Asked second: the ledger knows of an issue before telemetry has its first event.
  const known = await db
    .selectFrom('issues')
    .select('id')
    .where(
      'id',
      'in',
      stored.map(({ id }) => id),
    )
    .execute()
  const ids = new Set(known.map(({ id }) => id))
  return stored.reduce((sum, { id, n }) => sum + (ids.has(id) ? 0 : n), 0)
}

const percent = (part: number, whole: number): string => `${Math.max(1, Math.round((part / whole) * 100))}%`

/**
 * Compares the sample with telemetry and tells what does not fit. Does not change anything.
 *
 * @throws what the stores throw; `AbortError` when the signal fires
 */
export const compareStores = async (parts: {
  readonly ledger: Ledger
  readonly client: ClickHouseClient
  readonly sample: LedgerSample
  readonly findings: Pick<Findings, 'tell' | 'current'>
  readonly signal: AbortSignal
}): Promise<void> => {
  const { ledger, client, sample, findings, signal } = parts
  if (sample.projectIds.length === 0) return
  // At once: a ledger that is older than the telemetry gives the same ids to new issues.
  const unknown = await countUnknown(client, ledger, sample, signal)
  if (unknown >= LIMITS.COMPARED_MISSING_EVENTS) {
    findings.tell(
      finding(
        'ledger_older',
        `The telemetry has ${unknown} events of issues that the ledger does not know, so no page shows them: the ledger is older than the telemetry. This looks like a copy of a running server’s data folder, or a backup of which only a part was restored. Restore all of one backup, and copy the data folder only while its server is stopped.`,
      ),
    )
  }
  if (!(await settled(ledger, sample, signal))) return
  // Rows of damaged parts are missing too, and that is told already.
  if (findings.current().some(({ id }) => id === 'telemetry_set_aside')) return
  const { counted, missing } = await compare(client, sample, signal)
  if (missing >= LIMITS.COMPARED_MISSING_EVENTS && missing * 100 >= counted) {
    findings.tell(
      finding(
        'stores_differ',
        `Of ${counted} events that were counted for the issues seen last, ${missing} (${percent(missing, counted)}) cannot be read: ledger and telemetry are from different moments. This looks like a copy of a running server’s data folder, or a backup of which only a part was restored. Restore all of one backup, and copy the data folder only while its server is stopped.`,
      ),
    )
  }
}
