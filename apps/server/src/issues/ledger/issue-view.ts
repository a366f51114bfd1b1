import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { isObject } from '@firsthand/protocol'
import { livingProjects } from '../../accounts/index.ts'
import type { OffsetPage } from '../../lib/offset-page.ts'
import type { JsonObject } from '../../event/event.ts'
import type {
  ActivityRecord,
  ActivityRequest,
  AssigneeRecord,
  EventLocation,
  HashRecord,
  IssuePageRequest,
  IssueRecord,
  IssueSelection,
  Person,
  ReleaseRecord,
} from '../issues.view.ts'
import { LIMITS } from '../limits.ts'
import { PRIORITY_STEP, type IssueOrder } from '../issue-order.ts'
import { formatShortId, parseShortId } from '../short-id.ts'
import { chunks, ROWS_PER_STATEMENT } from '../../storage/ledger/chunks.ts'
import { selectionConditions } from './issue-conditions.ts'
import type { Ledger } from '../../storage/ledger/ledger.ts'
import { pendingBatches } from '../../storage/ledger/pending-batches.ts'
import { readPriorityReasons } from '../workflow/priority-points.ts'
import { newestReleaseOf } from './newest-release-of.ts'
import { readStatusDetails } from './status-details.ts'

const HEX_ID = /^[0-9a-f]{32}$/

type Db = Ledger['db']

export type IssueView = ReturnType<typeof createLedgerIssueView>

/** What the ledger knows about issues, shaped for the screens. Every method is bound to one organisation. */
export const createLedgerIssueView = ({
  ledger,
  mergesFollowed = LIMITS.MERGES_FOLLOWED,
}: {
  readonly ledger: Ledger
  readonly mergesFollowed?: number
}) => {
  const { db } = ledger

  return {
    projects: livingProjects(ledger),
    page: page(ledger),
    count: count(ledger),
    ids: ids(ledger),
    /** In the order of `ids`; those that are deleted or merged are left out. */
    records: (organizationId: number, ids: readonly number[]): Promise<readonly IssueRecord[]> =>
      records(db, organizationId, ids),
    find: find(db),
    /** Ids by upper-case short id. */
    shortIds: (organizationId: number, wanted: readonly string[]): Promise<ReadonlyMap<string, number>> =>
      shortIds(db, organizationId, wanted),
    merges: merges(db, mergesFollowed),
    newestMerges: newestMerges(db, mergesFollowed),
    newestReleases: newestReleases(db, 'any'),
    newestSeenReleases: newestReleases(db, 'seen'),
    releases: releases(db),
    activity: activity(db),
    activityEntry: activityEntry(db),
    cameBack: cameBack(db),
    hashes: hashes(db),
    locateEvent: locateEvent(db),
    locateEvents: locateEvents(db),
    retentionDays: retentionDays(db),
    pendingBatches: namesOfPending(db),
    people: (userIds: readonly number[]): Promise<ReadonlyMap<number, Person>> => people(db, userIds),
  }
}

const selectRecords = (db: Db) =>
  db
    .selectFrom('issues')
    .innerJoin('projects', 'projects.id', 'issues.project_id')
    .leftJoin('users', 'users.id', 'issues.assigned_user_id')
    .leftJoin('teams', 'teams.id', 'issues.assigned_team_id')
    .selectAll('issues')
    .select((eb) => [
      'projects.slug as project_slug',
      'projects.name as project_name',
      'projects.platform as project_platform',
      'projects.settings as project_settings',
      'users.name as user_name',
      'users.email as user_email',
      'teams.name as team_name',
      'teams.slug as team_slug',
      eb
        .selectFrom('issue_activity')
        .select((activity) => activity.fn.countAll<number>().as('notes'))
        .whereRef('issue_activity.issue_id', '=', 'issues.id')
        .where('issue_activity.type', '=', 'note')
        .as('notes'),
    ])

type Row = Awaited<ReturnType<ReturnType<typeof selectRecords>['execute']>>[number]

