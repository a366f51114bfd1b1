import {
  getEventId,
  getGroupingInfo,
  getIssueEvent,
  getProjectEvent,
  getProjectEventJson,
  listIssueEvents,
  listProjectEvents,
  type ApiTransactionEvent,
} from '@firsthand/contract'
import { DAY_MS } from '../lib/durations.ts'
import { DEFAULT_PROJECT_SETTINGS, type ProjectSettings, type ProjectReference } from '../accounts/index.ts'
import { bind, notFound, orBadRequest, readPage, type Route, toPage } from '../http/index.ts'
import { LIMITS } from './limits.ts'
import { createEventTitle } from '../event/index.ts'
import type { EventTitle, NormalisedEvent } from '../event/event.ts'
import { eventJson, eventSummaryJson, groupingJson } from './event-json.ts'
import type { EventPlace, EventScope, EventSummary, LoadedEvent } from './events.view.ts'
import type { StoredGrouping } from './grouped.ts'
import { CURRENT_GROUPING, explain, explainStored, group } from './grouping/index.ts'
import type { IssueRecord } from './issues.view.ts'
import { findIssue, userIdOf, type OrganizationRequest as Request } from './organization-request.routes.ts'
import { readEventScope, type ScopeRequest } from './search-scope.ts'
import type { IssueServices } from './services.ts'
import type { Period } from '../search/index.ts'
import { findTransaction, transactionPayload } from './transaction-events.ts'
import { REPORT_OF_EVENT } from './visitor-reports.ts'

/** Issues with more events are asked first for a part of their time that has about as many as this. */
const EVENTS_IN_GUESS = 2000

/** Events of issues and projects, one by one and in lists. */
export const createEventRoutes = (services: IssueServices): Route[] => [
  listIssueEventsRoute(services),
  getIssueEventRoute(services),
  listProjectEventsRoute(services),
  getProjectEventRoute(services),
  getProjectEventJsonRoute(services),
  getGroupingInfoRoute(services),
  getEventIdRoute(services),
]

const settingsOf = async ({ settings }: IssueServices, projectId: number): Promise<ProjectSettings> =>
  (await settings.byProjectId(projectId))?.settings ?? DEFAULT_PROJECT_SETTINGS

const scopeRequest = (
  { clock }: IssueServices,
  request: Request,
  query: Omit<ScopeRequest, 'organizationId' | 'userId' | 'now'>,
): ScopeRequest => ({
  ...query,
  organizationId: request.organization.id,
  userId: userIdOf(request),
  now: clock.now(),
})

/** Events of one issue that a request's search, environments and time leave. */
const scopeOfIssue = async (
  services: IssueServices,
  request: Request,
  record: IssueRecord,
  query: Omit<ScopeRequest, 'organizationId' | 'userId' | 'now' | 'project'>,
): Promise<EventScope> => {
  const { issues } = services
  const asked = scopeRequest(services, request, { ...query, project: [String(record.project.id)] })
  const { events: scope } = orBadRequest(await readEventScope(issues, asked))
  return { ...scope, issueIds: record.storedIds }
}

const findProject = async (
  { issues }: IssueServices,
  request: Request,
  reference: string,
): Promise<ProjectReference> => {
  const projects = await issues.projects(request.organization.id)
  const project = projects.find(({ id, slug }) => slug === reference || String(id) === reference)
  if (project === undefined) throw notFound()
  return project
}

/** Null when there is no such error; it may be a transaction. */
const placeOf = async (
  { issues }: IssueServices,
  request: Request,
  projects: readonly ProjectReference[],
  eventId: string,
): Promise<EventPlace | null> => {
  const organizationId = request.organization.id
  const ids = projects.map(({ id }) => id)
  const [location] = await issues.locateEvent(organizationId, ids, eventId)
  return location === undefined ? null : { organizationId, eventId, ...location }
}

/** @throws HttpError 404 */
const locate = async (
  services: IssueServices,
  request: Request,
  project: ProjectReference,
  eventId: string,
): Promise<EventPlace> => {
  const found = await placeOf(services, request, [project], eventId)
  if (found === null) throw notFound()
  return found
}

