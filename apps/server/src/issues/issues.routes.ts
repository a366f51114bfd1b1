import {
  countIssues,
  deleteIssue,
  deleteIssues,
  getIssue,
  getShortId,
  listIssues,
  listIssueStats,
  REPORT_ID_OFFSET,
  restoreIssues,
  updateIssue,
  updateIssues,
} from '@firsthand/contract'
import type { BodyOutput, IssueDetail, QueryOutput } from '@firsthand/contract'
import { DAY_MS } from '../lib/durations.ts'
import { badRequest, bind, forbidden, notFound, orBadRequest, type Route } from '../http/index.ts'
import type { IssueCounts } from './events.view.ts'
import {
  activityOf,
  assigneeJson,
  issueJson,
  lifetimeJson,
  personJson,
  releaseJson,
  statusDetailsJson,
} from './issue-json.ts'
import { readScope } from '../accounts/index.ts'
import { toDate } from '../lib/instant-text.ts'
import { LIMITS } from './limits.ts'
import { readBuckets, type StreamPage } from './issue-stream.ts'
import { readIssueScope } from './search-scope.ts'
import type { AssigneeRecord, IssueRecord } from './issues.view.ts'
import { findIssue, userIdOf, type OrganizationRequest as Request } from './organization-request.routes.ts'
import type { IssueServices } from './services.ts'
import { createBuckets, fillBuckets, readPeriod } from '../search/index.ts'
import { OWNERS_OF_ISSUES } from './owners-of-issues.ts'
import { TICKETS_OF_ISSUES } from './tickets-of-issues.ts'
import { COUNT_REPORTS, COUNT_WRITERS, PLAN_TELLING } from './visitor-reports.ts'
import { NO_MARKS, NOBODYS_MARKS, type Marks } from './workflow/marks.store.ts'
import { changeStatus, type StatusRequest } from './workflow/status.ts'
import { readStatusRequest } from './workflow/status-request.ts'
import type { AssigneeReference } from './workflow/workflow.store.ts'

type Change = BodyOutput<typeof updateIssue>

const DEFAULT_QUERY = 'is:unresolved'
const DEFAULT_LIMIT = 25
const EVENT_ID = /^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/i
const ONLY_ISSUES =
  'What visitors say is not changed with issues. Change each report at its own address, /organizations/{org}/issues/{id}/, or many at /organizations/{org}/feedback/.'

/** The issue stream, single issues and what people do with them. */
export const createIssueRoutes = (services: IssueServices): Route[] => [
  listIssuesRoute(services),
  countIssuesRoute(services),
  updateIssuesRoute(services),
  deleteIssuesRoute(services),
  restoreIssuesRoute(services),
  getIssueRoute(services),
  updateIssueRoute(services),
  deleteIssueRoute(services),
  getShortIdRoute(services),
  listIssueStatsRoute(services),
]

const marksOf = async (
  { marks }: IssueServices,
  request: Request,
  records: readonly IssueRecord[],
): Promise<(id: number) => Marks> => {
  if (!request.organization.scopes.has('event:write')) return () => NOBODYS_MARKS
  const own = await marks.of(
    userIdOf(request),
    records.map((record) => record.id),
  )
  return (id) => own.get(id) ?? NO_MARKS
}

const actorsOf = ({ issues }: IssueServices, records: readonly IssueRecord[]) =>
  issues.people(records.flatMap((record) => record.statusDetails.actorId ?? []))

const ownersOf = ({ ask }: IssueServices, records: readonly IssueRecord[]) =>
  ask(
    OWNERS_OF_ISSUES,
    records.map((record) => record.id),
  )

const ticketsOf = ({ ask }: IssueServices, { organization }: Request, records: readonly IssueRecord[]) =>
  ask(TICKETS_OF_ISSUES, {
    organizationId: organization.id,
    issues: new Map(records.map((record) => [record.id, record.storedIds])),
  })

