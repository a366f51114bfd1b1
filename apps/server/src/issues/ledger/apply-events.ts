import type { Insertable } from 'kysely'
import type { LedgerWork } from '../../ingest/index.ts'
import type { LedgerEvent, LedgerVerdict } from '../issues.store.ts'
import { chunks, ROWS_PER_STATEMENT } from '../../storage/ledger/chunks.ts'
import { eventKey, findEvents, indexEvents } from './event-index.ts'
import { assignToIssues, livingIssue, loadIssues } from './issue-assignment.ts'
import type { Arrival, Assignment, Group } from './issue-assignment.ts'
import { timestampOf } from './issue-values.ts'
import { attachHashes } from './issue-hashes.ts'
import { openIssues, updateIssues } from './issue-writes.ts'
import { bindNextRelease } from './next-release.ts'
import type { Activity } from './issue-writes.ts'
import { noteFacts } from '../../facts/index.ts'
import { factsOfBatch } from './facts-of-batch.ts'
import type { LedgerTransaction } from '../../storage/ledger/ledger.ts'
import { noteReleaseProjects, noteReleases, releaseKey } from './releases.ts'
import type { KnownRelease, ReleaseProject, SeenRelease } from './releases.ts'
import type { EnvironmentTable, IssueHashTable } from './schema.ts'
import { readStatusDetails } from './status-details.ts'

/** Instants that only say "lately" are kept this coarse. */
const LATELY_MS = 60_000

interface ProjectState {
  readonly organizationId: number
  readonly firstEventAt: number | null
  readonly lastNumber: number
}

/** Living projects of the batch. On PostgreSQL, digests of other nodes wait here for their turn with a project. */
const readProjects = async (
  { transaction, dialect }: LedgerWork,
  events: readonly LedgerEvent[],
): Promise<Map<number, ProjectState>> => {
  const ids = [...new Set(events.map((event) => event.projectId))]
  const projects = new Map<number, ProjectState>()
  for (const part of chunks(ids, ROWS_PER_STATEMENT)) {
    const rows = await transaction
      .selectFrom('projects')
      .select(['id', 'organization_id', 'first_event_at', 'last_issue_number'])
      .where('id', 'in', part)
      .where('deleted_at', 'is', null)
      .$if(dialect === 'postgres', (query) => query.orderBy('id').forUpdate())
      .execute()
    for (const row of rows) {
      projects.set(row.id, {
        organizationId: row.organization_id,
        firstEventAt: row.first_event_at,
        lastNumber: row.last_issue_number,
      })
    }
  }
  return projects
}

const toArrivals = (events: readonly LedgerEvent[], projects: ReadonlyMap<number, ProjectState>): Arrival[] =>
  events.flatMap((event, index): Arrival[] => {
    const project = projects.get(event.projectId)
    if (project === undefined) return []
    return [
      {
        index,
        event,
        organizationId: project.organizationId,
        projectId: event.projectId,
        eventId: event.grouped.event.event_id,
        timestamp: timestampOf(event),
        receivedAt: event.receivedAt,
        release: event.grouped.event.release ?? null,
      },
    ]
  })

/** The first arrival of each event id. */
const firstOnly = (arrivals: readonly Arrival[]): Map<string, Arrival> => {
  const first = new Map<string, Arrival>()
  for (const arrival of arrivals) {
    const key = eventKey(arrival.projectId, arrival.eventId)
    if (!first.has(key)) first.set(key, arrival)
  }
  return first
}

const seenReleases = (arrivals: readonly Arrival[]): SeenRelease[] => {
  const seen = new Map<string, SeenRelease>()
  for (const { organizationId, release, receivedAt } of arrivals) {
    if (release === null) continue
    const key = releaseKey(organizationId, release)
    const known = seen.get(key)
    seen.set(key, {
      organizationId,
      version: release,
      firstSeen: Math.min(known?.firstSeen ?? Infinity, receivedAt),
      lastSeen: Math.max(known?.lastSeen ?? -Infinity, receivedAt),
    })
  }
  return [...seen.values()]
}

/** Releases that the status of a resolved issue is compared with. */
const conditionReleases = (groups: readonly Group[]): { organizationId: number; version: string }[] =>
  groups.flatMap(({ organizationId, issue }) => {
    if (issue === null || issue.status !== 'resolved') return []
    const { inRelease, currentRelease } = readStatusDetails(issue.status_details)
    return [inRelease, currentRelease].flatMap((version) =>
      typeof version === 'string' ? [{ organizationId, version }] : [],
    )
  })

