import type { ClickHouseClient } from '@clickhouse/client'
import type { Fact } from '../../facts/index.ts'
import { DAY_MS, HOUR_MS } from '../../lib/durations.ts'
import type { IssueOfFact } from '../issue-facts.ts'
import { LIMITS } from '../limits.ts'
import { chunks, ROWS_PER_STATEMENT } from '../../storage/ledger/chunks.ts'
import type { Ledger } from '../../storage/ledger/ledger.ts'
import { countSince, escalationIn, hourlyCounts, usualSince } from '../telemetry/event-counts.ts'
import { readStatusDetails } from './status-details.ts'

/** Whether archived issues come back, and why. */

export interface ArchivedIssue {
  readonly id: number
  readonly project_id: number
  readonly substatus: string | null
  readonly status_details: string
  readonly first_seen: number
  readonly last_seen: number
}

type FactOf<Kind extends Fact['kind']> = Pick<Fact<Kind>, 'kind' | 'data'>

/** Why an issue comes back. */
export interface Reason {
  readonly substatus: 'ongoing' | 'escalating'
  /** Of the activity. */
  readonly data: Readonly<Record<string, string | number>>
  readonly fact: (issue: IssueOfFact) => FactOf<'issue_escalating'> | FactOf<'issue_unarchived'>
}

/** An issue that is archived for ever, and grows. */
export interface Growth {
  readonly events: number
  readonly dailyPeak: number
}

interface Stores {
  readonly ledger: Ledger
  readonly client: ClickHouseClient
}

type Family = ReadonlyMap<number, readonly number[]>

const unarchived = (reason: 'until_timestamp' | 'until_events' | 'until_users', data: Reason['data']): Reason => ({
  substatus: 'ongoing',
  data: { reason, ...data },
  fact: (issue) => ({ kind: 'issue_unarchived', data: { issue, event: null, reason } }),
})

/** Issues with those that were merged into them: events keep the id under which they were stored. */
export const withMerged = async ({ db }: Pick<Ledger, 'db'>, ids: readonly number[]): Promise<Family> => {
  const family = new Map(ids.map((id) => [id, [id]]))
  for (const part of chunks(ids, ROWS_PER_STATEMENT)) {
    const rows = await db
      .selectFrom('issues')
      .select(['id', 'merged_into_id'])
      .where('merged_into_id', 'in', part)
      .execute()
    for (const row of rows) if (row.merged_into_id !== null) family.get(row.merged_into_id)?.push(row.id)
  }
  return family
}

export const untilOf = ({ status_details: details }: Pick<ArchivedIssue, 'status_details'>): number | undefined =>
  readStatusDetails(details).untilTimestamp

/** Why issues of these are unresolved again; an issue whose condition is not met has none. */
export const reasonsToReturn = async (
  { client, ledger }: Stores,
  issues: readonly ArchivedIssue[],
  now: number,
): Promise<ReadonlyMap<number, Reason>> => {
  const reasons = new Map<number, Reason>()
  const active = issues.filter((issue) => issue.last_seen >= (readStatusDetails(issue.status_details).since ?? 0))
  const family = await withMerged(
    ledger,
    active.map((issue) => issue.id),
  )
  for (const [id, reason] of await escalations(client, active, family, now)) reasons.set(id, reason)
  for (const issue of active) {
    const reason = await countedReason(client, issue, family, now)
    if (reason !== null) reasons.set(issue.id, reason)
  }
  for (const issue of issues) {
    const untilTimestamp = untilOf(issue)
    if (untilTimestamp === undefined || untilTimestamp > now) continue
    reasons.set(issue.id, unarchived('until_timestamp', { untilTimestamp }))
  }
  return reasons
}

/** Of issues that are archived until they escalate: the hour that runs has more events than the limit of this hour. */
const escalations = async (
  client: ClickHouseClient,
  issues: readonly ArchivedIssue[],
  family: Family,
  now: number,
): Promise<ReadonlyMap<number, Reason>> => {
  const hour = Math.floor(now / HOUR_MS)
  const candidates = issues.filter(
    (issue) => issue.substatus === 'archived_until_escalating' && issue.last_seen >= now - DAY_MS,
  )
  if (candidates.length === 0) return new Map()
  const storedOf = (id: number): readonly number[] => family.get(id) ?? [id]
  const counts = await hourlyCounts(
    client,
    {
      projectIds: candidates.map((issue) => issue.project_id),
      issueIds: candidates.flatMap((issue) => storedOf(issue.id)),
    },
    usualSince(hour),
  )
  const reasons = new Map<number, Reason>()
  for (const { first_seen: firstSeen, id } of candidates) {
    const { events, limit } = escalationIn(counts, storedOf(id), firstSeen, hour)
    if (events <= limit) continue
    reasons.set(id, {
      substatus: 'escalating',
      data: { reason: 'escalating', events, limit },
      fact: (issue) => ({ kind: 'issue_escalating', data: { issue, events, limit } }),
    })
  }
  return reasons
}

/** Of an issue that is archived until so many users, or so many events within a time, came. */
const countedReason = async (
  client: ClickHouseClient,
  issue: ArchivedIssue,
  family: Family,
  now: number,
): Promise<Reason | null> => {
  const {
    since = 0,
    untilEvents,
    untilEventsWindow,
    untilUsers,
    untilUsersWindow,
  } = readStatusDetails(issue.status_details)
  const counted = { projectIds: [issue.project_id], issueIds: family.get(issue.id) ?? [issue.id] }
  const from = (minutes: number | undefined): number =>
    minutes === undefined ? since : Math.max(since, now - minutes * 60_000)
  // Without a window the digest counts the events.
  if (untilEvents !== undefined && untilEventsWindow !== undefined) {
    const { events } = await countSince(client, counted, from(untilEventsWindow))
    if (events >= untilEvents) return unarchived('until_events', { untilEvents, untilEventsWindow })
  }
  if (untilUsers === undefined) return null
  const { users } = await countSince(client, counted, from(untilUsersWindow))
  if (users < untilUsers) return null
  return unarchived('until_users', { untilUsers, ...(untilUsersWindow === undefined ? {} : { untilUsersWindow }) })
}

/** Of issues that are archived for ever, those of which nobody was told yet that they grow. */
export const growthOfArchived = async (
  { client, ledger }: Stores,
  issues: readonly ArchivedIssue[],
  now: number,
): Promise<ReadonlyMap<number, Growth>> => {
  const active = issues.filter(({ last_seen: lastSeen, status_details: details }) => {
    const { dailyPeak, growthToldAt, since = 0 } = readStatusDetails(details)
    return dailyPeak !== undefined && growthToldAt === undefined && lastSeen >= Math.max(since, now - DAY_MS)
  })
  const family = await withMerged(
    ledger,
    active.map((issue) => issue.id),
  )
  const grown = new Map<number, Growth>()
  for (const issue of active) {
    const { dailyPeak = 0 } = readStatusDetails(issue.status_details)
    const counted = { projectIds: [issue.project_id], issueIds: family.get(issue.id) ?? [issue.id] }
    const { events } = await countSince(client, counted, now - DAY_MS)
    if (events > LIMITS.ARCHIVED_GROWTH_TIMES * Math.max(1, dailyPeak)) grown.set(issue.id, { events, dailyPeak })
  }
  return grown
}