const writersOf = (
  { ask }: IssueServices,
  { organization }: Request,
  records: readonly IssueRecord[],
): Promise<ReadonlyMap<number, number>> =>
  ask(COUNT_WRITERS, {
    organizationId: organization.id,
    issues: new Map(records.map((record) => [record.id, record.storedIds])),
  })

export const toRows = async (
  services: IssueServices,
  request: Request,
  records: readonly IssueRecord[],
  more: Pick<StreamPage, 'counts' | 'lifetime' | 'buckets' | 'period'> & {
    readonly series: string
    readonly withOwners?: boolean
    readonly withInbox?: boolean
  },
) => {
  const [actors, own, writers, tickets, owners, cameBack] = await Promise.all([
    actorsOf(services, records),
    marksOf(services, request, records),
    writersOf(services, request, records),
    ticketsOf(services, request, records),
    more.withOwners === true ? ownersOf(services, records) : null,
    more.withInbox === true ? services.issues.cameBack(records.map(({ id }) => id)) : null,
  ])
  return records.map((record) =>
    issueJson(record, {
      publicUrl: request.publicUrl,
      organizationSlug: request.organization.slug,
      actors,
      marks: own(record.id),
      counts: more.counts.get(record.id),
      writers: writers.get(record.id) ?? 0,
      ranged: more.period !== null,
      lifetime: more.lifetime === null ? undefined : { counts: more.lifetime.get(record.id) },
      series: more.buckets === null ? undefined : { name: more.series, buckets: more.buckets },
      owners: owners === null ? undefined : (owners.get(record.id) ?? []),
      cameBack: cameBack === null ? undefined : { at: cameBack.get(record.id) },
      tickets: tickets.get(record.id),
    }),
  )
}

const rowOf = async (services: IssueServices, request: Request, record: IssueRecord) => {
  const { clock, stream } = services
  const buckets = readBuckets('24h', null, clock.now())
  const counts = await stream.counts([record], {
    organizationId: request.organization.id,
    environments: [],
    period: null,
    buckets,
  })
  const [row] = await toRows(services, request, [record], {
    counts,
    lifetime: counts,
    buckets,
    period: null,
    series: '24h',
  })
  if (row === undefined) throw notFound()
  return row
}