const hashRows = ({ groups, newTombstones }: Assignment, now: number): Insertable<IssueHashTable>[] => {
  const leading = groups.flatMap(({ projectId, id, newHashes }) =>
    [...newHashes].map(([hash, version]) => ({ projectId, hash, version, issueId: id })),
  )
  return [...leading, ...newTombstones.map((tombstone) => ({ ...tombstone, issueId: null }))].map(
    ({ projectId, hash, version, issueId }) => ({
      project_id: projectId,
      hash,
      issue_id: issueId,
      grouping_version: version,
      created_at: now,
    }),
  )
}

const attachReleases = async (
  transaction: LedgerTransaction,
  groups: readonly Group[],
  releases: ReadonlyMap<string, KnownRelease>,
): Promise<readonly ReleaseProject[]> => {
  const rows = new Map<string, ReleaseProject>()
  for (const group of groups) {
    let opening = group.issue === null
    for (const { release, receivedAt, event } of group.arrivals) {
      if (release === null) continue
      const known = releases.get(releaseKey(group.organizationId, release))
      if (known === undefined) continue
      const key = `${known.id}:${group.projectId}`
      const row = rows.get(key)
      rows.set(key, {
        releaseId: known.id,
        version: release,
        organizationId: group.organizationId,
        projectId: group.projectId,
        environment: row?.environment ?? event.grouped.event.environment ?? null,
        firstSeen: Math.min(row?.firstSeen ?? Infinity, receivedAt),
        newIssues: (row?.newIssues ?? 0) + (opening ? 1 : 0),
        isSeen: true,
      })
      opening = false
    }
  }
  return noteReleaseProjects(transaction, [...rows.values()])
}

/** Issues that waited for the next release of their project wait for none any more: their events are judged by the one that came. */
const settleNextRelease = async (
  transaction: LedgerTransaction,
  groups: readonly Group[],
  came: readonly ReleaseProject[],
  now: number,
): Promise<void> => {
  const bound = await bindNextRelease(transaction, came, now)
  if (bound.length === 0) return
  const details = new Map(bound.map(({ id, statusDetails }) => [id, statusDetails]))
  for (const group of groups) {
    const settled = details.get(group.id)
    if (group.issue !== null && settled !== undefined) group.issue = { ...group.issue, status_details: settled }
  }
}

const noteEnvironments = async (transaction: LedgerTransaction, arrivals: readonly Arrival[]): Promise<void> => {
  const rows = new Map<string, Insertable<EnvironmentTable>>()
  for (const { projectId, event, receivedAt } of arrivals) {
    const name = event.grouped.event.environment
    if (name === undefined || name === '') continue
    const key = `${projectId}:${name}`
    if (!rows.has(key)) rows.set(key, { project_id: projectId, name, first_seen: receivedAt })
  }
  for (const part of chunks([...rows.values()], ROWS_PER_STATEMENT)) {
    await transaction
      .insertInto('environments')
      .values(part)
      .onConflict((conflict) => conflict.columns(['project_id', 'name']).doNothing())
      .execute()
  }
}

const noteProjects = async (
  transaction: LedgerTransaction,
  arrivals: readonly Arrival[],
  projects: ReadonlyMap<number, ProjectState>,
  lastNumbers: ReadonlyMap<number, number>,
): Promise<void> => {
  for (const [projectId, own] of Map.groupBy(arrivals, (arrival) => arrival.projectId)) {
    const project = projects.get(projectId)
    const lastNumber = lastNumbers.get(projectId)
    if (project === undefined || lastNumber === undefined) continue
    if (project.firstEventAt !== null && lastNumber === project.lastNumber) continue
    await transaction
      .updateTable('projects')
      .set({
        first_event_at: project.firstEventAt ?? Math.min(...own.map((arrival) => arrival.receivedAt)),
        last_issue_number: lastNumber,
      })
      .where('id', '=', projectId)
      .execute()
  }
}

const noteKeys = async (transaction: LedgerTransaction, arrivals: readonly Arrival[]): Promise<void> => {
  const used = new Map<number, number>()
  for (const { event } of arrivals) {
    if (event.keyId !== undefined) used.set(event.keyId, Math.max(used.get(event.keyId) ?? 0, event.receivedAt))
  }
  for (const [keyId, usedAt] of used) {
    await transaction
      .updateTable('project_keys')
      .set({ last_used_at: usedAt })
      .where('id', '=', keyId)
      .where((expression) =>
        expression.or([expression('last_used_at', 'is', null), expression('last_used_at', '<', usedAt - LATELY_MS)]),
      )
      .execute()
  }
}

