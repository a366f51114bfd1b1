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
import type { JsonObject, NormalisedEvent } from './event.ts'
import { eventJson, eventSummaryJson, groupingJson } from './event-json.ts'
import type { EventPlace, EventScope, EventSummary, StoredPayload } from './events.view.ts'
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

const PICKS = ['latest', 'oldest', 'recommended'] as const

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

  const load = async (place: EventPlace): Promise<StoredPayload> => {
    const stored = await events.load(place)
    if (stored === null) throw notFound('This event is not stored, or not yet. Try again in a moment.')
    return stored
  }

  /** The issue that shows the event today. */
  const standingIssue = async (request: Request, storedIssueId: number): Promise<number> =>
    (await issues.find(request.organization.id, String(storedIssueId))) ?? storedIssueId

  const toJson = async (
    request: Request,
    stored: StoredPayload,
    project: ProjectReference,
    scope: EventScope | null,
  ) => {
    const { place, payload, receivedAt } = stored
    const organizationId = request.organization.id
    const event = readPayload(payload)
    const issueId = await standingIssue(request, place.storedIssueId)
    const [record] = scope === null ? await issues.records(organizationId, [issueId]) : []
    const neighbourhood: EventScope = scope ?? {
      organizationId,
      projectIds: [project.id],
      issueIds: record?.storedIds ?? [place.storedIssueId],
      period: null,
      environments: [],
      filter: null,
    }
    const [{ previous, next }, releases, rules] = await Promise.all([
      events.neighbours(neighbourhood, place),
      issues.releases(organizationId, event.release === undefined ? [] : [event.release]),
      settingsOf(project.id),
    ])
    const { grouping, title } = group(event, rules)
    return eventJson(event, {
      issueId,
      projectId: project.id,
      projectSlug: project.slug,
      timestamp: place.timestamp,
      receivedAt,
      bytes: Buffer.byteLength(payload),
      title,
      hashes: grouping.hashes,
      groupingVersion: grouping.version,
      release: event.release === undefined ? undefined : releases.get(event.release),
      previous,
      next,
    })
  }

  return [
    bind(listIssueEvents, async ({ params, query, request }) => {
      const record = await findIssue(services, request, params.issue)
      const asked = readPage(query)
      const { rows, page } = toPage(await events.list(await scopeOfIssue(request, record, query), asked), asked)
      return { body: rows.map((row) => eventSummaryJson(row, record.id)), page }
    }),

    bind(getIssueEvent, async ({ params, query, request }) => {
      const record = await findIssue(services, request, params.issue)
      const scope = await scopeOfIssue(request, record, query)
      const which = PICKS.find((pick) => pick === params.event)
      const place =
        which === undefined ? await locate(request, [record.project.id], params.event) : await events.pick(scope, which)
      if (place === null) throw notFound('No event of this issue matches. Widen the time range, or change the search.')
      if (!record.storedIds.includes(place.storedIssueId)) throw notFound()
      return { body: await toJson(request, await load(place), record.project, scope) }
    }),

    bind(listProjectEvents, async ({ params, query, request }) => {
      const project = await findProject(request, params.project)
      const asked = readPage(query)
      const found = orBadRequest(
        await readEventScope(issues, scopeRequest(request, { ...query, project: [String(project.id)] })),
      )
      const { rows, page } = toPage(await events.list(found.events, asked), asked)
      const merges = await issues.merges(request.organization.id)
      return {
        body: rows.map((row) => eventSummaryJson(row, merges.get(row.storedIssueId) ?? row.storedIssueId)),
        page,
      }
    }),

    bind(getProjectEvent, async ({ params, request }) => {
      const project = await findProject(request, params.project)
      const stored = await load(await locate(request, [project.id], params.event))
      return { body: await toJson(request, stored, project, null) }
    }),

    bind(getProjectEventJson, async ({ params, request }) => {
      const project = await findProject(request, params.project)
      const { payload } = await load(await locate(request, [project.id], params.event))
      return { body: JSON.parse(payload) as Record<string, unknown> }
    }),

    bind(getGroupingInfo, async ({ params, request }) => {
      const project = await findProject(request, params.project)
      const { payload } = await load(await locate(request, [project.id], params.event))
      return { body: groupingJson(explain(readPayload(payload), await settingsOf(project.id)), CURRENT_GROUPING) }
    }),

    bind(getEventId, async ({ params, request }) => {
      const projects = await issues.projects(request.organization.id)
      const place = await locate(
        request,
        projects.map(({ id }) => id),
        params.event,
      )
      const project = projects.find(({ id }) => id === place.projectId)
      const { payload } = await load(place)
      if (project === undefined) throw notFound()
      const event = readPayload(payload)
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

/** What `normalise` made and telemetry kept, so its shape is known. */
const readPayload = (payload: string): NormalisedEvent => JSON.parse(payload) as NormalisedEvent

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