const detailOf = async (
  services: IssueServices,
  request: Request,
  record: IssueRecord,
  {
    environments = [],
    withInbox = false,
  }: { readonly environments?: readonly string[] | undefined; readonly withInbox?: boolean } = {},
) => {
  const { ask, clock, stream, marks, issues, events } = services
  const now = clock.now()
  const organizationId = request.organization.id
  const month = createBuckets({ from: now - 29 * DAY_MS, to: now + 1 }, 86_400)
  const day = createBuckets({ from: now - 23 * 3_600_000, to: now + 1 }, 3600)
  const count = (buckets: typeof month, period: { from: number; to: number } | null) =>
    stream.counts([record], { organizationId, environments, period, buckets })
  const versions = [record.firstRelease, record.lastRelease].flatMap((version) => version ?? [])
  const [overall, daily, actors, own, owners, subscribers, activity, releases, reports, writers, tickets, tags] =
    await Promise.all([
      count(month, null),
      count(day, { from: day.start * 1000, to: now + 60_000 }),
      actorsOf(services, [record]),
      marksOf(services, request, [record]),
      ownersOf(services, [record]),
      marks.subscribers(record.id),
      issues.activity(record.id, { limit: LIMITS.ISSUE_ACTIVITY_PREVIEW, offset: 0 }),
      issues.releases(organizationId, versions),
      ask(COUNT_REPORTS, record.storedIds),
      writersOf(services, request, [record]),
      ticketsOf(services, request, [record]),
      events.tags(
        {
          organizationId,
          projectIds: [record.project.id],
          issueIds: record.storedIds,
          period: null,
          environments,
          filter: null,
        },
        { keys: [], values: 1 },
      ),
    ])
  const people = await issues.people(subscribers)
  const escalation =
    record.substatus === 'archived_until_escalating'
      ? await events.escalation(
          { projectId: record.project.id, storedIds: record.storedIds, firstSeen: record.firstSeen },
          now,
        )
      : null
  const base = issueJson(record, {
    publicUrl: request.publicUrl,
    organizationSlug: request.organization.slug,
    actors,
    marks: own(record.id),
    counts: overall.get(record.id),
    writers: writers.get(record.id) ?? 0,
    ranged: environments.length > 0,
    owners: owners.get(record.id) ?? [],
    cameBack: withInbox ? { at: (await issues.cameBack([record.id])).get(record.id) } : undefined,
    tickets: tickets.get(record.id),
  })
  return {
    ...base,
    ...(escalation === null
      ? {}
      : {
          statusDetails: {
            ...base.statusDetails,
            escalatesAbove: escalation.limit,
            eventsThisHour: escalation.events,
          },
        }),
    stats: {
      '24h': fillBuckets(day, daily.get(record.id)?.series ?? new Map()),
      '30d': fillBuckets(month, overall.get(record.id)?.series ?? new Map()),
    },
    activity: activity.map((entry) => activityOf(record, entry)),
    seenBy: [],
    participants: subscribers.flatMap((id) => {
      const person = people.get(id)
      return person === undefined ? [] : [personJson(person)]
    }),
    pluginActions: [],
    pluginIssues: [],
    pluginContexts: [],
    userReportCount: reports,
    tags: tags.map(({ key, total }) => ({ key, name: key, totalValues: total })),
    firstRelease:
      record.firstRelease === null ? null : releaseJson(record.firstRelease, releases.get(record.firstRelease)),
    lastRelease: record.lastRelease === null ? null : releaseJson(record.lastRelease, releases.get(record.lastRelease)),
  }
}

/** For who may change an issue but not read it: which one it is, and how it stands now. */
const withoutContent = (detail: IssueDetail): IssueDetail => ({
  ...detail,
  title: '',
  culprit: '',
  logger: null,
  level: '',
  platform: '',
  metadata: {},
  isUnhandled: false,
  numComments: 0,
  count: '0',
  userCount: 0,
  reporterCount: 0,
  stats: {},
  activity: [],
  participants: [],
  userReportCount: 0,
  tags: [],
  firstRelease: null,
  lastRelease: null,
  owners: [],
  annotations: [],
})

/** The issue that a search names outright: the one of an event whose id it is, or (when asked for) of a short id. */
const directHit = async (services: IssueServices, request: Request, asked: QueryOutput<typeof listIssues>) => {
  const { issues, clock } = services
  const organizationId = request.organization.id
  const text = (asked.query ?? '').trim()
  const find = async (reference: string): Promise<IssueRecord | undefined> => {
    const id = await issues.find(organizationId, reference)
    const [record] = id === null ? [] : await issues.records(organizationId, [id])
    return record
  }
  if (EVENT_ID.test(text)) {
    const eventId = text.replaceAll('-', '').toLowerCase()
    const { projectIds } = orBadRequest(await readScope(issues, organizationId, asked, clock.now()))
    const [location] = await issues.locateEvent(organizationId, projectIds, eventId)
    const record = location === undefined ? undefined : await find(String(location.storedIssueId))
    return record === undefined ? null : { ...(await rowOf(services, request, record)), matchingEventId: eventId }
  }
  const record = asked.shortIdLookup === '1' ? await find(text) : undefined
  return record === undefined ? null : rowOf(services, request, record)
}

export const publish = (
  { clock, changed }: IssueServices,
  request: Request,
  records: readonly { id: number; project: { id: number } }[],
): void => {
  const at = clock.now()
  for (const [projectId, own] of Map.groupBy(records, (record) => record.project.id)) {
    const issueIds = own.map((record) => record.id)
    changed({ organizationId: request.organization.id, projectId, issueIds, opened: [], at })
  }
}

