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
import type { IssueView } from '../issues/index.ts'
import type { Clock } from '../lib/clock.ts'
import { toDate } from '../lib/instant-text.ts'
import { lastDays, unlessTooLarge } from '../search/index.ts'
import { playbackJson } from './playback.ts'
import { VALUES } from './list/columns.ts'
import { compileReplaySearch, issuesNamed, type IssueIds } from './list/replay-search.ts'
import type { ReplayDeletions } from './ledger/replay-deletions.ts'
import type { ReplayViews } from './ledger/replay-views.ts'
import { archivedJson, replayJson } from './replay-json.ts'
import type { ReplayRecord, ReplayReference, ReplayScope, ReplaySort, ReplayView } from './replays.view.ts'

/** What the routes of replays work with. */
export interface ReplayServices {
  readonly replays: ReplayView
  /** Living ones of an organisation. */
  readonly projects: (organizationId: number) => Promise<readonly ProjectReference[]>
  readonly deletions: Pick<ReplayDeletions, 'find'>
  readonly views: ReplayViews
  readonly issues: Pick<IssueView, 'records' | 'shortIds'>
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

const isSort = (name: string): name is ReplaySort['field'] => Object.hasOwn(VALUES, name)

/** @throws HttpError 400 */
const readSort = (written: string): ReplaySort => {
  const descending = written.startsWith('-')
  const field = descending ? written.slice(1) : written
  if (!isSort(field))
    throw badRequest(`Replays cannot be sorted by "${field}". Use one of: ${Object.keys(VALUES).join(', ')}.`)
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
    const written = query.query ?? ''
    const issues = await storedIssues(services, request.organization.id, issuesNamed(written))
    const filter = compileReplaySearch(written, { projects: asked.projects, issues, now })
    if (!filter.ok) throw badRequest(filter.error.message)
    const scope = { organizationId: request.organization.id, projectIds: asked.projectIds }
    const choice = {
      filter: filter.value,
      environments: asked.environments,
      period: asked.period ?? lastDays(now, DAYS),
      sort: readSort(query.sort ?? query.sortBy ?? query.orderBy ?? '-started_at'),
    }
    const page = readPage({ cursor: query.cursor, limit: query.per_page ?? REPLAYS_PER_PAGE })
    const found = await unlessTooLarge(replays.list(scope, choice, page), choice.period)
    const { rows, page: links } = toPage(found, page)
    const { asksForText } = choice.filter
    const [all, shownAt, text] = await Promise.all([
      jsonOf(services, scope, rows, request.caller.user.id),
      replays.shown(scope, rows, choice),
      asksForText ? replays.readable(scope, choice) : undefined,
    ])
    const data = all.map((one, index) => ({
      ...(fields === null ? one : only(one, fields)),
      ...(asksForText ? { shown_at: dateOf(rows[index], shownAt) } : {}),
    }))
    return { body: { data, ...(text === undefined ? {} : { text }) }, page: links }
  })

/** Also what was reported before the issue was merged into this one. */
const storedIssues = async (
  { issues }: ReplayServices,
  organizationId: number,
  shortIds: readonly string[],
): Promise<IssueIds> => {
  if (shortIds.length === 0) return new Map()
  const found = await issues.shortIds(organizationId, shortIds)
  const records = await issues.records(organizationId, [...found.values()])
  return new Map(
    [...found].map(([shortId, id]) => [shortId, records.find((one) => one.id === id)?.storedIds ?? [id]] as const),
  )
}

const dateOf = (
  record: ReplayRecord | undefined,
  momentOf: (replay: ReplayReference) => number | null,
): string | null => {
  const at = record === undefined ? null : momentOf(record)
  return at === null ? null : toDate(at)
}

const only = (replay: Replay, fields: ReadonlySet<keyof Replay>): Partial<Replay> =>
  Object.fromEntries(Object.entries(replay).filter(([name]) => isField(name) && fields.has(name)))