const toRecord = (row: Row, merged: readonly number[]): IssueRecord => ({
  id: row.id,
  project: {
    id: row.project_id,
    slug: row.project_slug,
    name: row.project_name,
    platform: row.project_platform,
    settings: row.project_settings,
  },
  shortId: formatShortId(row.project_slug, row.number),
  type: row.type,
  category: row.category,
  title: row.title,
  culprit: row.culprit,
  metadata: readObject(row.metadata),
  level: row.level,
  platform: row.platform,
  logger: row.logger,
  status: row.status,
  substatus: row.substatus,
  statusDetails: readStatusDetails(row.status_details),
  priority: row.priority,
  priorityReasons: readPriorityReasons(row.priority_reason),
  priorityLockedAt: row.priority_locked_at,
  unhandled: row.is_unhandled === 1,
  firstSeen: row.first_seen,
  lastSeen: row.last_seen,
  timesSeen: row.times_seen,
  firstRelease: row.first_release,
  lastRelease: row.last_release,
  assignee: toAssignee(row),
  notes: row.notes ?? 0,
  storedIds: [row.id, ...merged],
})

const mergedInto = async (db: Db, ids: readonly number[]): Promise<Map<number, number[]>> => {
  const merged = new Map<number, number[]>()
  for (const part of chunks(ids, ROWS_PER_STATEMENT)) {
    const rows = await db
      .selectFrom('issues')
      .select(['id', 'merged_into_id'])
      .where('merged_into_id', 'in', part)
      .execute()
    for (const { id, merged_into_id: target } of rows) {
      if (target === null) continue
      const known = merged.get(target)
      if (known === undefined) merged.set(target, [id])
      else known.push(id)
    }
  }
  return merged
}

const withMerged = async (db: Db, rows: readonly Row[]): Promise<IssueRecord[]> => {
  const merged =
    rows.length === 0
      ? new Map<number, number[]>()
      : await mergedInto(
          db,
          rows.map((row) => row.id),
        )
  return rows.map((row) => toRecord(row, merged.get(row.id) ?? []))
}

const records = async (db: Db, organizationId: number, ids: readonly number[]): Promise<IssueRecord[]> => {
  const byId = new Map<number, IssueRecord>()
  for (const part of chunks(ids, ROWS_PER_STATEMENT)) {
    const rows = await selectRecords(db)
      .where('issues.id', 'in', part)
      // The sum keeps the planner on the ids.
      .where(sql<boolean>`issues.organization_id + 0 = ${organizationId}`)
      .where('projects.deleted_at', 'is', null)
      .where('issues.deleted_at', 'is', null)
      .where('issues.merged_into_id', 'is', null)
      .execute()
    for (const record of await withMerged(db, rows)) byId.set(record.id, record)
  }
  return ids.flatMap((id) => byId.get(id) ?? [])
}

const people = async (db: Db, userIds: readonly number[]): Promise<Map<number, Person>> => {
  const wanted = [...new Set(userIds)]
  const known = new Map<number, Person>()
  for (const part of chunks(wanted, ROWS_PER_STATEMENT)) {
    const rows = await db.selectFrom('users').select(['id', 'name', 'email']).where('id', 'in', part).execute()
    for (const row of rows) known.set(row.id, row)
  }
  return known
}

/** Follows merges, at most as far as there are issues in the chain. */
const living = async (db: Db, organizationId: number, start: number): Promise<number | null> => {
  const seen = new Set<number>()
  let id = start
  while (!seen.has(id)) {
    seen.add(id)
    const row = await db
      .selectFrom('issues')
      .innerJoin('projects', 'projects.id', 'issues.project_id')
      .select(['issues.merged_into_id', 'issues.deleted_at'])
      .where('issues.id', '=', id)
      .where('issues.organization_id', '=', organizationId)
      .where('projects.deleted_at', 'is', null)
      .executeTakeFirst()
    if (row === undefined || row.deleted_at !== null) return null
    if (row.merged_into_id === null) return id
    id = row.merged_into_id
  }
  return null
}

const shortIds = async (db: Db, organizationId: number, wanted: readonly string[]): Promise<Map<string, number>> => {
  const found = new Map<string, number>()
  for (const text of new Set(wanted.map((value) => value.toUpperCase()))) {
    const shortId = parseShortId(text)
    if (shortId === null) continue
    const row = await db
      .selectFrom('issues')
      .innerJoin('projects', 'projects.id', 'issues.project_id')
      .select('issues.id')
      .where('projects.organization_id', '=', organizationId)
      .where('projects.slug', '=', shortId.projectSlug)
      .where('issues.number', '=', shortId.number)
      .executeTakeFirst()
    const id = row === undefined ? null : await living(db, organizationId, row.id)
    if (id !== null) found.set(text, id)
  }
  return found
}

