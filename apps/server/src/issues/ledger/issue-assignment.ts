import type { Selectable } from 'kysely'
import type { LedgerEvent } from '../issues.store.ts'
import { chunks, ROWS_PER_STATEMENT } from '../../storage/ledger/chunks.ts'
import type { LedgerDialect } from '../../storage/ledger/dialect.ts'
import type { LedgerTransaction } from '../../storage/ledger/ledger.ts'
import type { Reopening } from './issue-transitions.ts'
import type { IssueTable } from './schema.ts'

/**
 * Which issue does an event belong to? The first hash that the project knows decides (protocol.md section 5).
 *
 * While a new version of grouping takes over from the one before, an event has hashes of both. Its own are asked first. When
 * nobody knows them, those of the version before lead to the issue that was opened under it, which gets the new ones: it
 * stays the same issue. The old hashes of an event are never attached to anything, so that events which the new version
 * tells apart open issues of their own.
 */

export type IssueRow = Selectable<IssueTable>

/** A new event of a project that exists. */
export interface Arrival {
  /** Place in the batch. */
  readonly index: number
  readonly event: LedgerEvent
  readonly organizationId: number
  readonly projectId: number
  readonly eventId: string
  /** Of the event, and of its arrival; milliseconds since the epoch. */
  readonly timestamp: number
  readonly receivedAt: number
  readonly release: string | null
}

/** The events of a batch that belong to one issue. */
export interface Group {
  readonly organizationId: number
  readonly projectId: number
  /** The issue as it was; null when these events open one. A release that came with them may have settled what it waited for. */
  issue: IssueRow | null
  readonly arrivals: Arrival[]
  /** Hashes that are to point to this issue, with the grouping version that made them. */
  readonly newHashes: Map<string, string>
  /** Set from the start for known issues, and for new ones once they are written. */
  id: number
  /** The issue as it is now, where these events opened it or changed its status. */
  changed: ChangedIssue | null
  reopening: Reopening | null
}

/** A row that is not there yet has no id. */
export type ChangedIssue = Omit<IssueRow, 'id'>

export interface Assignment {
  readonly groups: readonly Group[]
  /** Events whose hash is a tombstone. */
  readonly discarded: ReadonlySet<Arrival>
  /** New hashes of events that a tombstone of the version before kept out: they are to be kept out by these too. */
  readonly newTombstones: readonly NewTombstone[]
}

export interface NewTombstone {
  readonly projectId: number
  readonly hash: string
  readonly version: string
}

const hashKey = (projectId: number, hash: string): string => `${projectId}:${hash}`

/** In the order in which they are asked. */
const hashesOf = ({ grouped: { grouping } }: LedgerEvent): readonly string[] =>
  grouping.previous === undefined ? grouping.hashes : [...grouping.hashes, ...grouping.previous.hashes]

/** Hash → issue id, or null for a tombstone. */
const findHashes = async (
  transaction: LedgerTransaction,
  arrivals: readonly Arrival[],
): Promise<Map<string, number | null>> => {
  const wanted = new Map<number, Set<string>>()
  for (const { projectId, event } of arrivals) {
    const hashes = wanted.get(projectId) ?? new Set<string>()
    wanted.set(projectId, hashes)
    for (const hash of hashesOf(event)) hashes.add(hash)
  }
  const found = new Map<string, number | null>()
  for (const [projectId, hashes] of wanted) {
    for (const part of chunks([...hashes], ROWS_PER_STATEMENT)) {
      const rows = await transaction
        .selectFrom('issue_hashes')
        .select(['hash', 'issue_id'])
        .where('project_id', '=', projectId)
        .where('hash', 'in', part)
        .execute()
      for (const row of rows) found.set(hashKey(projectId, row.hash), row.issue_id)
    }
  }
  return found
}

