import type { ClickHouseClient } from '@clickhouse/client'
import { sql } from 'kysely'
import type { Clock } from '../../lib/clock.ts'
import { DAY_MS } from '../../lib/durations.ts'
import { noteFacts, type Fact } from '../../facts/index.ts'
import { ISSUE_FACT_COLUMNS, issueOfFact, type IssueOfFact } from '../issue-facts.ts'
import { LIMITS } from '../limits.ts'
import type { IssuesChanged } from '../services.ts'
import { chunks } from '../../storage/ledger/chunks.ts'
import type { Ledger } from '../../storage/ledger/ledger.ts'
import { readStatusDetails } from './status-details.ts'

/** Changes of an issue's status that no event and no user brings about. */
export interface IssueJobs {
  /** New issues become ongoing after `ISSUE_NEW_DAYS`. Answers how many did. Every hour is enough. */
  ageIssues(): Promise<number>
  /**
   * Archived issues whose condition is met (time, users, escalation) are unresolved again. Every minute is enough, when
   * something happened to issues or a time has come. An issue escalates when the last 24 hours brought more than twice the
   * events of the busiest day in the week before it was archived, and at least `ESCALATION_MINIMUM_EVENTS`.
   */
  reviewArchived(): Promise<ArchiveReview>
}

export interface ArchiveReview {
  /** How many issues are unresolved again. */
  readonly reopened: number
  /** When the time comes for which the next one is archived; `Infinity` when there is none. */
  readonly dueAt: number
}

const ISSUES_PER_STEP = 500

interface ArchivedIssue {
  readonly id: number
  readonly project_id: number
  readonly substatus: string | null
  readonly status_details: string
  readonly last_seen: number
}

interface Reason {
  readonly substatus: 'ongoing' | 'escalating'
  readonly data: Readonly<Record<string, string | number>>
  readonly fact: (
    issue: IssueOfFact,
  ) => Pick<Fact<'issue_escalating'>, 'kind' | 'data'> | Pick<Fact<'issue_unarchived'>, 'kind' | 'data'>
}

const unarchivedFor =
  (why: 'until_timestamp' | 'until_users'): Reason['fact'] =>
  (issue) => ({ kind: 'issue_unarchived', data: { issue, event: null, reason: why } })

interface Stores {
  readonly ledger: Ledger
  readonly client: ClickHouseClient
}

export const createIssueJobs = ({
  ledger,
  client,
  clock,
  changed,
}: Stores & { readonly clock: Clock; readonly changed?: (change: IssuesChanged) => void }): IssueJobs => {
  return {
    ageIssues: async () => {
      const now = clock.now()
      const result = await ledger.db
        .updateTable('issues')
        .set({ substatus: 'ongoing', changed_at: now })
        // Written out, so that the partial index is used.
        .where(sql<boolean>`substatus = 'new'`)
        .where('status', '=', 'unresolved')
        .where('first_seen', '<', now - LIMITS.ISSUE_NEW_DAYS * DAY_MS)
        .executeTakeFirst()
      return Number(result.numUpdatedRows)
    },

    reviewArchived: async () => {
      const now = clock.now()
      let after = 0
      let reopened = 0
      let dueAt = Infinity
      for (;;) {
        const issues: ArchivedIssue[] = await ledger.db
          .selectFrom('issues')
          .select(['id', 'project_id', 'substatus', 'status_details', 'last_seen'])
          .where(sql<boolean>`status = 'ignored'`)
          .where('substatus', 'in', ['archived_until_escalating', 'archived_until_condition_met'])
          .where('deleted_at', 'is', null)
          .where('merged_into_id', 'is', null)
          .where('id', '>', after)
          .orderBy('id')
          .limit(ISSUES_PER_STEP)
          .execute()
        const last = issues.at(-1)
        if (last === undefined) return { reopened, dueAt }
        after = last.id
        const reasons = await reasonsOf({ client, ledger }, issues, now)
        for (const issue of issues) {
          const reason = reasons.get(issue.id)
          if (reason === undefined) {
            dueAt = Math.min(dueAt, untilOf(issue) ?? Infinity)
            continue
          }
          const organizationId = await unarchive(ledger, issue, reason, now)
          if (organizationId === null) continue
          reopened += 1
          changed?.({ organizationId, projectId: issue.project_id, issueIds: [issue.id], opened: [], at: now })
        }
      }
    },
  }
}

/** Issues with those that were merged into them: events keep the id under which they were stored. */
const withMerged = async (ledger: Ledger, ids: readonly number[]): Promise<Map<number, number[]>> => {
  const family = new Map(ids.map((id) => [id, [id]]))
  for (const part of chunks(ids, ISSUES_PER_STEP)) {
    const rows = await ledger.db
      .selectFrom('issues')
      .select(['id', 'merged_into_id'])
      .where('merged_into_id', 'in', part)
      .execute()
    for (const row of rows) if (row.merged_into_id !== null) family.get(row.merged_into_id)?.push(row.id)
  }
  return family
}

