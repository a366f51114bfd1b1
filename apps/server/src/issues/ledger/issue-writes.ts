import type { Insertable } from 'kysely'
import { chunks } from '../../storage/ledger/chunks.ts'
import type { ChangedIssue, Group } from './issue-assignment.ts'
import { reopeningBy } from './issue-transitions.ts'
import type { Reopening } from './issue-transitions.ts'
import { ERROR_CATEGORY } from '../issue-json.ts'
import { faceOf, initialPriority } from './issue-values.ts'
import { spanOf, type Span } from './issue-span.ts'
import type { LedgerTransaction } from '../../storage/ledger/ledger.ts'
import { rankOf } from './releases.ts'
import type { KnownRelease } from './releases.ts'
import type { IssueActivityTable } from './schema.ts'

/** What happened to the issues of a batch: rows that are written together at its end. */
export type Activity = Insertable<IssueActivityTable>[]

/** Issue rows are wide; see `ROWS_PER_STATEMENT`. */
const ISSUES_PER_STATEMENT = 200

const newestOf = (group: Group): Group['arrivals'][number] | undefined =>
  group.arrivals.reduce<Group['arrivals'][number] | undefined>(
    (newest, arrival) => (newest === undefined || arrival.timestamp >= newest.timestamp ? arrival : newest),
    undefined,
  )

const timesOf = (group: Group): { first: number; last: number } => {
  let first = Infinity
  let last = -Infinity
  for (const { timestamp } of group.arrivals) {
    if (timestamp < first) first = timestamp
    if (timestamp > last) last = timestamp
  }
  return { first, last }
}

/** The first and the last event that name a release, by their own time: events may arrive newest first. */
const releasedOf = (group: Group): { first: Group['arrivals'][number]; last: Group['arrivals'][number] } | null => {
  let first: Group['arrivals'][number] | null = null
  let last: Group['arrivals'][number] | null = null
  for (const arrival of group.arrivals) {
    if (arrival.release === null) continue
    if (first === null || arrival.timestamp < first.timestamp) first = arrival
    if (last === null || arrival.timestamp >= last.timestamp) last = arrival
  }
  return first === null || last === null ? null : { first, last }
}

/** What the events of a batch leave as the first and the last release of an issue that is known. */
const releasesAfter = (
  issue: NonNullable<Group['issue']>,
  group: Group,
): Pick<Span, 'first_release' | 'first_release_at' | 'last_release' | 'last_release_at'> => {
  const released = releasedOf(group)
  const { first_release, first_release_at, last_release, last_release_at } = spanOf(issue)
  const known = { first_release, first_release_at, last_release, last_release_at }
  if (released === null) return known
  const { first, last } = released
  return {
    ...known,
    ...(first_release_at === null || first.timestamp < first_release_at
      ? { first_release: first.release, first_release_at: first.timestamp }
      : {}),
    ...(last_release_at === null || last.timestamp >= last_release_at
      ? { last_release: last.release, last_release_at: last.timestamp }
      : {}),
  }
}

/**
 * Writes the issues that the batch opens and gives them their ids.
 *
 * @param lastNumbers last short id number by project; raised here
 */
