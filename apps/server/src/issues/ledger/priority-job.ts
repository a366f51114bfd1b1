import type { ClickHouseClient } from '@clickhouse/client'
import { noteFacts } from '../../facts/index.ts'
import type { Clock } from '../../lib/clock.ts'
import { DAY_MS, HOUR_MS } from '../../lib/durations.ts'
import type { Ask } from '../../lib/questions.ts'
import { ISSUE_FACT_COLUMNS, issueOfFact } from '../issue-facts.ts'
import { LIMITS } from '../limits.ts'
import type { IssuesChanged } from '../services.ts'
import type { Ledger } from '../../storage/ledger/ledger.ts'
import { priorityCounts } from '../telemetry/priority-counts.ts'
import { COUNT_WRITERS } from '../visitor-reports.ts'
import {
  PRIORITY_RANKS,
  priorityOf,
  priorityReasons,
  prioritySentence,
  type Priority,
  type PriorityReason,
} from '../workflow/priority-points.ts'
import { withMerged } from './archive-reasons.ts'
import type { IssueView } from './issue-view.ts'

interface RankedIssue {
  readonly id: number
  readonly organization_id: number
  readonly project_id: number
  readonly level: string
  readonly is_unhandled: number
  readonly priority: Priority
  readonly priority_reason: string | null
  readonly first_release: string | null
  readonly first_seen: number
}

interface Parts {
  readonly ask: Ask
  readonly client: ClickHouseClient
  readonly clock: Clock
  readonly ledger: Ledger
  readonly issues: Pick<IssueView, 'newestSeenReleases'>
  readonly changed: (change: IssuesChanged) => void
}

/**
 * Counts the points of open issues that nobody ranked by hand, a bounded number at a time: those that are new, and the
 * others in turn. @returns what does one step
 */
export const createPriorityJob = (parts: Parts) => {
  const { changed, clock, ledger } = parts
  let after = 0
  return async (): Promise<void> => {
    const now = clock.now()
    const young = await openIssues(ledger, { since: now - HOUR_MS, young: true, after: 0 })
    const others = await openIssues(ledger, { since: now - LIMITS.PRIORITY_DAYS * DAY_MS, young: false, after })
    // After the last one the first is next.
    after = others.length < LIMITS.PRIORITY_STEP_ISSUES ? 0 : (others.at(-1)?.id ?? 0)
    const rows = [...new Map([...young, ...others].map((row) => [row.id, row])).values()]
    const reasons = await reasonsOf(parts, rows, now)
    for (const row of rows) {
      const own = reasons.get(row.id)
      if (own === undefined) continue
      // One that was given back has its points still, and the priority that somebody set.
      if (JSON.stringify(own) === row.priority_reason && priorityOf(own) === row.priority) continue
      if (await rank(ledger, row, own, now)) {
        const { id, organization_id: organizationId, project_id: projectId } = row
        changed({ organizationId, projectId, issueIds: [id], opened: [], at: now })
      }
    }
  }
}

const openIssues = (
  { db }: Ledger,
  { after, since, young }: { readonly after: number; readonly since: number; readonly young: boolean },
): Promise<readonly RankedIssue[]> =>
  db
    .selectFrom('issues')
    .select(['id', 'organization_id', 'project_id', 'level', 'is_unhandled', 'priority'])
    .select(['priority_reason', 'first_release', 'first_seen'])
    .where('status', '=', 'unresolved')
    .where('priority_locked_at', 'is', null)
    .where('deleted_at', 'is', null)
    .where('merged_into_id', 'is', null)
    .where(young ? 'first_seen' : 'last_seen', '>=', since)
    .where('id', '>', after)
    .orderBy('id', young ? 'desc' : 'asc')
    .limit(LIMITS.PRIORITY_STEP_ISSUES)
    .execute()

const reasonsOf = async (
  { ask, client, issues, ledger }: Parts,
  rows: readonly RankedIssue[],
  now: number,
): Promise<ReadonlyMap<number, readonly PriorityReason[]>> => {
  const family = await withMerged(
    ledger,
    rows.map((row) => row.id),
  )
  const standing = new Map([...family].flatMap(([id, stored]) => stored.map((one) => [one, id] as const)))
  const counts = await priorityCounts(
    client,
    rows.map((row) => row.project_id),
    standing,
    now,
  )
  const reasons = new Map<number, readonly PriorityReason[]>()
  for (const [organizationId, own] of Map.groupBy(rows, (row) => row.organization_id)) {
    const [writers, releases] = await Promise.all([
      ask(COUNT_WRITERS, {
        organizationId,
        issues: new Map(own.map((row) => [row.id, family.get(row.id) ?? [row.id]])),
      }),
      issues.newestSeenReleases(organizationId, [...new Set(own.map((row) => row.project_id))]),
    ])
    for (const row of own) {
      const { before = 0, today = 0, users = 0 } = counts.get(row.id) ?? {}
      reasons.set(
        row.id,
        priorityReasons({
          level: row.level,
          isUnhandled: row.is_unhandled === 1,
          users,
          writers: writers.get(row.id) ?? 0,
          isOfNewestRelease:
            row.first_release !== null &&
            row.first_release === releases.get(row.project_id) &&
            row.first_seen >= now - LIMITS.PRIORITY_DAYS * DAY_MS,
          events: today,
          usualEvents: row.first_seen > now - 2 * DAY_MS ? null : before / 7,
        }),
      )
    }
  }
  return reasons
}

/** Writes the points of an issue. @returns whether its priority is another one now */
const rank = (ledger: Ledger, row: RankedIssue, reasons: readonly PriorityReason[], now: number): Promise<boolean> =>
  ledger.transaction(async (transaction) => {
    const priority = priorityOf(reasons)
    const isOther = priority !== row.priority
    const issue = await transaction
      .updateTable('issues')
      .set({ priority_reason: JSON.stringify(reasons), ...(isOther ? { priority, changed_at: now } : {}) })
      .where('id', '=', row.id)
      // Somebody may have said it meanwhile.
      .where('priority_locked_at', 'is', null)
      .where('priority', '=', row.priority)
      .returning([...ISSUE_FACT_COLUMNS])
      .executeTakeFirst()
    if (issue === undefined || !isOther) return false
    await transaction
      .insertInto('issue_activity')
      .values({
        issue_id: row.id,
        project_id: row.project_id,
        user_id: null,
        type: 'set_priority',
        data: JSON.stringify({ priority, reason: prioritySentence(priority, reasons) }),
        created_at: now,
      })
      .execute()
    if (PRIORITY_RANKS[priority] > PRIORITY_RANKS[row.priority]) {
      const about = { organizationId: row.organization_id, projectId: row.project_id, issueId: row.id }
      const data = { issue: issueOfFact(issue), from: row.priority, to: priority }
      await noteFacts(
        transaction,
        [{ ...about, kind: 'issue_priority_raised', reportId: null, actorId: null, receivedAt: now, data }],
        now,
      )
    }
    return true
  })