export const jsonOf = async (
  { replays, views }: ReplayServices,
  scope: ReplayScope,
  records: readonly ReplayRecord[],
  userId: number,
): Promise<Replay[]> => {
  const [reported, seen] = await Promise.all([replays.events(scope, records), views.seenBy(records, userId)])
  return records.map((record) => {
    const isOf = ({ projectId, replayId }: ReplayReference): boolean =>
      projectId === record.projectId && replayId === record.replayId
    return replayJson(record, { reported: reported.filter(isOf), hasViewed: seen.some(isOf) })
  })
}

export interface FoundReplay {
  readonly scope: ReplayScope
  readonly projects: readonly ProjectReference[]
  readonly record: ReplayRecord
}

type Asked = FoundReplay | { readonly archived: ReplayReference }

/** A replay of an organisation, or what is left of one that was deleted. @throws HttpError 400, 404 */
const look = async (
  { deletions, projects, replays }: ReplayServices,
  organizationId: number,
  written: string,
  references?: readonly string[],
): Promise<Asked> => {
  const living = await projects(organizationId)
  const chosen = orBadRequest(chooseProjects(living, references))
  const replayId = readTraceId(written)
  if (replayId === null) throw notFound()
  const scope = { organizationId, projectIds: chosen.map(({ id }) => id) }
  const archived = await deletions.find(scope.projectIds, replayId)
  if (archived !== null) return { archived }
  const record = await replays.find(scope, replayId)
  if (record === null) throw notFound()
  return { scope, projects: living, record }
}

interface OfProject {
  readonly project: string
  readonly replay: string
}

/** @throws HttpError 404 */
const lookInProject = async (
  services: ReplayServices,
  organizationId: number,
  { project, replay }: OfProject,
): Promise<Asked> => {
  const living = await services.projects(organizationId)
  const found = living.find(({ id, slug }) => slug === project || String(id) === project)
  if (found === undefined) throw notFound()
  return look(services, organizationId, replay, [found.slug])
}

/** @throws HttpError 404 also for one that was deleted */
const present = (asked: Asked): FoundReplay => {
  if ('archived' in asked) throw notFound('This replay was deleted.')
  return asked
}

/** @throws HttpError 404 */
export const findOfProject = async (
  services: ReplayServices,
  organizationId: number,
  params: OfProject,
): Promise<FoundReplay> => present(await lookInProject(services, organizationId, params))

/** @throws HttpError 404 */
export const findOfOrganization = async (
  services: ReplayServices,
  organizationId: number,
  replayId: string,
): Promise<FoundReplay> => present(await look(services, organizationId, replayId))

const answer = async (services: ReplayServices, asked: Asked, userId: number): Promise<{ data: Replay }> => {
  if ('archived' in asked) return { data: archivedJson(asked.archived) }
  const [data] = await jsonOf(services, asked.scope, [asked.record], userId)
  if (data === undefined) throw notFound()
  return { data }
}

const oneRoute = (services: ReplayServices): Route =>
  bind(getReplay, async ({ params, query, request }) => {
    const asked = await look(services, request.organization.id, params.replay, query.project)
    return { body: await answer(services, asked, request.caller.user.id) }
  })

const ofProjectRoute = (services: ReplayServices): Route =>
  bind(getProjectReplay, async ({ params, request }) => {
    const asked = await lookInProject(services, request.organization.id, params)
    return { body: await answer(services, asked, request.caller.user.id) }
  })

const playbackRoute = (services: ReplayServices): Route =>
  bind(getReplayPlayback, async ({ params, request }) => {
    const { projects, record, scope } = await findOfOrganization(services, request.organization.id, params.replay)
    const { replays, views } = services
    const [segments, marks, reported, seen] = await Promise.all([
      replays.segments(scope, record),
      replays.marks(scope, record),
      replays.events(scope, [record]),
      views.seenBy([record], request.caller.user.id),
    ])
    const ofProject = reported.filter(({ projectId }) => projectId === record.projectId)
    const projectSlug = projects.find(({ id }) => id === record.projectId)?.slug ?? ''
    const hasViewed = seen.some(({ projectId }) => projectId === record.projectId)
    return {
      body: playbackJson(
        { record, segments, marks, reported: ofProject },
        { replay: replayJson(record, { reported: ofProject, hasViewed }), projectSlug },
      ),
    }
  })