const readAssignee = async (
  { workflow }: IssueServices,
  request: Request,
  text: string | null,
): Promise<AssigneeRecord | null> => {
  if (text === null || text === '') return null
  const reference = parseAssignee(text, userIdOf(request))
  const assignee = reference === null ? null : await workflow.assignee(request.organization.id, reference)
  if (assignee === null) {
    const detail = `"${text}" is neither a member nor a team of this organisation.`
    throw badRequest(detail, { assignedTo: detail })
  }
  return assignee
}

export const peaksOf = async (
  { events, clock }: IssueServices,
  request: Request,
  records: readonly IssueRecord[],
): Promise<Map<number, number>> => {
  const stored = await events.dailyPeaks(
    {
      organizationId: request.organization.id,
      projectIds: [...new Set(records.map((record) => record.project.id))],
      issueIds: records.flatMap((record) => record.storedIds),
      period: null,
      environments: [],
      filter: null,
    },
    clock.now(),
  )
  return new Map(
    records.map((record) => [record.id, Math.max(0, ...record.storedIds.map((id) => stored.get(id) ?? 0))]),
  )
}

/** Applies a change to issues of one step; answers the ids that it reached. */
const apply = async (
  services: IssueServices,
  request: Request,
  ids: readonly number[],
  change: { status: StatusRequest | undefined; assignee: AssigneeRecord | null | undefined; body: Change },
): Promise<readonly number[]> => {
  const { ask, issues, clock, marks, workflow } = services
  const organizationId = request.organization.id
  const records = await issues.records(organizationId, ids)
  const actor = { organizationId, userId: userIdOf(request), now: clock.now() }
  const known = records.map((record) => record.id)
  const { status, assignee, body } = change
  const noted = readMarks(body)
  if (noted !== null) await marks.set({ ...noted, ...actor, ids: known })
  if (noted !== null && concernsOnlyMarks(body)) return known
  if (body.discard === true) {
    // Discarding deletes, and deleting takes more than changing.
    if (!request.organization.scopes.has('event:admin'))
      throw forbidden('Discarding issues needs the scope event:admin.')
    await workflow.remove({ ...actor, ids: known, discard: true })
  } else {
    if (body.tell !== undefined) {
      // Before: what would be told by itself is not, whatever fails in between.
      const release = releaseOf(status)
      await ask(PLAN_TELLING, { ...actor, issueIds: known, telling: body.tell, release })
    }
    await workflow.change({
      ...actor,
      ids: known,
      ...(status === undefined ? {} : { status }),
      ...(assignee === undefined ? {} : { assignee }),
      ...(body.priority === undefined ? {} : { priority: body.priority }),
      ...(status?.kind === 'archivedForever' ? { dailyPeaks: await peaksOf(services, request, records) } : {}),
    })
  }
  publish(services, request, records)
  return known
}

/** In which release issues are resolved: '' for the next one, null where nobody said. */
export const releaseOf = (status: StatusRequest | undefined): string | null => {
  if (status?.kind === 'resolvedInNextRelease') return ''
  return status?.kind === 'resolvedInRelease' && status.version !== 'latest' ? status.version : null
}

const RESOLVING: ReadonlySet<StatusRequest['kind'] | undefined> = new Set([
  'resolved',
  'resolvedInNextRelease',
  'resolvedInRelease',
])

const readStatus = (services: IssueServices, body: Change): StatusRequest | undefined => {
  const status = orBadRequest(readStatusRequest(body, services.clock.now()))
  if (body.tell !== undefined && !RESOLVING.has(status?.kind)) {
    const detail = 'People are told when an issue is resolved. Give "tell" together with the status "resolved".'
    throw badRequest(detail, { tell: detail })
  }
  return status
}

export const readChange = async (services: IssueServices, request: Request, body: Change) => ({
  body,
  status: readStatus(services, body),
  assignee: body.assignedTo === undefined ? undefined : await readAssignee(services, request, body.assignedTo),
})