/** Issues in the order of the stream, newest first; one more than `limit` when there are more. */
const page =
  ({ db, dialect }: Ledger) =>
  async (
    selection: IssueSelection,
    { sort, beyond, backwards, limit }: IssuePageRequest,
  ): Promise<readonly IssueRecord[]> => {
    const column = ORDERS[sort]
    const direction = backwards ? 'asc' : 'desc'
    // Ids first: where no index has the order, whole rows would be sorted.
    const rows = await db
      .selectFrom('issues')
      .select('issues.id')
      .where((eb) => eb.and(selectionConditions(eb, selection, dialect)))
      .$if(beyond !== null, (query) =>
        query.where(
          sql<boolean>`(${column}, issues.id) ${backwards ? sql`>` : sql`<`} (${beyond?.value}, ${beyond?.id})`,
        ),
      )
      .orderBy(column, direction)
      .orderBy('issues.id', direction)
      .limit(limit + 1)
      .execute()
    const ids = rows.map((row) => row.id)
    return records(db, selection.organizationId, backwards ? ids.reverse() : ids)
  }

/** What `orderOf` says of an issue, in SQL. */
const ORDERS: Readonly<Record<IssueOrder, RawBuilder<number>>> = {
  date: sql<number>`issues.last_seen`,
  new: sql<number>`issues.first_seen`,
  priority: sql<number>`CASE issues.priority WHEN 'high' THEN 3 WHEN 'medium' THEN 2 ELSE 1 END * ${sql.lit(PRIORITY_STEP)} + issues.last_seen`,
}

/** How many there are, counted up to `maximum`; null counts all. */
const count =
  ({ db, dialect }: Ledger) =>
  async (selection: IssueSelection, maximum: number | null): Promise<number> => {
    const row = await db
      .selectFrom((eb) =>
        eb
          .selectFrom('issues')
          .select('issues.id')
          .where((inner) => inner.and(selectionConditions(inner, selection, dialect)))
          .$if(maximum !== null, (all) => all.limit(maximum ?? 0))
          .as('found'),
      )
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirst()
    return row?.count ?? 0
  }

/** When each was opened again, for the last time; those are left out that never were. */
const cameBack =
  (db: Db) =>
  async (issueIds: readonly number[]): Promise<ReadonlyMap<number, number>> => {
    const rows = await db
      .selectFrom('issue_activity')
      .select(['issue_id', (eb) => eb.fn.max('created_at').as('at')])
      .where('issue_id', 'in', [0, ...issueIds])
      .where('type', 'in', ['set_regression', 'set_unresolved'])
      .groupBy('issue_id')
      .execute()
    return new Map(rows.map((row) => [row.issue_id, row.at]))
  }

/** Ids above `after`, ascending: for changes of everything that matches. */
const ids =
  ({ db, dialect }: Ledger) =>
  async (selection: IssueSelection, after: number, limit: number): Promise<readonly number[]> => {
    const rows = await db
      .selectFrom('issues')
      .select('issues.id')
      .where((eb) => eb.and(selectionConditions(eb, selection, dialect)))
      .where('issues.id', '>', after)
      .orderBy('issues.id')
      .limit(limit)
      .execute()
    return rows.map((row) => row.id)
  }

/** An issue by its number or short id, also when it was merged into another since. Null when there is none. */
const find =
  (db: Db) =>
  async (organizationId: number, reference: string): Promise<number | null> => {
    if (/^\d{1,15}$/.test(reference)) return living(db, organizationId, Number(reference))
    return (await shortIds(db, organizationId, [reference])).get(reference.toUpperCase()) ?? null
  }

const selectMerges = (db: Db, organizationId: number) =>
  db
    .selectFrom('issues')
    .select(['id', 'merged_into_id'])
    .where('merged_into_id', 'is not', null)
    // The sum keeps the planner on the ids, or on the small index of merged issues.
    .where(sql<boolean>`organization_id + 0 = ${organizationId}`)