export const openIssues = async (
  transaction: LedgerTransaction,
  groups: readonly Group[],
  lastNumbers: Map<number, number>,
  now: number,
  activity: Activity,
): Promise<void> => {
  const byPlace = new Map<string, Group>()
  const rows = groups.flatMap((group): ChangedIssue[] => {
    const newest = newestOf(group)
    if (newest === undefined) return []
    const number = (lastNumbers.get(group.projectId) ?? 0) + 1
    lastNumbers.set(group.projectId, number)
    byPlace.set(`${group.projectId}:${number}`, group)
    const times = timesOf(group)
    const released = releasedOf(group)
    const row: ChangedIssue = {
      organization_id: group.organizationId,
      project_id: group.projectId,
      number,
      type: newest.event.grouped.issueKind?.type ?? newest.event.grouped.event.type,
      category: newest.event.grouped.issueKind?.category ?? ERROR_CATEGORY,
      ...faceOf(newest.event),
      status: 'unresolved',
      substatus: 'new',
      status_details: '{}',
      priority: initialPriority(newest.event.grouped.event.level),
      first_seen: times.first,
      last_seen: times.last,
      times_seen: group.arrivals.length,
      first_release: released?.first.release ?? null,
      last_release: released?.last.release ?? null,
      first_release_at: released?.first.timestamp ?? null,
      last_release_at: released?.last.timestamp ?? null,
      assigned_user_id: null,
      assigned_team_id: null,
      priority_reason: null,
      priority_locked_at: null,
      deleted_at: null,
      merged_into_id: null,
      created_at: now,
      changed_at: now,
    }
    group.changed = row
    return [row]
  })
  for (const part of chunks(rows, ISSUES_PER_STATEMENT)) {
    const ids = await transaction.insertInto('issues').values(part).returning(['id', 'project_id', 'number']).execute()
    for (const row of ids) {
      const group = byPlace.get(`${row.project_id}:${row.number}`)
      if (group !== undefined) group.id = row.id
    }
  }
  for (const group of groups) {
    const scope = { issue_id: group.id, project_id: group.projectId, created_at: now }
    activity.push({ ...scope, user_id: null, type: 'first_seen', data: '{}' })
  }
}

const noteReopening = (group: Group, reopening: Reopening, now: number, activity: Activity): void => {
  const scope = { issue_id: group.id, project_id: group.projectId, created_at: now }
  activity.push({ ...scope, user_id: null, type: reopening.activity, data: JSON.stringify(reopening.data) })
  group.reopening = reopening
}

/** Raises the counters of known issues and applies what the events do to their status. One row per issue and batch. */
export const updateIssues = async (
  transaction: LedgerTransaction,
  groups: readonly Group[],
  releases: ReadonlyMap<string, KnownRelease>,
  now: number,
  activity: Activity,
): Promise<void> => {
  const rows = groups.flatMap((group) => {
    const { issue } = group
    const newest = newestOf(group)
    if (issue === null || newest === undefined) return []
    const times = timesOf(group)
    const reopening = reopeningBy(
      {
        status: issue.status,
        substatus: issue.substatus,
        statusDetails: issue.status_details,
        timesSeen: issue.times_seen,
      },
      group.arrivals,
      rankOf(group.organizationId, releases),
    )
    if (reopening !== null) noteReopening(group, reopening, now, activity)
    const row = {
      ...issue,
      ...(times.last >= issue.last_seen ? faceOf(newest.event) : {}),
      ...(reopening === null
        ? {}
        : { status: 'unresolved' as const, substatus: reopening.substatus, status_details: '{}' }),
      first_seen: Math.min(issue.first_seen, times.first),
      last_seen: Math.max(issue.last_seen, times.last),
      times_seen: issue.times_seen + group.arrivals.length,
      ...releasesAfter(issue, group),
      changed_at: now,
    }
    if (reopening !== null) group.changed = row
    return [row]
  })
  for (const part of chunks(rows, ISSUES_PER_STATEMENT)) {
    // Every row exists and is locked: this is an update of many rows in one statement.
    await transaction
      .insertInto('issues')
      .values(part)
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet((expression) => ({
          title: expression.ref('excluded.title'),
          culprit: expression.ref('excluded.culprit'),
          metadata: expression.ref('excluded.metadata'),
          level: expression.ref('excluded.level'),
          level_rank: expression.ref('excluded.level_rank'),
          platform: expression.ref('excluded.platform'),
          logger: expression.ref('excluded.logger'),
          is_unhandled: expression.ref('excluded.is_unhandled'),
          status: expression.ref('excluded.status'),
          substatus: expression.ref('excluded.substatus'),
          status_details: expression.ref('excluded.status_details'),
          first_seen: expression.ref('excluded.first_seen'),
          last_seen: expression.ref('excluded.last_seen'),
          times_seen: expression.ref('excluded.times_seen'),
          first_release: expression.ref('excluded.first_release'),
          last_release: expression.ref('excluded.last_release'),
          first_release_at: expression.ref('excluded.first_release_at'),
          last_release_at: expression.ref('excluded.last_release_at'),
          changed_at: expression.ref('excluded.changed_at'),
        })),
      )
      .execute()
  }
}
