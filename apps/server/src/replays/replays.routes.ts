import {
  getProjectReplay,
  getReplay,
  listReplays,
  replay as replayShape,
  REPLAYS_PER_PAGE,
  type ArchivedReplay,
  type Replay,
} from '@firsthand/contract'
import { readScope } from '../accounts/index.ts'
import { badRequest, bind, notFound, orBadRequest, readPage, toPage, type Route } from '../http/index.ts'
import { toDate } from '../lib/instant-text.ts'
import { lastDays, unlessTooLarge } from '../search/index.ts'
import { lookInOrganization, lookInProject, type Finding, type FoundOrArchived } from './find-replay.ts'
import { askForReplays, type ReplaySearching } from './list/asked-replays.ts'
import { VALUES } from './list/columns.ts'
import type { ReplaySort } from './list/list.view.ts'
import type { ReplayFilter } from './list/replay-search.ts'
import { shownWords } from './list/shown-words.ts'
import { LIMITS } from './limits.ts'
import { archivedJson } from './replay-json.ts'
import { firstErrors } from './list/first-errors.ts'
import { replaysForCaller, withReported, type Answering } from './replays-for-caller.ts'
import type { ReplayRecord, ReplayReference, ShownText } from './replay.ts'
import type { Granted, ReplayServices } from './services.ts'

type ListServices = Answering &
  Pick<ReplayServices, 'projects'> &
  ReplaySearching &
  Granted<{ issues: 'merges'; replays: 'list' | 'readable' | 'shown' }>

/** Replays as Sentry's clients and the console read them. */
export const createReplayRoutes = (services: Finding & ListServices): Route[] => [
  listRoute(services),
  oneRoute(services),
  ofProjectRoute(services),
]

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

/** What lists have beyond Sentry's. */
const OWN_FIELDS = ['first_error', 'first_video', 'has_picture'] as const
type OwnField = (typeof OWN_FIELDS)[number]

const isOwnField = (name: string): name is OwnField => (OWN_FIELDS as readonly string[]).includes(name)

/** @throws HttpError 400 */
const readFields = (names: readonly string[] | undefined): ReadonlySet<keyof Replay | OwnField> | null => {
  if (names === undefined || names.length === 0) return null
  return new Set(
    names.map((written) => {
      // `browser.name` is a part of `browser`, and answered with it.
      const [name = ''] = written.split('.')
      if (!isField(name) && !isOwnField(name)) throw badRequest(`"${written}" is no field of a replay.`)
      return name
    }),
  )
}

const listRoute = (services: ListServices): Route =>
  bind(listReplays, async ({ query, request }) => {
    const { clock, replays } = services
    const now = clock.now()
    const project = [...(query.project ?? []), ...(query.projectSlug ?? [])]
    const asked = orBadRequest(await readScope(services, request.organization.id, { ...query, project }, now))
    const fields = readFields(query.field)
    const scope = { organizationId: request.organization.id, projectIds: asked.projectIds }
    const period = asked.period ?? lastDays(now, LIMITS.REPLAY_LIST_DAYS)
    const userId = request.caller.user.id
    const filter = await askForReplays(
      services,
      { organizationId: scope.organizationId, projects: asked.projects },
      { written: query.query ?? '', period, userId },
    )
    if (!filter.ok) throw badRequest(filter.error.message)
    const choice = {
      filter: filter.value,
      environments: asked.environments,
      period,
      sort: readSort(query.sort ?? query.sortBy ?? query.orderBy ?? '-started_at'),
    }
    const page = readPage({ cursor: query.cursor, limit: query.per_page ?? REPLAYS_PER_PAGE })
    const found = await unlessTooLarge(replays.list(scope, choice, page), choice.period)
    const { rows, page: links } = toPage(found, page)
    const { asksForText } = choice.filter
    const [all, shown, text] = await Promise.all([
      withReported(services, scope, rows, { userId, wantsClicks: fields === null || fields.has('clicks') }),
      replays.shown(scope, rows, choice),
      asksForText ? replays.readable(scope, choice) : undefined,
    ])
    const errors = fields?.has('first_error') === true ? await firstErrors(services, scope.organizationId, all) : null
    const data = all.map(({ replay }, index) => ({
      ...(fields === null ? replay : only(replay, fields)),
      ...(asksForText ? shownJson(rows[index], shown, choice.filter) : {}),
      ...(errors === null ? {} : { first_error: errors[index] ?? null }),
      ...(fields?.has('has_picture') === true ? { has_picture: rows[index]?.hasPicture === true } : {}),
      ...(fields?.has('first_video') === true ? { first_video: videoOf(rows[index]) } : {}),
    }))
    return { body: { data, ...(text === undefined ? {} : { text }) }, page: links }
  })

const videoOf = (record: ReplayRecord | undefined): number | null =>
  record === undefined || record.firstVideo < 0 ? null : record.firstVideo

const shownJson = (
  record: ReplayRecord | undefined,
  shownIn: (replay: ReplayReference) => ShownText | null,
  { shownWords: wanted }: Pick<ReplayFilter, 'shownWords'>,
) => {
  const shown = record === undefined ? null : shownIn(record)
  if (shown === null) return { shown_at: null, shown_words: null }
  return { shown_at: toDate(shown.at), shown_words: shownWords(shown.words, wanted) }
}

const only = (replay: Replay, fields: ReadonlySet<string>): Partial<Replay> =>
  Object.fromEntries(Object.entries(replay).filter(([name]) => isField(name) && fields.has(name)))

const answer = async (
  services: Answering,
  asked: FoundOrArchived,
  userId: number,
): Promise<{ data: Replay | ArchivedReplay }> => {
  if ('archived' in asked) return { data: archivedJson(asked.archived) }
  const [data] = await replaysForCaller(services, asked.scope, [asked.record], { userId, wantsClicks: true })
  if (data === undefined) throw notFound()
  return { data }
}

const oneRoute = (services: Answering & Finding): Route =>
  bind(getReplay, async ({ params, query, request }) => {
    const asked = await lookInOrganization(services, request.organization.id, params.replay, query.project)
    return { body: await answer(services, asked, request.caller.user.id) }
  })

const ofProjectRoute = (services: Answering & Finding): Route =>
  bind(getProjectReplay, async ({ params, request }) => {
    const asked = await lookInProject(services, request.organization.id, params)
    return { body: await answer(services, asked, request.caller.user.id) }
  })
