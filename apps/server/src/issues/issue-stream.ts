import { DAY_MS } from '../lib/durations.ts'
import { SILENT_PER_WRITER } from '@firsthand/contract'
import type { Ask } from '../lib/questions.ts'
import { ok, type Result } from '../lib/result.ts'
import { LIMITS } from './limits.ts'
import { orderOf } from './issue-order.ts'
import type { EventScope, EventView, IssueCounts } from './events.view.ts'
import type { IssueRecord, IssueSelection } from './issues.view.ts'
import type { IssueView } from './ledger/issue-view.ts'
import { readIssueScope, type ScopeRequest } from './search-scope.ts'
import type { Glances } from './stats/glances.ts'
import { RANK_WRITERS } from './visitor-reports.ts'
import { chooseInterval, createBuckets, SEARCH_LIMITS, type Buckets, type Period } from '../search/index.ts'

/**
 * The issue stream. A page comes from the ledger by an index; then one query to telemetry counts events and users of its
 * issues and draws their sparklines. Conditions on events, and orders that only events know, ask telemetry first.
 */
export interface IssueStream {
  list(request: StreamRequest): Promise<Result<StreamPage, string>>
  /** How many match, all of them: as many as `matching` gives. */
  count(request: ScopeRequest): Promise<Result<number, string>>
  /** How many match, counted up to `upTo`; worked out once for all who ask. */
  glance(request: ScopeRequest & { readonly upTo: number }): Promise<Result<number, string>>
  /** Ids of everything that matches, in steps, for changes of many issues. */
  matching(request: ScopeRequest): Promise<Result<AsyncIterable<readonly number[]>, string>>
  /** Counts and sparklines of given issues. */
  counts(records: readonly IssueRecord[], request: CountRequest): Promise<ReadonlyMap<number, IssueCounts>>
}

export interface StreamRequest extends ScopeRequest {
  readonly sort: 'date' | 'new' | 'freq' | 'user' | 'harmed' | 'trends' | 'priority'
  readonly limit: number
  readonly cursor: string | undefined
  /** `24h`, `14d`, `auto` (the asked range); '' for no sparklines. */
  readonly groupStatsPeriod: string
  /** Whether counts over the whole life are wanted as well: where a range is asked for, they cost another query. */
  readonly lifetime: boolean
}

export interface CountRequest {
  readonly organizationId: number
  readonly environments: readonly string[]
  readonly period: Period | null
  readonly buckets: Buckets | null
}

export interface StreamPage {
  readonly records: readonly IssueRecord[]
  readonly counts: ReadonlyMap<number, IssueCounts>
  /** Over the whole life; null when they were not asked for. */
  readonly lifetime: ReadonlyMap<number, IssueCounts> | null
  readonly buckets: Buckets | null
  readonly period: Period | null
  /** Counted up to `ISSUE_HITS_MAXIMUM`. */
  readonly hits: number
  readonly previous: string | null
  readonly next: string | null
}

type Slice = Pick<StreamPage, 'records' | 'hits' | 'previous' | 'next'>

/** Whether the answer depends on who asks. */
const asksWho = ({ condition }: IssueSelection): boolean => /"kind":"(?:me|my_teams)"/.test(JSON.stringify(condition))

interface Views {
  readonly glances: Pick<Glances, 'count'>
  readonly issues: IssueView
  readonly events: EventView
  readonly ask: Ask
}

export const createIssueStream = (views: Views): IssueStream => {
  const { issues, events } = views
  const counts = countsOf(events)
  return {
    counts,

    list: async (request) => {
      const found = await readIssueScope(views, request)
      if (!found.ok) return found
      const { scope, selection, matching } = found.value
      const ranked = request.sort === 'freq' || request.sort === 'user' || request.sort === 'trends'
      const slice = ranked
        ? await listByRank(views, request, selection, matching ?? everyEvent(selection, scope.period))
        : request.sort === 'harmed'
          ? await listByHarm(views, request, await withMatching(views, selection, matching), scope)
          : await listByTime(issues, request, await withMatching(views, selection, matching))
      const buckets = readBuckets(request.groupStatsPeriod, scope.period, request.now)
      const { organizationId } = request
      const { period, environments } = scope
      const place = { organizationId, environments }
      const [own, life] = await Promise.all([
        counts(slice.records, { ...place, period, buckets }),
        period === null || !request.lifetime ? null : counts(slice.records, { ...place, period: null, buckets: null }),
      ])
      return ok({ ...slice, buckets, period, counts: own, lifetime: request.lifetime ? (life ?? own) : null })
    },

    count: async (request) => {
      const found = await readIssueScope(views, request)
      if (!found.ok) return found
      const selection = await withMatching(views, found.value.selection, found.value.matching)
      return ok(await issues.count(selection, null))
    },

    glance: async ({ now, upTo, userId, ...asked }) => {
      const found = await readIssueScope(views, { ...asked, now, userId })
      if (!found.ok) return found
      const { matching, selection } = found.value
      const count = async (): Promise<number> => issues.count(await withMatching(views, selection, matching), upTo)
      if (asksWho(selection)) return ok(await count())
      const question = JSON.stringify([asked, upTo, selection.projectIds])
      return ok(await views.glances.count(selection.organizationId, question, count))
    },

    matching: async (request) => {
      const found = await readIssueScope(views, request)
      if (!found.ok) return found
      const selection = await withMatching(views, found.value.selection, found.value.matching)
      return ok(
        (async function* () {
          let after = 0
          for (;;) {
            const ids = await issues.ids(selection, after, LIMITS.ISSUES_PER_CHANGE)
            const last = ids.at(-1)
            if (last === undefined) return
            yield ids
            after = last
          }
        })(),
      )
    },
  }
}