/** Ids of a bulk request in steps. @throws HttpError 400 when nothing says which issues are meant */
const selected = async (
  { stream, clock }: IssueServices,
  request: Request,
  query: BulkQuery,
): Promise<AsyncIterable<readonly number[]>> => {
  if (query.id !== undefined && query.id.length > 0) {
    const ids = query.id.map(Number)
    if (ids.some((id) => id > REPORT_ID_OFFSET)) throw badRequest(ONLY_ISSUES)
    return inOneStep(ids)
  }
  if (query.query === undefined) {
    throw badRequest('Say which issues are meant: give their ids, or a query ("" for all of them).')
  }
  return orBadRequest(await stream.matching({ ...query, ...who(request), now: clock.now() }))
}

export const who = (request: Request) => ({ organizationId: request.organization.id, userId: userIdOf(request) })

const merge = async (services: IssueServices, request: Request, ids: readonly number[]) => {
  const { issues, workflow, clock } = services
  const before = await issues.records(request.organization.id, ids)
  const merged = await workflow.merge({ ...who(request), now: clock.now(), ids })
  if (merged === null) throw badRequest('Merging needs two or more issues of one project.')
  publish(services, request, before)
  return { parent: String(merged.parent), children: merged.children.map(String) }
}

const listIssuesRoute = (services: IssueServices): Route =>
  bind(listIssues, async ({ query, request }) => {
    const { clock, stream } = services
    const now = clock.now()
    const hit = await directHit(services, request, query)
    if (hit !== null) {
      const headers = { 'x-sentry-direct-hit': '1' }
      return { body: [hit], hits: 1, headers, page: { next: null, previous: null } }
    }
    const series = query.collapse?.includes('stats') === true ? '' : (query.groupStatsPeriod ?? '24h')
    const page = orBadRequest(
      await stream.list({
        ...query,
        ...who(request),
        query: query.query ?? DEFAULT_QUERY,
        limit: query.limit ?? DEFAULT_LIMIT,
        cursor: query.cursor,
        groupStatsPeriod: series,
        lifetime: query.collapse?.includes('lifetime') !== true,
        now,
      }),
    )
    return {
      body: await toRows(services, request, page.records, {
        ...page,
        series,
        withOwners: query.expand?.includes('owners') === true,
        withInbox: query.expand?.includes('inbox') === true,
      }),
      hits: page.hits,
      // As Sentry's: what reaches it may be more.
      headers: { 'x-max-hits': String(LIMITS.ISSUE_HITS_MAXIMUM) },
      page: { next: page.next, previous: page.previous },
    }
  })

const countIssuesRoute = ({ clock, stream }: IssueServices): Route =>
  bind(countIssues, async ({ query: { query, upTo, ...scope }, request }) => {
    const now = clock.now()
    if (upTo !== undefined) {
      const glance = async (one: string): Promise<[string, number | null]> => {
        const counted = await stream.glance({ ...scope, ...who(request), query: one, upTo, now })
        return [one, counted.ok ? counted.value : null]
      }
      return { body: Object.fromEntries(await Promise.all(query.map(glance))) }
    }
    const body: Record<string, number> = {}
    for (const one of query)
      body[one] = orBadRequest(await stream.count({ ...scope, ...who(request), query: one, now }))
    return { body }
  })

const updateIssuesRoute = (services: IssueServices): Route =>
  bind(updateIssues, async ({ query, body, request }) => {
    const { clock } = services
    const steps = await selected(services, request, query)
    if (body.merge === true || body.merge === 1) {
      const ids: number[] = []
      for await (const step of steps) ids.push(...step)
      return { body: { merge: await merge(services, request, ids) } }
    }
    const change = await readChange(services, request, body)
    const reached: number[] = []
    for await (const step of steps) reached.push(...(await apply(services, request, step, change)))
    if (reached.length === 0) return { body: null }
    return { body: { ...describeChange(change, clock.now()), changed: reached.map(String) } }
  })