/** Of an id that no error has. @throws HttpError 404 */
const transactionOf = async (
  services: IssueServices,
  { organization }: Request,
  projects: readonly ProjectReference[],
  eventId: string,
): Promise<ApiTransactionEvent> => {
  const found = await findTransaction(services, organization.id, projects, eventId)
  if (found === null) {
    throw notFound(
      'No event has this id, or it is not stored yet. Transactions from before event ids were kept are found by their trace id alone.',
    )
  }
  return found
}

const load = async ({ events }: IssueServices, place: EventPlace): Promise<LoadedEvent> => {
  const stored = await events.load(place)
  if (stored === null) throw notFound('This event is not stored, or not yet. Try again in a moment.')
  return stored
}

/** The issue that shows the event today. */
const standingIssue = async ({ issues }: IssueServices, request: Request, storedIssueId: number): Promise<number> =>
  (await issues.find(request.organization.id, String(storedIssueId))) ?? storedIssueId

const neighboursOf = async (
  { issues, events }: IssueServices,
  request: Request,
  place: EventPlace,
  issueId: number,
): Promise<Neighbours> => {
  const [record] = await issues.records(request.organization.id, [issueId])
  const scope: EventScope = {
    organizationId: place.organizationId,
    projectIds: [place.projectId],
    issueIds: record?.storedIds ?? [place.storedIssueId],
    period: null,
    environments: [],
    filter: null,
  }
  return events.neighbours(scope, place)
}

/** `latest`, `oldest`, `recommended` or an id, with what is beside it in the scope; null when there is none. */
const find = async (
  services: IssueServices,
  request: Request,
  record: IssueRecord,
  scope: EventScope,
  reference: string,
): Promise<{ readonly stored: LoadedEvent; readonly neighbours: Neighbours } | null> => {
  const { events } = services
  if (reference === 'latest' || reference === 'oldest') {
    const stored = await events.outermost(scope, reference, guessTime(record, reference))
    if (stored === null) return null
    const { beside } = stored
    return {
      stored,
      neighbours: reference === 'latest' ? { previous: beside, next: null } : { previous: null, next: beside },
    }
  }
  if (reference === 'recommended') {
    const place = await events.recommended(scope)
    if (place === null) return null
    const [stored, neighbours] = await Promise.all([load(services, place), events.neighbours(scope, place)])
    return { stored, neighbours }
  }
  const place = await locate(services, request, record.project, reference)
  if (!record.storedIds.includes(place.storedIssueId)) throw notFound()
  const stored = await load(services, place)
  return { stored, neighbours: await events.neighbours(scope, stored.place) }
}

const toJson = async (
  services: IssueServices,
  request: Request,
  stored: LoadedEvent,
  project: ProjectReference,
  known: Neighbours | null,
) => {
  const { ask, issues } = services
  const { place, event, bytes, receivedAt } = stored
  const organizationId = request.organization.id
  const issueId = await standingIssue(services, request, place.storedIssueId)
  const [{ previous, next }, releases, report, grouping] = await Promise.all([
    known ?? neighboursOf(services, request, place, issueId),
    issues.releases(organizationId, event.release === undefined ? [] : [event.release]),
    ask(REPORT_OF_EVENT, { projectId: project.id, eventId: event.event_id }),
    stored.grouping ?? settingsOf(services, project.id).then((rules) => groupingOf(event, rules)),
  ])
  return eventJson(event, {
    issueId,
    projectId: project.id,
    projectSlug: project.slug,
    timestamp: place.timestamp,
    receivedAt,
    bytes,
    title: titleOf(stored, grouping),
    hashes: grouping.hashes,
    groupingConfig: { id: grouping.version, decided: stored.grouping === null ? 'today' : 'stored' },
    release: event.release === undefined ? undefined : releases.get(event.release),
    report,
    previous,
    next,
  })
}