/** Rows by id, those that they were merged into among them. */
export const loadIssues = async (
  transaction: LedgerTransaction,
  dialect: LedgerDialect,
  ids: Iterable<number>,
): Promise<Map<number, IssueRow>> => {
  const loaded = new Map<number, IssueRow>()
  let missing = [...new Set(ids)]
  while (missing.length > 0) {
    const next = new Set<number>()
    for (const part of chunks(missing, ROWS_PER_STATEMENT)) {
      const rows = await transaction
        .selectFrom('issues')
        .selectAll()
        .where('id', 'in', part)
        // SQLite holds the write lock already.
        .$if(dialect === 'postgres', (query) => query.orderBy('id').forUpdate())
        .execute()
      for (const row of rows) {
        loaded.set(row.id, row)
        if (row.merged_into_id !== null) next.add(row.merged_into_id)
      }
    }
    missing = [...next].filter((id) => !loaded.has(id))
  }
  return loaded
}

/** The issue that stands for this one today; null when it is gone or going. */
export const livingIssue = (issues: ReadonlyMap<number, IssueRow>, id: number): IssueRow | null => {
  const seen = new Set<number>()
  let row = issues.get(id)
  while (row !== undefined && row.merged_into_id !== null && !seen.has(row.id)) {
    seen.add(row.id)
    row = issues.get(row.merged_into_id)
  }
  return row === undefined || row.deleted_at !== null || row.merged_into_id !== null ? null : row
}

type Target = Group | 'tombstone'

export const assignToIssues = async (
  transaction: LedgerTransaction,
  dialect: LedgerDialect,
  arrivals: readonly Arrival[],
): Promise<Assignment> => {
  const hashes = await findHashes(transaction, arrivals)
  const issueIds = [...hashes.values()].filter((id) => id !== null)
  const issues = await loadIssues(transaction, dialect, issueIds)

  const groups: Group[] = []
  const byIssue = new Map<number, Group>()
  const byHash = new Map<string, Target>()
  const discarded = new Set<Arrival>()
  const newTombstones: NewTombstone[] = []

  const groupOfIssue = (issue: IssueRow): Group => {
    const known = byIssue.get(issue.id)
    if (known !== undefined) return known
    const group: Group = {
      organizationId: issue.organization_id,
      projectId: issue.project_id,
      issue,
      arrivals: [],
      newHashes: new Map(),
      id: issue.id,
      changed: null,
      reopening: null,
    }
    byIssue.set(issue.id, group)
    groups.push(group)
    return group
  }

  /** What a hash stands for, or null when it is free. */
  const targetOf = (projectId: number, hash: string): Target | null => {
    const key = hashKey(projectId, hash)
    const known = byHash.get(key)
    if (known !== undefined) return known
    const issueId = hashes.get(key)
    if (issueId === undefined) return null
    const issue = issueId === null ? null : livingIssue(issues, issueId)
    if (issueId !== null && issue === null) return null
    const target = issue === null ? 'tombstone' : groupOfIssue(issue)
    byHash.set(key, target)
    return target
  }

  for (const arrival of arrivals) {
    const { hashes: own, version } = arrival.event.grouped.grouping
    let target: Target | null = null
    for (const hash of hashesOf(arrival.event)) {
      target = targetOf(arrival.projectId, hash)
      if (target !== null) break
    }
    if (target === 'tombstone') {
      discarded.add(arrival)
      if (own.some((hash) => targetOf(arrival.projectId, hash) === 'tombstone')) continue
      for (const hash of own) {
        byHash.set(hashKey(arrival.projectId, hash), 'tombstone')
        newTombstones.push({ projectId: arrival.projectId, hash, version })
      }
      continue
    }
    if (target === null) {
      target = {
        organizationId: arrival.organizationId,
        projectId: arrival.projectId,
        issue: null,
        arrivals: [],
        newHashes: new Map(),
        id: 0,
        changed: null,
        reopening: null,
      }
      groups.push(target)
    }
    target.arrivals.push(arrival)
    for (const hash of own) {
      if (targetOf(arrival.projectId, hash) !== null) continue
      byHash.set(hashKey(arrival.projectId, hash), target)
      target.newHashes.set(hash, version)
    }
  }
  return { groups: groups.filter((group) => group.arrivals.length > 0), discarded, newTombstones }
}