const deleteIssuesRoute = (services: IssueServices): Route =>
  bind(deleteIssues, async ({ query, request }) => {
    const { issues, workflow, clock } = services
    const organizationId = request.organization.id
    for await (const ids of await selected(services, request, query)) {
      const records = await issues.records(organizationId, ids)
      await workflow.remove({ ...who(request), now: clock.now(), ids, discard: false })
      publish(services, request, records)
    }
    return { body: null }
  })

const restoreIssuesRoute = (services: IssueServices): Route =>
  bind(restoreIssues, async ({ body, request }) => {
    const { workflow, clock, issues } = services
    const restored = await workflow.restore({ ...who(request), now: clock.now(), ids: body.ids.map(Number) })
    publish(services, request, await issues.records(request.organization.id, restored))
    return { body: { restored: restored.map(String) } }
  })

const getIssueRoute = (services: IssueServices): Route =>
  bind(getIssue, async ({ params, query, request }) => ({
    body: await detailOf(services, request, await findIssue(services, request, params.issue), {
      environments: query.environment,
      withInbox: query.expand?.includes('inbox') === true,
    }),
  }))

const updateIssueRoute = (services: IssueServices): Route =>
  bind(updateIssue, async ({ params, body, request }) => {
    const { issues } = services
    const record = await findIssue(services, request, params.issue)
    if (body.merge !== undefined && body.merge !== false) {
      throw badRequest('One issue cannot be merged with itself. Change several issues at once to merge them.')
    }
    await apply(services, request, [record.id], await readChange(services, request, body))
    const [after = record] = await issues.records(request.organization.id, [record.id])
    const detail = await detailOf(services, request, after)
    return { body: request.organization.scopes.has('event:read') ? detail : withoutContent(detail) }
  })

const deleteIssueRoute = (services: IssueServices): Route =>
  bind(deleteIssue, async ({ params, request }) => {
    const { workflow, clock } = services
    const record = await findIssue(services, request, params.issue)
    await workflow.remove({ ...who(request), now: clock.now(), ids: [record.id], discard: false })
    publish(services, request, [record])
    return { body: null, status: 202 }
  })

const getShortIdRoute = (services: IssueServices): Route =>
  bind(getShortId, async ({ params, request }) => {
    const record = await findIssue(services, request, params.shortId)
    return {
      body: {
        organizationSlug: request.organization.slug,
        projectSlug: record.project.slug,
        groupId: String(record.id),
        shortId: record.shortId,
        group: await rowOf(services, request, record),
      },
    }
  })

const listIssueStatsRoute = ({ ask, clock, events, issues, stream }: IssueServices): Route =>
  bind(listIssueStats, async ({ query, request }) => {
    const now = clock.now()
    const period = orBadRequest(readPeriod(query, now))
    const records = await issues.records(request.organization.id, query.groups.map(Number))
    const series = query.groupStatsPeriod ?? '24h'
    const buckets = readBuckets(series, period, now)
    const environments = query.environment ?? []
    const scope = { organizationId: request.organization.id, environments }
    const { matching } = orBadRequest(
      await readIssueScope({ issues, ask }, { ...query, ...who(request), query: query.query ?? '', now }),
    )
    const [counts, life, filtered] = await Promise.all([
      stream.counts(records, { ...scope, period, buckets }),
      period === null ? null : stream.counts(records, { ...scope, period: null, buckets: null }),
      matching?.filter == null
        ? null
        : events.countWithin(matching, new Map(records.map((record) => [record.id, record.storedIds]))),
    ])
    return { body: records.map((record) => statsRow(record, counts.get(record.id), life?.get(record.id))) }

    function statsRow(record: IssueRecord, own: IssueCounts | undefined, lifetime: IssueCounts | undefined) {
      return {
        id: String(record.id),
        count: String(period === null ? record.timesSeen : (own?.events ?? 0)),
        userCount: own?.users ?? 0,
        firstSeen: toDate(record.firstSeen),
        lastSeen: toDate(record.lastSeen),
        isUnhandled: record.unhandled,
        stats: buckets === null ? {} : { [series]: fillBuckets(buckets, own?.series ?? new Map()) },
        lifetime: lifetimeJson(record, lifetime ?? own),
        filtered: filtered === null ? null : filteredJson(filtered.get(record.id)),
      }
    }
  })