const writeActivity = async (transaction: LedgerTransaction, activity: Activity): Promise<void> => {
  for (const part of chunks(activity, ROWS_PER_STATEMENT)) {
    await transaction.insertInto('issue_activity').values(part).execute()
  }
}

/** The verdicts of a batch that was applied before, from the rows that it left. */
const repeatVerdicts = async (
  { transaction, dialect, batch }: LedgerWork,
  events: readonly LedgerEvent[],
  projects: ReadonlyMap<number, ProjectState>,
): Promise<readonly LedgerVerdict[]> => {
  const arrivals = toArrivals(events, projects)
  const known = await findEvents(transaction, arrivals)
  const first = firstOnly(arrivals)
  const issues = await loadIssues(
    transaction,
    dialect,
    [...known.values()].map((row) => row.issueId),
  )
  const verdicts: LedgerVerdict[] = events.map(() => ({ kind: 'discarded', reason: 'unknown_project' }))
  for (const arrival of arrivals) {
    const key = eventKey(arrival.projectId, arrival.eventId)
    const row = known.get(key)
    if (row === undefined) verdicts[arrival.index] = { kind: 'discarded', reason: 'discarded_hash' }
    else if (row.batch !== batch || first.get(key) !== arrival) verdicts[arrival.index] = { kind: 'duplicate' }
    else {
      const issueId = livingIssue(issues, row.issueId)?.id ?? row.issueId
      verdicts[arrival.index] = { kind: 'stored', issueId, opened: false, regressed: false }
    }
  }
  return verdicts
}

/** Applies the events of a batch that was never applied. */
const applyNext = async (
  { transaction, dialect, batch, now }: LedgerWork,
  events: readonly LedgerEvent[],
  projects: ReadonlyMap<number, ProjectState>,
): Promise<readonly LedgerVerdict[]> => {
  const verdicts: LedgerVerdict[] = events.map(() => ({ kind: 'discarded', reason: 'unknown_project' }))
  const all = toArrivals(events, projects)
  for (const { index } of all) verdicts[index] = { kind: 'duplicate' }
  const first = firstOnly(all)
  const known = await findEvents(transaction, [...first.values()])
  const fresh = [...first].filter(([key]) => !known.has(key)).map(([, arrival]) => arrival)

  const assignment = await assignToIssues(transaction, dialect, fresh)
  const { groups, discarded } = assignment
  for (const { index } of discarded) verdicts[index] = { kind: 'discarded', reason: 'discarded_hash' }
  const stored = groups.flatMap((group) => group.arrivals)

  const seen = await noteReleases(transaction, seenReleases(stored), [])
  const firstOfRelease = await attachReleases(transaction, groups, seen)
  await settleNextRelease(transaction, groups, firstOfRelease, now)
  const releases = new Map([...seen, ...(await noteReleases(transaction, [], conditionReleases(groups)))])
  const activity: Activity = []
  const lastNumbers = new Map([...projects].map(([id, project]) => [id, project.lastNumber]))
  await openIssues(
    transaction,
    groups.filter((group) => group.issue === null),
    lastNumbers,
    now,
    activity,
  )
  await updateIssues(
    transaction,
    groups.filter((group) => group.issue !== null),
    releases,
    now,
    activity,
  )
  await attachHashes(transaction, hashRows(assignment, now))
  await indexEvents(
    transaction,
    groups.flatMap((group) =>
      group.arrivals.map(({ projectId, eventId, timestamp }) => ({
        projectId,
        eventId,
        timestamp,
        issueId: group.id,
      })),
    ),
    batch,
  )
  await noteEnvironments(transaction, stored)
  await noteProjects(transaction, stored, projects, lastNumbers)
  await noteKeys(transaction, stored)
  await writeActivity(transaction, activity)
  await noteFacts(transaction, factsOfBatch(groups, firstOfRelease), now)

  for (const group of groups) {
    let opened = group.issue === null
    let regressed = group.reopening?.activity === 'set_regression'
    for (const { index } of group.arrivals) {
      verdicts[index] = { kind: 'stored', issueId: group.id, opened, regressed }
      opened = false
      regressed = false
    }
  }
  return verdicts
}

/**
 * What the events of a batch change: keeps duplicates out, finds or opens the issue of every event, raises counters, notes
 * releases and environments, regressions and unarchivings.
 *
 * @returns one verdict for each event, in order
 */
export const applyEvents = async (
  work: LedgerWork,
  events: readonly LedgerEvent[],
): Promise<readonly LedgerVerdict[]> => {
  const projects = await readProjects(work, events)
  return (work.isRepeated ? repeatVerdicts : applyNext)(work, events, projects)
}
