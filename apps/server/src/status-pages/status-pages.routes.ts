import {
  addStatusUpdate,
  createStatusIncident,
  deleteStatusIncident,
  getStatusPage,
  listStatusIncidents,
  updateStatusIncident,
  updateStatusPage,
  type StatusIncident,
  type StatusPage,
} from '@firsthand/contract'
import { badRequest, bind, conflict, notFound, readPage, toPage, type Route } from '../http/index.ts'
import type { Clock } from '../lib/clock.ts'
import { toDate } from '../lib/instant-text.ts'
import type { Incidents, KeptIncident } from './ledger/incidents.ts'
import type { PageRow, Pages } from './ledger/pages.ts'
import { LIMITS } from './limits.ts'
import type { Publish } from './publish.ts'
import { phaseOf, type Component } from './status.ts'

export interface StatusPageParts {
  readonly pages: Pages
  readonly incidents: Incidents
  readonly publish: Publish
  readonly clock: Clock
}

/** The status page over HTTP, for those who write it. */
export const createStatusPageRoutes = (parts: StatusPageParts): Route[] => [
  ...createPageRoutes(parts),
  ...createIncidentRoutes(parts),
]

const createPageRoutes = ({ pages, publish }: StatusPageParts): Route[] => [
  bind(getStatusPage, async ({ request }) => {
    const { id, slug } = request.organization
    const row = await pages.of(id)
    return { body: row === null ? { ...EMPTY, slug, link: null } : pageJson(row, publish.linkOf(row)) }
  }),
  bind(updateStatusPage, async ({ body, request }) => {
    const { id: organizationId } = request.organization
    const before = await pages.of(organizationId)
    const version = (before?.link_version ?? 0) + (body.renewLink === true ? 1 : 0)
    const isSaved = await pages.save(organizationId, {
      slug: body.slug,
      title: body.title,
      is_on: body.isOn ? 1 : 0,
      is_public: body.isPublic ? 1 : 0,
      components: JSON.stringify(body.components),
      link_version: version,
    })
    if (!isSaved) throw conflict('This address is that of another organisation. Choose another slug.')
    await publish.changed(organizationId)
    const row = await pages.of(organizationId)
    if (row === null) throw notFound()
    return { body: pageJson(row, publish.linkOf(row)) }
  }),
]

const EMPTY = { title: 'Status', isOn: false, isPublic: false, components: [] }

const pageJson = (row: PageRow, link: string): StatusPage => ({
  slug: row.slug,
  title: row.title,
  isOn: row.is_on === 1,
  isPublic: row.is_public === 1,
  components: JSON.parse(row.components) as Component[],
  link: row.is_on === 1 ? link : null,
})

const createIncidentRoutes = ({ clock, incidents, publish }: StatusPageParts): Route[] => {
  const shown = async (organizationId: number, id: number): Promise<StatusIncident> => {
    const found = await incidents.one(organizationId, id)
    if (found === null) throw notFound()
    await publish.one(organizationId)
    return incidentJson(found, clock.now())
  }
  return [
    bind(listStatusIncidents, async ({ query, request }) => {
      const asked = readPage(query)
      const page = { ...asked, limit: Math.min(asked.limit, LIMITS.STATUS_LISTED_INCIDENTS) }
      const { page: links, rows } = toPage(await incidents.list(request.organization.id, page, clock.now()), page)
      return { body: rows.map((one) => incidentJson(one, clock.now())), page: links }
    }),
    bind(createStatusIncident, async ({ body, request }) => {
      const now = clock.now()
      const { id: organizationId } = request.organization
      const id = await incidents.add(
        organizationId,
        {
          kind: body.kind,
          title: body.title,
          impact: body.impact,
          status: body.status ?? (body.kind === 'maintenance' ? 'scheduled' : 'investigating'),
          components: JSON.stringify(body.components),
          ...readTimes(body, now),
          is_published: body.isPublished ? 1 : 0,
        },
        { text: body.text, userId: request.caller.user.id, at: now },
      )
      if (id === null) throw conflict('There are as many incidents as there may be. Delete old ones.')
      return { body: await shown(organizationId, id), status: 201 }
    }),
    bind(updateStatusIncident, async ({ body, params, request }) => {
      const { id: organizationId } = request.organization
      const before = await incidents.one(organizationId, readId(params.incident))
      if (before === null) throw notFound()
      const times = readTimes(
        {
          kind: before.kind,
          startsAt: body.startsAt ?? toDate(before.startsAt),
          endsAt: body.endsAt === undefined ? dateOrNull(before.endsAt) : body.endsAt,
        },
        clock.now(),
      )
      await incidents.change(
        organizationId,
        before.id,
        {
          ...times,
          ...(body.title === undefined ? {} : { title: body.title }),
          ...(body.impact === undefined ? {} : { impact: body.impact }),
          ...(body.components === undefined ? {} : { components: JSON.stringify(body.components) }),
          ...(body.isPublished === undefined ? {} : { is_published: body.isPublished ? 1 : 0 }),
        },
        clock.now(),
      )
      return { body: await shown(organizationId, before.id) }
    }),
    bind(addStatusUpdate, async ({ body, params, request }) => {
      const { id: organizationId } = request.organization
      const id = readId(params.incident)
      const update = { ...body, userId: request.caller.user.id, at: clock.now() }
      const outcome = await incidents.update(organizationId, id, update)
      if (outcome === 'gone') throw notFound()
      if (outcome === 'full') throw conflict('The incident has as many updates as it may have. Write another incident.')
      return { body: await shown(organizationId, id), status: 201 }
    }),
    bind(deleteStatusIncident, async ({ params, request }) => {
      const { id: organizationId } = request.organization
      if (!(await incidents.remove(organizationId, readId(params.incident)))) throw notFound()
      await publish.one(organizationId)
      return { body: null }
    }),
  ]
}

const readId = (text: string): number => (/^\d{1,15}$/.test(text) ? Number(text) : 0)

const dateOrNull = (at: number | null): string | null => (at === null ? null : toDate(at))

/** @throws HttpError 400 for times that are none */
const readTimes = (
  {
    endsAt,
    kind,
    startsAt,
  }: { readonly kind: string; readonly startsAt?: string | undefined; readonly endsAt?: string | null | undefined },
  now: number,
): { starts_at: number; ends_at: number | null } => {
  const from = startsAt === undefined ? now : Date.parse(startsAt)
  const to = endsAt === undefined || endsAt === null ? null : Date.parse(endsAt)
  if (Number.isNaN(from) || Number.isNaN(to ?? 0)) throw badRequest('A time is no date.', { startsAt: 'No date.' })
  if (kind === 'maintenance' && (to === null || to <= from)) {
    const detail = 'Work that is announced has an end, which is after its beginning.'
    throw badRequest(detail, { endsAt: detail })
  }
  return { starts_at: from, ends_at: to }
}

const incidentJson = (incident: KeptIncident, now: number): StatusIncident => ({
  id: String(incident.id),
  kind: incident.kind,
  title: incident.title,
  impact: incident.impact,
  status: incident.status,
  isPublished: incident.isPublished,
  updateCount: incident.updateCount,
  components: [...incident.components],
  phase: phaseOf(incident, now),
  startsAt: toDate(incident.startsAt),
  endsAt: dateOrNull(incident.endsAt),
  updates: incident.updates.map(({ at, status, text }) => ({ status, text, at: toDate(at) })),
})