const filteredJson = (counts: Omit<IssueCounts, 'series'> | undefined) => ({
  count: String(counts?.events ?? 0),
  userCount: counts?.users ?? 0,
  firstSeen: counts?.firstSeen == null ? null : toDate(counts.firstSeen),
  lastSeen: counts?.lastSeen == null ? null : toDate(counts.lastSeen),
})

interface BulkQuery {
  readonly id?: string[] | undefined
  readonly query?: string | undefined
  readonly statsPeriod?: string | undefined
  readonly start?: string | undefined
  readonly end?: string | undefined
  readonly project?: string[] | undefined
  readonly environment?: string[] | undefined
}

async function* inOneStep(ids: readonly number[]): AsyncGenerator<readonly number[]> {
  yield ids
}

/** `user:1`, `team:2`, `team:slug`, `#slug`, an e-mail, a user id, `me`. Null when it is none of them. */
const parseAssignee = (text: string, userId: number): AssigneeReference | null => {
  if (text === 'me') return { kind: 'user', id: userId }
  const [, user] = /^user:(\d{1,15})$/.exec(text) ?? []
  if (user !== undefined) return { kind: 'user', id: Number(user) }
  if (text.startsWith('team:')) return { kind: 'team', reference: text.slice('team:'.length) }
  if (text.startsWith('#')) return { kind: 'team', reference: text.slice(1) }
  if (/^\d{1,15}$/.test(text)) return { kind: 'user', id: Number(text) }
  return text.includes('@') ? { kind: 'email', email: text } : null
}

const MARK_NAMES: ReadonlySet<string> = new Set(['hasSeen', 'isBookmarked', 'isSubscribed'])

/** What a change says about the caller's own view of issues; null when it says nothing. */
const readMarks = ({ hasSeen, isBookmarked, isSubscribed }: Change) =>
  hasSeen === undefined && isBookmarked === undefined && isSubscribed === undefined
    ? null
    : { seen: hasSeen, bookmarked: isBookmarked, subscribed: isSubscribed }

/** Then nothing changes for anybody else, and nobody else is told. */
const concernsOnlyMarks = (change: Change): boolean =>
  Object.entries(change).every(([name, value]) => value === undefined || MARK_NAMES.has(name))

/** What now holds for all issues of a bulk change. */
const describeChange = (
  {
    status,
    assignee,
    body,
  }: { status: StatusRequest | undefined; assignee: AssigneeRecord | null | undefined; body: Change },
  now: number,
) => {
  const before = { status: 'unresolved', substatus: null, timesSeen: 0, newestRelease: null, dailyPeak: 0 } as const
  const changed = status === undefined ? undefined : changeStatus(status, before, now, null)
  return {
    ...(changed === undefined
      ? {}
      : {
          status: changed.status,
          substatus: changed.substatus,
          statusDetails: statusDetailsJson(changed.details, new Map()),
        }),
    ...(assignee === undefined ? {} : { assignedTo: assigneeJson(assignee) }),
    ...(body.priority === undefined || body.priority === null ? {} : { priority: body.priority }),
    ...(body.hasSeen === undefined ? {} : { hasSeen: body.hasSeen }),
    ...(body.isBookmarked === undefined ? {} : { isBookmarked: body.isBookmarked }),
    ...(body.isSubscribed === undefined ? {} : { isSubscribed: body.isSubscribed }),
    ...(body.isPublic === undefined ? {} : { isPublic: false }),
  }
}