/** Issues as stored → the issues that stand for them. */
const standingFor = async (issues: IssueView, organizationId: number, stored: readonly number[]): Promise<number[]> => {
  if (stored.length === 0) return []
  const merges = await issues.merges(organizationId, stored)
  return merges.size === 0 ? [...stored] : [...new Set(stored.map((id) => merges.get(id) ?? id))]
}

/** The selection, limited to issues that have such events. */
const withMatching = async (
  { issues, events }: Views,
  selection: IssueSelection,
  matching: EventScope | null,
): Promise<IssueSelection> => {
  if (matching === null) return selection
  const stored = await events.matchingIssues(matching, LIMITS.ISSUE_MATCHES)
  return among(selection, await standingFor(issues, selection.organizationId, stored))
}

/** Of the selection, those with these ids. */
const among = (selection: IssueSelection, found: readonly number[]): IssueSelection => {
  const asked = selection.ids === null ? null : new Set(selection.ids)
  return { ...selection, ids: asked === null ? found : found.filter((id) => asked.has(id)) }
}

/** By sighting or priority: the ledger's own orders. */
const listByTime = async (issues: IssueView, request: StreamRequest, selection: IssueSelection): Promise<Slice> => {
  const sort = request.sort === 'new' || request.sort === 'priority' ? request.sort : 'date'
  const cursor = readCursor(request.cursor)
  const beyond = cursor === null ? null : { value: cursor.value, id: cursor.offset }
  const backwards = cursor?.backwards ?? false
  const [rows, hits] = await Promise.all([
    issues.page(selection, { sort, beyond, backwards, limit: request.limit }),
    issues.count(selection, LIMITS.ISSUE_HITS_MAXIMUM),
  ])
  const more = rows.length > request.limit
  const records = !more ? rows : backwards ? rows.slice(1) : rows.slice(0, -1)
  const keyOf = (record: IssueRecord, direction: 0 | 1): string => `${orderOf(sort, record)}:${record.id}:${direction}`
  const [first] = records
  const last = records.at(-1)
  const hasPrevious = backwards ? more : cursor !== null
  const hasNext = backwards ? true : more
  return {
    records,
    hits,
    previous: hasPrevious && first !== undefined ? keyOf(first, 1) : null,
    next: hasNext && last !== undefined ? keyOf(last, 0) : null,
  }
}

/** By events or users in the range: telemetry ranks, the ledger says which of them qualify. */
const listByRank = async (
  { issues, events }: Views,
  request: StreamRequest,
  selection: IssueSelection,
  matching: EventScope,
): Promise<Slice> => {
  const by = request.sort === 'user' ? 'users' : 'events'
  const ranks = await events.rankIssues(matching, by, LIMITS.ISSUE_MATCHES)
  const ranked = ranks.map(({ issueId }) => issueId)
  const merges = await issues.merges(selection.organizationId, ranked)
  const totals = new Map<number, number>()
  for (const { issueId, value } of ranks) {
    const id = merges.get(issueId) ?? issueId
    totals.set(id, (totals.get(id) ?? 0) + value)
  }
  return pageOf(issues, request, selection, totals)
}

/**
 * Those first that harmed most people: the users of a row, and those who wrote, each of whom stands for `SILENT_PER_WRITER`
 * who did not. Counted as the rows are, whatever the search asks of events: what a row says is what it is sorted by.
 */