const toMerges = (rows: readonly { readonly id: number; readonly merged_into_id: number | null }[]) =>
  rows.flatMap((row) => (row.merged_into_id === null ? [] : [[row.id, row.merged_into_id] as const]))

/** Merged issue → the issue that stands for it: at most `limit`, the newest. Events keep the id under which they were stored. */
const newestMerges =
  (db: Db, limit: number) =>
  async (
    organizationId: number,
  ): Promise<{ readonly merges: ReadonlyMap<number, number>; readonly truncated: boolean }> => {
    const rows = await selectMerges(db, organizationId)
      // So does this sum: SQLite would read all issues in the order of their ids, to be spared the sorting.
      .orderBy(sql`id + 0`, 'desc')
      .limit(limit + 1)
      .execute()
    return { merges: new Map(toMerges(rows.slice(0, limit))), truncated: rows.length > limit }
  }

/** The same for these issues, of which none is left out. */
const merges =
  (db: Db, limit: number) =>
  async (organizationId: number, stored: readonly number[]): Promise<ReadonlyMap<number, number>> => {
    const newest = await newestMerges(db, limit)(organizationId)
    if (!newest.truncated) return newest.merges
    const found = new Map<number, number>()
    for (const part of chunks([...new Set(stored)], ROWS_PER_STATEMENT)) {
      const rows = await selectMerges(db, organizationId).where('id', 'in', part).execute()
      for (const [id, standing] of toMerges(rows)) found.set(id, standing)
    }
    return found
  }

/** The newest release of each project. Only those of which events came can be searched for. */
const newestReleases =
  (db: Db, which: 'any' | 'seen') =>
  async (organizationId: number, projectIds: readonly number[]): Promise<ReadonlyMap<number, string>> => {
    const newest = new Map<number, string>()
    for (const projectId of projectIds) {
      const release = await newestReleaseOf(db, organizationId, projectId, which)
      if (release !== null) newest.set(projectId, release)
    }
    return newest
  }

const releases =
  (db: Db) =>
  async (organizationId: number, versions: readonly string[]): Promise<ReadonlyMap<string, ReleaseRecord>> => {
    const found = new Map<string, ReleaseRecord>()
    for (const part of chunks([...new Set(versions)], ROWS_PER_STATEMENT)) {
      const rows = await db
        .selectFrom('releases')
        .select(['version', 'first_seen', 'date_released'])
        .where('organization_id', '=', organizationId)
        .where('version', 'in', part)
        .execute()
      for (const row of rows) {
        found.set(row.version, { version: row.version, firstSeen: row.first_seen, dateReleased: row.date_released })
      }
    }
    return found
  }

const selectActivity = (db: Db, issueId: number) =>
  db
    .selectFrom('issue_activity')
    .leftJoin('users', 'users.id', 'issue_activity.user_id')
    .select([
      'issue_activity.id',
      'issue_activity.type',
      'issue_activity.data',
      'issue_activity.created_at',
      'users.id as user_id',
      'users.name as user_name',
      'users.email as user_email',
    ])
    .where('issue_activity.issue_id', '=', issueId)

const toActivity = (
  row: Awaited<ReturnType<ReturnType<typeof selectActivity>['execute']>>[number],
): ActivityRecord => ({
  id: row.id,
  type: row.type,
  data: readObject(row.data),
  createdAt: row.created_at,
  user: row.user_id === null ? null : { id: row.user_id, name: row.user_name ?? '', email: row.user_email ?? '' },
})

/** Newest first. */
const activity =
  (db: Db) =>
  async (issueId: number, { types, limit, offset }: ActivityRequest): Promise<readonly ActivityRecord[]> => {
    const rows = await selectActivity(db, issueId)
      .$if(types !== undefined, (query) => query.where('issue_activity.type', 'in', [...(types ?? [])]))
      .orderBy('issue_activity.id', 'desc')
      .limit(limit)
      .offset(offset)
      .execute()
    return rows.map(toActivity)
  }

/** One entry; null when it is not the issue's. */
const activityEntry =
  (db: Db) =>
  async (issueId: number, id: number): Promise<ActivityRecord | null> => {
    const row = await selectActivity(db, issueId).where('issue_activity.id', '=', id).executeTakeFirst()
    return row === undefined ? null : toActivity(row)
  }

