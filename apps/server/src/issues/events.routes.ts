import {
  getEventId,
  getGroupingInfo,
  getIssueEvent,
  getProjectEvent,
  getProjectEventJson,
  listIssueEvents,
  listProjectEvents,
} from '@firsthand/contract'
import { DEFAULT_PROJECT_SETTINGS, type ProjectSettings } from '../accounts/index.ts'
import { bind, notFound, readPage, toPage, type Route } from '../http/index.ts'
import { LIMITS } from '../limits.ts'
import type { JsonObject, NormalisedEvent } from './event.ts'
import { eventJson, eventSummaryJson, groupingJson } from './event-json.ts'
import type { EventPlace, EventScope, EventSummary, LoadedEvent } from './events.view.ts'
import { CURRENT_GROUPING, explain, group } from './grouping/index.ts'
import type { IssueRecord, ProjectReference } from './issues.view.ts'
import {
  findIssue,
  orBadRequest,
  userIdOf,
  type OrganizationRequest as Request,
} from './organization-request.routes.ts'
import { readEventScope, type ScopeRequest } from './search-scope.ts'
import type { IssueServices } from './services.ts'
import type { Period } from './stats/time-range.ts'

/** Issues with more events are asked first for a part of their time that has about as many as this. */
const EVENTS_IN_GUESS = 2000