const listByHarm = async (
  { issues, events, ask }: Views,
  request: StreamRequest,
  selection: IssueSelection,
  { period, environments }: Pick<CountRequest, 'period' | 'environments'>,
): Promise<Slice> => {
  const { organizationId, projectIds } = selection
  const [ranks, writers] = await Promise.all([
    events.rankIssues({ ...everyEvent(selection, period), environments }, 'users', LIMITS.ISSUE_MATCHES),
    ask(RANK_WRITERS, organizationId),
  ])
  const merges = await issues.merges(
    organizationId,
    ranks.map(({ issueId }) => issueId),
  )
  const harmed = new Map<number, number>()
  const joined = new Map<number, number[]>()
  for (const [id, own] of Map.groupBy(ranks, ({ issueId }) => merges.get(issueId) ?? issueId)) {
    harmed.set(id, own[0]?.value ?? 0)
    if (own.length > 1)
      joined.set(
        id,
        own.map(({ issueId }) => issueId),
      )
  }
  // Somebody who ran into two issues that are one now is one person.
  const counted =
    joined.size === 0
      ? null
      : await events.countIssues({ organizationId, projectIds, issues: joined, environments, period, buckets: null })
  for (const id of joined.keys()) harmed.set(id, counted?.get(id)?.users ?? 0)
  for (const [id, count] of writers) harmed.set(id, (harmed.get(id) ?? 0) + SILENT_PER_WRITER * count)
  return pageOf(issues, request, selection, harmed)
}

/**
 * The issues of a selection by a number, largest first. Which of the ranked ones belong to the selection is asked from the top,
 * in steps: most pages end in the first one.
 */
const pageOf = async (
  issues: IssueView,
  request: StreamRequest,
  selection: IssueSelection,
  totals: ReadonlyMap<number, number>,
): Promise<Slice> => {
  const ranked = [...totals].toSorted(([one, own], [other, others]) => others - own || other - one).map(([id]) => id)
  const offset = readCursor(request.cursor)?.offset ?? 0
  const end = offset + request.limit
  const found: number[] = []
  let step: number = LIMITS.RANKED_ISSUES_ASKED
  for (let from = 0; from < ranked.length && found.length <= Math.max(end, LIMITS.ISSUE_HITS_MAXIMUM);) {
    const part = ranked.slice(from, from + step)
    const own = new Set(await issues.ids(among(selection, part), 0, part.length))
    found.push(...part.filter((id) => own.has(id)))
    from += step
    step *= 2
  }
  return {
    records: await issues.records(selection.organizationId, found.slice(offset, end)),
    hits: Math.min(found.length, LIMITS.ISSUE_HITS_MAXIMUM),
    previous: offset > 0 ? `0:${Math.max(0, offset - request.limit)}:1` : null,
    next: end < found.length ? `0:${end}:0` : null,
  }
}

const countsOf =
  (events: EventView): IssueStream['counts'] =>
  (records, { organizationId, environments, period, buckets }) =>
    events.countIssues({
      organizationId,
      projectIds: [...new Set(records.map((record) => record.project.id))],
      issues: new Map(records.map((record) => [record.id, record.storedIds])),
      environments,
      period,
      buckets,
    })

const everyEvent = (selection: IssueSelection, period: Period | null): EventScope => ({
  organizationId: selection.organizationId,
  projectIds: selection.projectIds,
  issueIds: null,
  period,
  environments: [],
  filter: null,
})

interface Cursor {
  readonly value: number
  readonly offset: number
  readonly backwards: boolean
}

/** `<value>:<id or offset>:<is previous>`; what cannot be read is the first page. */
const readCursor = (text: string | undefined): Cursor | null => {
  const match = /^(\d{1,16}):(\d{1,16}):([01])$/.exec(text ?? '')
  return match === null ? null : { value: Number(match[1]), offset: Number(match[2]), backwards: match[3] === '1' }
}

/** The buckets of sparklines: 24 hours, 14 days, or the asked range in at most `SPARKLINE_BUCKETS` steps. */
export const readBuckets = (groupStatsPeriod: string, period: Period | null, now: number): Buckets | null => {
  switch (groupStatsPeriod) {
    case '':
      return null
    case '14d':
      return createBuckets({ from: now - 13 * DAY_MS, to: now + 1 }, 86_400)
    case '30d':
      return createBuckets({ from: now - 29 * DAY_MS, to: now + 1 }, 86_400)
    case 'auto': {
      const range = period ?? { from: now - 14 * DAY_MS, to: now }
      return createBuckets(range, chooseInterval(range, SEARCH_LIMITS.SPARKLINE_BUCKETS))
    }
    default:
      return createBuckets({ from: now - 23 * 3_600_000, to: now + 1 }, 3600)
  }
}