/** A page of events; with `full`, whole ones, one after the other because each may be large. */
const toRows = async (
  services: IssueServices,
  request: Request,
  scope: EventScope,
  query: {
    readonly full?: string | undefined
    readonly cursor?: string | undefined
    readonly limit?: number | undefined
  },
  project: ProjectReference,
) => {
  const { events, issues } = services
  const full = query.full === '1' || query.full === 'true'
  const asked = readPage(full ? { ...query, limit: Math.min(query.limit ?? Infinity, LIMITS.FULL_EVENTS) } : query)
  const { rows, page } = toPage(await events.list(scope, asked), asked)
  const issueIds = rows.map((row) => row.storedIssueId)
  const merges = await issues.merges(request.organization.id, issueIds)
  const body = []
  for (const row of rows) {
    const summary = eventSummaryJson(row, merges.get(row.storedIssueId) ?? row.storedIssueId)
    const stored = full ? await events.load({ organizationId: scope.organizationId, ...row }) : null
    if (stored === null) {
      body.push(summary)
      continue
    }
    const {
      nextEventID: _,
      previousEventID: __,
      ...whole
    } = await toJson(services, request, stored, project, NO_NEIGHBOURS)
    body.push({ ...summary, ...whole })
  }
  return { body, page }
}

/** Why an issue shows no event: because of what was asked, or because what was counted is not there. */
const nothingFound = async (
  { clock, issues }: IssueServices,
  record: IssueRecord,
  { organizationId, ...asked }: EventScope,
): Promise<Error> => {
  const { period, environments, filter } = asked
  const { lastSeen, timesSeen } = record
  const asksForLast =
    filter === null &&
    environments.length === 0 &&
    (period === null || (lastSeen >= period.from && lastSeen < period.to))
  // What is older was removed because of its age.
  const since = clock.now() - (await issues.retentionDays(organizationId)) * DAY_MS
  if (asksForLast && lastSeen > since) {
    if ((await issues.pendingBatches()).length > 0)
      return notFound('This event is not stored, or not yet. Try again in a moment.')
    if (timesSeen === 0) {
      return notFound(
        'No event of this issue is kept any more: all of them were deleted, with the people they were of.',
      )
    }
    return notFound(
      `The events of this issue were counted (${timesSeen}), but their data cannot be read. Ask whoever runs the server: its status and \`firsthand doctor\` say what is known of damage, and a backup may have them.`,
    )
  }
  return notFound('No event of this issue matches. Widen the time range, or change the search.')
}

const listIssueEventsRoute = (services: IssueServices): Route =>
  bind(listIssueEvents, async ({ params, query, request }) => {
    const record = await findIssue(services, request, params.issue)
    return toRows(services, request, await scopeOfIssue(services, request, record, query), query, record.project)
  })

const getIssueEventRoute = (services: IssueServices): Route =>
  bind(getIssueEvent, async ({ params, query, request }) => {
    const record = await findIssue(services, request, params.issue)
    const scope = await scopeOfIssue(services, request, record, query)
    const found = await find(services, request, record, scope, params.event)
    if (found === null) throw await nothingFound(services, record, scope)
    return { body: await toJson(services, request, found.stored, record.project, found.neighbours) }
  })

const listProjectEventsRoute = (services: IssueServices): Route =>
  bind(listProjectEvents, async ({ params, query, request }) => {
    const { issues } = services
    const project = await findProject(services, request, params.project)
    const found = orBadRequest(
      await readEventScope(issues, scopeRequest(services, request, { ...query, project: [String(project.id)] })),
    )
    return toRows(services, request, found.events, query, project)
  })

const getProjectEventRoute = (services: IssueServices): Route =>
  bind(getProjectEvent, async ({ params, request }) => {
    const project = await findProject(services, request, params.project)
    const found = await placeOf(services, request, [project], params.event)
    if (found === null) {
      return { body: await transactionOf(services, request, [project], params.event) }
    }
    return { body: await toJson(services, request, await load(services, found), project, null) }
  })

const getProjectEventJsonRoute = (services: IssueServices): Route =>
  bind(getProjectEventJson, async ({ params, request }) => {
    const project = await findProject(services, request, params.project)
    const found = await placeOf(services, request, [project], params.event)
    if (found === null) {
      const transaction = await transactionOf(services, request, [project], params.event)
      return { body: transactionPayload(transaction) }
    }
    const { event } = await load(services, found)
    return { body: { ...event } }
  })