/** Those that were attached last first; one more than `limit` when there are more. */
const hashes =
  (db: Db) =>
  async (issueId: number, { limit, offset }: OffsetPage): Promise<readonly HashRecord[]> => {
    const rows = await db
      .selectFrom('issue_hashes')
      .select(['hash', 'grouping_version', 'created_at'])
      .where('issue_id', '=', issueId)
      .orderBy('created_at', 'desc')
      .orderBy('hash')
      .limit(limit + 1)
      .offset(offset)
      .execute()
    return rows.map((row) => ({ hash: row.hash, groupingVersion: row.grouping_version, createdAt: row.created_at }))
  }

/** Where an event of this id is stored; several when projects sent the same id. */
const locateEvent =
  (db: Db) =>
  async (organizationId: number, projectIds: readonly number[], eventId: string): Promise<readonly EventLocation[]> => {
    const hex = eventId.replaceAll('-', '').toLowerCase()
    if (!HEX_ID.test(hex) || projectIds.length === 0) return []
    const rows = await db
      .selectFrom('event_index')
      .innerJoin('projects', 'projects.id', 'event_index.project_id')
      .select(['event_index.project_id', 'event_index.issue_id', 'event_index.timestamp'])
      .where('projects.organization_id', '=', organizationId)
      .where('event_index.project_id', 'in', [...projectIds])
      .where('event_index.event_id', '=', Buffer.from(hex, 'hex'))
      .execute()
    return rows.map((row): EventLocation => ({
      projectId: row.project_id,
      storedIssueId: row.issue_id,
      timestamp: row.timestamp,
    }))
  }

/** Events of a project, by their ids as they were asked for. */
const locateEvents =
  (db: Db) =>
  async (
    organizationId: number,
    projectId: number,
    eventIds: readonly string[],
  ): Promise<ReadonlyMap<string, EventLocation>> => {
    const asked = new Map(eventIds.map((id) => [id.replaceAll('-', '').toLowerCase(), id]))
    const found = new Map<string, EventLocation>()
    for (const part of chunks(
      [...asked.keys()].filter((hex) => HEX_ID.test(hex)),
      ROWS_PER_STATEMENT,
    )) {
      const rows = await db
        .selectFrom('event_index')
        .innerJoin('projects', 'projects.id', 'event_index.project_id')
        .select(['event_index.event_id', 'event_index.issue_id', 'event_index.timestamp'])
        .where('projects.organization_id', '=', organizationId)
        .where('event_index.project_id', '=', projectId)
        .where(
          'event_index.event_id',
          'in',
          part.map((hex) => Buffer.from(hex, 'hex')),
        )
        .execute()
      for (const { event_id: bytes, issue_id: storedIssueId, timestamp } of rows) {
        const id = asked.get(Buffer.from(bytes).toString('hex'))
        if (id !== undefined) found.set(id, { projectId, storedIssueId, timestamp })
      }
    }
    return found
  }

/** How many days the organisation keeps events; 0 when it does not exist. */
const retentionDays =
  (db: Db) =>
  async (organizationId: number): Promise<number> => {
    const row = await db
      .selectFrom('organizations')
      .select('retention_days')
      .where('id', '=', organizationId)
      .executeTakeFirst()
    return row?.retention_days ?? 0
  }

/** Each by a name of its own. */
const namesOfPending = (db: Db) => async (): Promise<readonly string[]> => {
  const rows = await pendingBatches(db).execute()
  return rows.map(({ spool, batch }) => `${spool}:${batch}`)
}

const readObject = (json: string): JsonObject => {
  const value: unknown = JSON.parse(json)
  return isObject(value) ? (value as JsonObject) : {}
}

const toAssignee = (row: {
  assigned_user_id: number | null
  assigned_team_id: number | null
  user_name: string | null
  user_email: string | null
  team_name: string | null
  team_slug: string | null
}): AssigneeRecord | null => {
  if (row.assigned_user_id !== null) {
    return { type: 'user', id: row.assigned_user_id, name: row.user_name ?? '', email: row.user_email ?? '' }
  }
  if (row.assigned_team_id !== null) {
    return { type: 'team', id: row.assigned_team_id, name: row.team_name ?? '', slug: row.team_slug ?? '' }
  }
  return null
}