const eventsOfLastDay = async (
  client: ClickHouseClient,
  projectIds: readonly number[],
  now: number,
): Promise<Map<number, number>> => {
  const result = await client.query({
    query: `SELECT events.issue_id AS id, count() AS events
        FROM events
        WHERE events.project_id IN {projectIds:Array(UInt64)}
          AND events.timestamp >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')
        GROUP BY events.issue_id`,
    query_params: { projectIds: [...new Set(projectIds)], from: now - DAY_MS },
    format: 'JSONEachRow',
  })
  const rows = await result.json<{ id: number; events: number }>()
  return new Map(rows.map((row) => [row.id, row.events]))
}

const usersSince = async (
  client: ClickHouseClient,
  projectId: number,
  ids: readonly number[],
  since: number,
): Promise<number> => {
  const result = await client.query({
    query: `SELECT uniq(events.user_key) AS users
        FROM events
        WHERE events.project_id = {projectId:UInt64}
          AND events.issue_id IN {ids:Array(UInt64)}
          AND events.received >= fromUnixTimestamp64Milli({since:Int64}, 'UTC')
          AND events.user_key != ''`,
    query_params: { projectId, ids, since },
    format: 'JSONEachRow',
  })
  const rows = await result.json<{ users: number }>()
  return rows[0]?.users ?? 0
}

const untilOf = ({ status_details: details }: ArchivedIssue): number | undefined =>
  readStatusDetails(details).untilTimestamp

/** Why issues of these are unresolved again; an issue whose condition is not met has none. */
const reasonsOf = async (
  { client, ledger }: Stores,
  issues: readonly ArchivedIssue[],
  now: number,
): Promise<Map<number, Reason>> => {
  const reasons = new Map<number, Reason>()
  const active = issues.filter((issue) => issue.last_seen >= (readStatusDetails(issue.status_details).since ?? 0))
  const family = await withMerged(
    ledger,
    active.map((issue) => issue.id),
  )
  const escalating = active.filter(
    (issue) => issue.substatus === 'archived_until_escalating' && issue.last_seen >= now - DAY_MS,
  )
  const events =
    escalating.length === 0
      ? new Map<number, number>()
      : await eventsOfLastDay(
          client,
          escalating.map((issue) => issue.project_id),
          now,
        )
  for (const issue of escalating) {
    const today = (family.get(issue.id) ?? []).reduce((sum, id) => sum + (events.get(id) ?? 0), 0)
    const peak = readStatusDetails(issue.status_details).dailyPeak ?? 0
    if (today >= LIMITS.ESCALATION_MINIMUM_EVENTS && today > 2 * peak) {
      reasons.set(issue.id, {
        substatus: 'escalating',
        data: { reason: 'escalating', events: today, dailyPeak: peak },
        fact: (seen) => ({ kind: 'issue_escalating', data: { issue: seen, events: today, dailyPeak: peak } }),
      })
    }
  }
  for (const issue of active) {
    const { untilUsers, since } = readStatusDetails(issue.status_details)
    if (untilUsers === undefined) continue
    const users = await usersSince(client, issue.project_id, family.get(issue.id) ?? [issue.id], since ?? 0)
    if (users < untilUsers) continue
    const data = { reason: 'until_users', untilUsers }
    reasons.set(issue.id, { substatus: 'ongoing', data, fact: unarchivedFor('until_users') })
  }
  for (const issue of issues) {
    const untilTimestamp = untilOf(issue)
    if (untilTimestamp === undefined || untilTimestamp > now) continue
    const data = { reason: 'until_timestamp', untilTimestamp }
    reasons.set(issue.id, { substatus: 'ongoing', data, fact: unarchivedFor('until_timestamp') })
  }
  return reasons
}

/** The organisation that it is of; null when somebody changed the issue meanwhile. */
const unarchive = (ledger: Ledger, issue: ArchivedIssue, reason: Reason, now: number): Promise<number | null> =>
  ledger.transaction(async (transaction) => {
    const row = await transaction
      .updateTable('issues')
      .set({ status: 'unresolved', substatus: reason.substatus, status_details: '{}', changed_at: now })
      .where('id', '=', issue.id)
      .where('status', '=', 'ignored')
      .where('status_details', '=', issue.status_details)
      .returning(['organization_id', ...ISSUE_FACT_COLUMNS])
      .executeTakeFirst()
    if (row === undefined) return null
    await transaction
      .insertInto('issue_activity')
      .values({
        issue_id: issue.id,
        project_id: issue.project_id,
        user_id: null,
        type: 'set_unresolved',
        data: JSON.stringify(reason.data),
        created_at: now,
      })
      .execute()
    const about = {
      organizationId: row.organization_id,
      projectId: issue.project_id,
      issueId: issue.id,
      reportId: null,
      actorId: null,
      receivedAt: now,
    }
    await noteFacts(transaction, [{ ...about, ...reason.fact(issueOfFact(row)) }], now)
    return row.organization_id
  })