/** Events of issues and projects, one by one and in lists. */
export const createEventRoutes = (services: IssueServices): Route[] => {
  const { issues, events, settings, clock } = services

  const settingsOf = async (projectId: number): Promise<ProjectSettings> =>
    (await settings.byProjectId(projectId))?.settings ?? DEFAULT_PROJECT_SETTINGS

  const scopeRequest = (
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
    request: Request,
    record: IssueRecord,
    query: Omit<ScopeRequest, 'organizationId' | 'userId' | 'now' | 'project'>,
  ): Promise<EventScope> => {
    const asked = scopeRequest(request, { ...query, project: [String(record.project.id)] })
    const { events: scope } = orBadRequest(await readEventScope(issues, asked))
    return { ...scope, issueIds: record.storedIds }
  }

  const findProject = async (request: Request, reference: string): Promise<ProjectReference> => {
    const projects = await issues.projects(request.organization.id)
    const project = projects.find(({ id, slug }) => slug === reference || String(id) === reference)
    if (project === undefined) throw notFound()
    return project
  }

  /** @throws HttpError 404 */
  const locate = async (request: Request, projectIds: readonly number[], eventId: string): Promise<EventPlace> => {
    const organizationId = request.organization.id
    const [location] = await issues.locateEvent(organizationId, projectIds, eventId)
    if (location === undefined) throw notFound()
    return { organizationId, eventId, ...location }
  }

  const load = async (place: EventPlace): Promise<LoadedEvent> => {
    const stored = await events.load(place)
    if (stored === null) throw notFound('This event is not stored, or not yet. Try again in a moment.')
    return stored
  }

  /** The issue that shows the event today. */
  const standingIssue = async (request: Request, storedIssueId: number): Promise<number> =>
    (await issues.find(request.organization.id, String(storedIssueId))) ?? storedIssueId

  const neighboursOf = async (request: Request, place: EventPlace, issueId: number): Promise<Neighbours> => {
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
    request: Request,
    record: IssueRecord,
    scope: EventScope,
    reference: string,
  ): Promise<{ readonly stored: LoadedEvent; readonly neighbours: Neighbours } | null> => {
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
      const [stored, neighbours] = await Promise.all([load(place), events.neighbours(scope, place)])
      return { stored, neighbours }
    }
    const place = await locate(request, [record.project.id], reference)
    if (!record.storedIds.includes(place.storedIssueId)) throw notFound()
    const stored = await load(place)
    return { stored, neighbours: await events.neighbours(scope, stored.place) }
  }

  const toJson = async (request: Request, stored: LoadedEvent, project: ProjectReference, known: Neighbours | null) => {
    const { place, event, bytes, receivedAt } = stored
    const organizationId = request.organization.id
    const issueId = await standingIssue(request, place.storedIssueId)
    const [{ previous, next }, releases, report, rules] = await Promise.all([
      known ?? neighboursOf(request, place, issueId),
      issues.releases(organizationId, event.release === undefined ? [] : [event.release]),
      issues.reportOf(project.id, event.event_id),
      settingsOf(project.id),
    ])
    const { grouping, title } = group(event, rules)
    return eventJson(event, {
      issueId,
      projectId: project.id,
      projectSlug: project.slug,
      timestamp: place.timestamp,
      receivedAt,
      bytes,
      title,
      hashes: grouping.hashes,
      groupingVersion: grouping.version,
      release: event.release === undefined ? undefined : releases.get(event.release),
      report,
      previous,
      next,
    })
  }

  /** A page of events; with `full`, whole ones, one after the other because each may be large. */
  const toRows = async (
    request: Request,
    scope: EventScope,
    query: {
      readonly full?: string | undefined
      readonly cursor?: string | undefined
      readonly limit?: number | undefined
    },
    project: ProjectReference,
  ) => {
    const full = query.full === '1' || query.full === 'true'
    const asked = readPage(full ? { ...query, limit: Math.min(query.limit ?? Infinity, LIMITS.FULL_EVENTS) } : query)
    const { rows, page } = toPage(await events.list(scope, asked), asked)
    const merges = await issues.merges(request.organization.id)
    const body = []
    for (const row of rows) {
      const summary = eventSummaryJson(row, merges.get(row.storedIssueId) ?? row.storedIssueId)
      const stored = full ? await events.load({ organizationId: scope.organizationId, ...row }) : null
      if (stored === null) {
        body.push(summary)
        continue
      }
      const { nextEventID: _, previousEventID: __, ...whole } = await toJson(request, stored, project, NO_NEIGHBOURS)
      body.push({ ...summary, ...whole })
    }
    return { body, page }
  }

  return [
    bind(listIssueEvents, async ({ params, query, request }) => {
      const record = await findIssue(services, request, params.issue)
      return toRows(request, await scopeOfIssue(request, record, query), query, record.project)
    }),

    bind(getIssueEvent, async ({ params, query, request }) => {
      const record = await findIssue(services, request, params.issue)
      const scope = await scopeOfIssue(request, record, query)
      const found = await find(request, record, scope, params.event)
      if (found === null) throw notFound('No event of this issue matches. Widen the time range, or change the search.')
      return { body: await toJson(request, found.stored, record.project, found.neighbours) }
    }),

    bind(listProjectEvents, async ({ params, query, request }) => {
      const project = await findProject(request, params.project)
      const found = orBadRequest(
        await readEventScope(issues, scopeRequest(request, { ...query, project: [String(project.id)] })),
      )
      return toRows(request, found.events, query, project)
    }),

    bind(getProjectEvent, async ({ params, request }) => {
      const project = await findProject(request, params.project)
      const stored = await load(await locate(request, [project.id], params.event))
      return { body: await toJson(request, stored, project, null) }
    }),

    bind(getProjectEventJson, async ({ params, request }) => {
      const project = await findProject(request, params.project)
      const { event } = await load(await locate(request, [project.id], params.event))
      return { body: { ...event } }
    }),

    bind(getGroupingInfo, async ({ params, request }) => {
      const project = await findProject(request, params.project)
      const { event } = await load(await locate(request, [project.id], params.event))
      return { body: groupingJson(explain(event, await settingsOf(project.id)), CURRENT_GROUPING) }
    }),

    bind(getEventId, async ({ params, request }) => {
      const projects = await issues.projects(request.organization.id)
      const place = await locate(
        request,
        projects.map(({ id }) => id),
        params.event,
      )
      const project = projects.find(({ id }) => id === place.projectId)
      const { event } = await load(place)
      if (project === undefined) throw notFound()
      const { title } = group(event, await settingsOf(project.id))
      const issueId = await standingIssue(request, place.storedIssueId)
      return {
        body: {
          organizationSlug: request.organization.slug,
          projectSlug: project.slug,
          groupId: String(issueId),
          eventId: event.event_id,
          event: eventSummaryJson(summaryOf(event, place, title), issueId),
        },
      }
    }),
  ]
}

type Neighbours = Awaited<ReturnType<IssueServices['events']['neighbours']>>

const NO_NEIGHBOURS: Neighbours = { previous: null, next: null }

const DAY_MS = 86_400_000

/** Where the newest or oldest event of an issue should be; null when it has so few that looking everywhere is as fast. */
const guessTime = ({ firstSeen, lastSeen, timesSeen }: IssueRecord, which: 'latest' | 'oldest'): Period | null => {
  if (timesSeen <= EVENTS_IN_GUESS) return null
  const span = Math.ceil(((lastSeen - firstSeen) / timesSeen) * EVENTS_IN_GUESS) + 1000
  return which === 'latest'
    ? { from: lastSeen - span, to: lastSeen + DAY_MS }
    : { from: firstSeen - DAY_MS, to: firstSeen + span }
}

const summaryOf = (
  event: NormalisedEvent,
  place: EventPlace,
  { title, culprit }: { readonly title: string; readonly culprit: string; readonly metadata: JsonObject },
): EventSummary => ({
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