const getGroupingInfoRoute = (services: IssueServices): Route =>
  bind(getGroupingInfo, async ({ params, query, request }) => {
    const project = await findProject(services, request, params.project)
    const found = await placeOf(services, request, [project], params.event)
    if (found === null) {
      await transactionOf(services, request, [project], params.event)
      throw notFound('This is a transaction. It is in no issue, so nothing decided in which one it is.')
    }
    const { event, grouping } = await load(services, found)
    const rules = await settingsOf(services, project.id)
    // What Firsthand found itself was grouped by who found it, and by no rules.
    const followsRules = event.type !== 'generic'
    if ((query.rules === 'today' && followsRules) || grouping === null)
      return { body: groupingJson(explain(event, rules), { id: CURRENT_GROUPING, decided: 'today' }) }
    return {
      body: groupingJson(explainStored(event, grouping, rules), { id: grouping.version, decided: 'stored' }),
    }
  })

const getEventIdRoute = (services: IssueServices): Route =>
  bind(getEventId, async ({ params, request }) => {
    const { id: organizationId, slug: organizationSlug } = request.organization
    const projects = await services.issues.projects(organizationId)
    const found = await placeOf(services, request, projects, params.event)
    if (found === null) {
      const event = await transactionOf(services, request, projects, params.event)
      return {
        body: { organizationSlug, projectSlug: event.projectSlug, groupId: null, eventId: event.eventID, event },
      }
    }
    const project = projects.find(({ id }) => id === found.projectId)
    const stored = await load(services, found)
    if (project === undefined) throw notFound()
    const issueId = await standingIssue(services, request, found.storedIssueId)
    return {
      body: {
        organizationSlug,
        projectSlug: project.slug,
        groupId: String(issueId),
        eventId: stored.event.event_id,
        event: eventSummaryJson(summaryOf(stored, found), issueId),
      },
    }
  })

type Neighbours = Awaited<ReturnType<IssueServices['events']['neighbours']>>

const NO_NEIGHBOURS: Neighbours = { previous: null, next: null }

/** Where the newest or oldest event of an issue should be; null when it has so few that looking everywhere is as fast. */
const guessTime = ({ firstSeen, lastSeen, timesSeen }: IssueRecord, which: 'latest' | 'oldest'): Period | null => {
  if (timesSeen <= EVENTS_IN_GUESS) return null
  const span = Math.ceil(((lastSeen - firstSeen) / timesSeen) * EVENTS_IN_GUESS) + 1000
  return which === 'latest'
    ? { from: lastSeen - span, to: lastSeen + DAY_MS }
    : { from: firstSeen - DAY_MS, to: firstSeen + span }
}

/** For events that were stored before that was kept with them. */
const groupingOf = (event: NormalisedEvent, rules: ProjectSettings): StoredGrouping => {
  const { grouping, decision } = group(event, rules)
  return { ...decision, version: grouping.version, hashes: grouping.hashes }
}

/** The title that the event had when it was stored. Only what stands beside it is read from the event again. */
const titleOf = (
  { event, title, culprit }: LoadedEvent,
  { mainException }: Pick<StoredGrouping, 'mainException'>,
): EventTitle => {
  const main = mainException === undefined ? undefined : event.exception?.values[mainException]
  const { metadata, title: own } = createEventTitle(event, { main })
  return { title, culprit, metadata: own === title ? metadata : { ...metadata, title } }
}

const summaryOf = ({ event, title, culprit }: LoadedEvent, place: EventPlace): EventSummary => ({
  eventId: event.event_id,
  projectId: place.projectId,
  storedIssueId: place.storedIssueId,
  timestamp: place.timestamp,
  type: event.type,
  title,
  message: event.logentry?.formatted ?? event.exception?.values.at(-1)?.value ?? '',
  culprit,
  platform: event.platform,
  user: {
    id: event.user?.id ?? '',
    email: event.user?.email ?? '',
    username: event.user?.username ?? '',
    ip: event.user?.ip_address ?? '',
  },
  tags: Object.fromEntries(event.tags),
})
