import {
  getProjectReplay,
  getReplay,
  getReplayPlayback,
  listReplays,
  replay as replayShape,
  REPLAYS_PER_PAGE,
  type Replay,
} from '@firsthand/contract'
import { chooseProjects, readScope, type ProjectReference } from '../accounts/index.ts'
import { readTraceId } from '../event/index.ts'
import { badRequest, bind, notFound, orBadRequest, readPage, toPage, type Route } from '../http/index.ts'
import type { Clock } from '../lib/clock.ts'
import { lastDays } from '../search/index.ts'
import { playbackJson } from './playback.ts'
import { replayJson } from './replay-json.ts'
import { SORTS, type ReplayRecord, type ReplayScope, type ReplaySort, type ReplayView } from './replays.view.ts'

/** What the routes of replays work with. */
export interface ReplayServices {
  readonly replays: ReplayView
  /** Living ones of an organisation. */
  readonly projects: (organizationId: number) => Promise<readonly ProjectReference[]>
  readonly clock: Clock
}

/** Replays as Sentry's clients and the console read them. */
export const createReplayRoutes = (services: ReplayServices): Route[] => [
  listRoute(services),
  oneRoute(services),
  ofProjectRoute(services),
  playbackRoute(services),
]

const DAYS = 14

const isSort = (name: string): name is ReplaySort['field'] => Object.hasOwn(SORTS, name)

/** @throws HttpError 400 */
const readSort = (written: string): ReplaySort => {
  const descending = written.startsWith('-')
  const field = descending ? written.slice(1) : written
  if (!isSort(field))
    throw badRequest(`Replays cannot be sorted by "${field}". Use one of: ${Object.keys(SORTS).join(', ')}.`)
  return { field, descending }
}

const isField = (name: string): name is keyof Replay => Object.hasOwn(replayShape.shape, name)

/** @throws HttpError 400 */
const readFields = (names: readonly string[] | undefined): ReadonlySet<keyof Replay> | null => {
  if (names === undefined || names.length === 0) return null
  return new Set(
    names.map((written) => {
      // `browser.name` is a part of `browser`, and answered with it.
      const [name = ''] = written.split('.')
      if (!isField(name)) throw badRequest(`"${written}" is no field of a replay.`)
      return name
    }),
  )
}

const listRoute = (services: ReplayServices): Route =>
  bind(listReplays, async ({ query, request }) => {
    const { clock, replays } = services
    const now = clock.now()
    const project = [...(query.project ?? []), ...(query.projectSlug ?? [])]
    const asked = orBadRequest(await readScope(services, request.organization.id, { ...query, project }, now))
    const fields = readFields(query.field)
    const scope = { organizationId: request.organization.id, projectIds: asked.projectIds }
    const choice = {
      environments: asked.environments,
      period: asked.period ?? lastDays(now, DAYS),
      sort: readSort(query.sort ?? query.sortBy ?? query.orderBy ?? '-started_at'),
    }
    const page = readPage({ cursor: query.cursor, limit: query.per_page ?? REPLAYS_PER_PAGE })
    const { rows, page: links } = toPage(await replays.list(scope, choice, page), page)
    const data = await jsonOf(services, scope, rows)
    return { body: { data: fields === null ? data : data.map((one) => only(one, fields)) }, page: links }
  })

const only = (replay: Replay, fields: ReadonlySet<keyof Replay>): Partial<Replay> =>
  Object.fromEntries(Object.entries(replay).filter(([name]) => isField(name) && fields.has(name)))

const jsonOf = async (
  { replays }: ReplayServices,
  scope: ReplayScope,
  records: readonly ReplayRecord[],
): Promise<Replay[]> => {
  const reported = await replays.events(scope, records)
  return records.map((record) =>
    replayJson(
      record,
      reported.filter(({ projectId, replayId }) => projectId === record.projectId && replayId === record.replayId),
    ),
  )
}

interface Found {
  readonly scope: ReplayScope
  readonly projects: readonly ProjectReference[]
  readonly record: ReplayRecord
}

/** @throws HttpError 400, 404 */
const find = async (
  { projects, replays }: ReplayServices,
  organizationId: number,
  written: string,
  references?: readonly string[],
): Promise<Found> => {
  const living = await projects(organizationId)
  const chosen = orBadRequest(chooseProjects(living, references))
  const replayId = readTraceId(written)
  if (replayId === null) throw notFound()
  const scope = { organizationId, projectIds: chosen.map(({ id }) => id) }
  const record = await replays.find(scope, replayId)
  if (record === null) throw notFound()
  return { scope, projects: living, record }
}

const oneRoute = (services: ReplayServices): Route =>
  bind(getReplay, async ({ params, query, request }) => {
    const { record, scope } = await find(services, request.organization.id, params.replay, query.project)
    return { body: { data: await single(services, scope, record) } }
  })

const single = async (services: ReplayServices, scope: ReplayScope, record: ReplayRecord): Promise<Replay> => {
  const [data] = await jsonOf(services, scope, [record])
  if (data === undefined) throw notFound()
  return data
}

const ofProjectRoute = (services: ReplayServices): Route =>
  bind(getProjectReplay, async ({ params, request }) => {
    const living = await services.projects(request.organization.id)
    const project = living.find(({ id, slug }) => slug === params.project || String(id) === params.project)
    if (project === undefined) throw notFound()
    const { record, scope } = await find(services, request.organization.id, params.replay, [project.slug])
    return { body: { data: await single(services, scope, record) } }
  })

const playbackRoute = (services: ReplayServices): Route =>
  bind(getReplayPlayback, async ({ params, request }) => {
    const { projects, record, scope } = await find(services, request.organization.id, params.replay)
    const { replays } = services
    const [segments, marks, reported] = await Promise.all([
      replays.segments(scope, record),
      replays.marks(scope, record),
      replays.events(scope, [record]),
    ])
    const ofProject = reported.filter(({ projectId }) => projectId === record.projectId)
    const projectSlug = projects.find(({ id }) => id === record.projectId)?.slug ?? ''
    return {
      body: playbackJson(
        { record, segments, marks, reported: ofProject },
        { replay: replayJson(record, ofProject), projectSlug },
      ),
    }
  })
