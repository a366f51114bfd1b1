import {
  getLog,
  getLogFacets,
  getLogVolume,
  listLogs,
  LOG_PAGE_MAX,
  LOG_TAIL_MAX,
  tailLogs,
  type Attribute,
  type FileFormat,
  type LogCounts,
  type LogLine,
  type WholeLog,
} from '@firsthand/contract'
import { readScope, type ProjectReference, type ScopeQuery } from '../accounts/index.ts'
import { badRequest, bind, notFound, orBadRequest, saveTable, type Route } from '../http/index.ts'
import type { Clock } from '../lib/clock.ts'
import { toDate } from '../lib/instant-text.ts'
import { lastDays, readInterval, unlessTooLarge, type Period } from '../search/index.ts'
import { compileLogSearch } from './log-search.ts'
import { LIMITS } from './limits.ts'
import { LOG_LEVELS } from './log.ts'
import {
  FACETS,
  type FacetKey,
  type FacetValue,
  type LogScope,
  type LogSummary,
  type LogView,
  type StoredLog,
} from './logs.view.ts'
import { formatLogId, formatPlace, parseLogId, parsePlace, placeAt, type LogPlace } from './place.ts'
import { COLUMN_OF } from './telemetry/log-row.ts'

/** What the routes of logs work with. */
export interface LogServices {
  readonly logs: LogView
  /** Living ones of an organisation. */
  readonly projects: (organizationId: number) => Promise<readonly ProjectReference[]>
  readonly clock: Clock
}

/** Log lines as the console shows them. */
export const createLogRoutes = (services: LogServices): Route[] => [
  listRoute(services),
  tailRoute(services),
  volumeRoute(services),
  facetsRoute(services),
  lineRoute(services),
]

interface Asked {
  readonly scope: LogScope
  readonly projects: readonly ProjectReference[]
}

/** @throws HttpError 400 */
const readLogScope = async (
  services: LogServices,
  organizationId: number,
  query: ScopeQuery & { readonly query?: string | undefined },
  fixed?: Period,
): Promise<Asked> => {
  const now = services.clock.now()
  const asked = orBadRequest(await readScope(services, organizationId, query, now))
  const filter = compileLogSearch(query.query ?? '', asked.projects, now)
  if (!filter.ok) throw badRequest(filter.error.message)
  return {
    projects: asked.projects,
    scope: {
      organizationId,
      projectIds: asked.projectIds,
      environments: asked.environments,
      period: fixed ?? asked.period ?? lastDays(now, 1),
      filter: filter.value,
    },
  }
}

const readPlace = (text: string | undefined): LogPlace | null => {
  if (text === undefined) return null
  const place = parsePlace(text)
  if (place === null) throw badRequest('The place is not one that this list gave out. Start without it.')
  return place
}

const listRoute = (services: LogServices): Route =>
  bind(listLogs, async ({ query, request }) => {
    const { scope } = await readLogScope(services, request.organization.id, query)
    const before = readPlace(query.before)
    const after = readPlace(query.after)
    if (before !== null && after !== null) throw badRequest('Ask for lines before a place or after one, not both.')
    const { format } = query
    if (format !== undefined) return saveLines(services, scope, format, request.signal)
    const direction = after === null ? 'older' : 'newer'
    const from = after ?? before
    const found = await unlessTooLarge(
      services.logs.find(scope, from, direction, query.limit ?? LOG_PAGE_MAX),
      scope.period,
    )
    const lines = direction === 'older' ? found.lines : found.lines.toReversed()
    const onwards = onwardsOf(found, direction)
    // What lies behind: nothing is before the newest lines of all; from a place on, whoever asks from there finds it.
    const back = from === null ? newestOf(lines) : (placeOf(lines.at(direction === 'older' ? 0 : -1)) ?? from)
    return {
      body: {
        lines: lines.map(lineJson),
        older: textOf(direction === 'older' ? onwards : back),
        newer: textOf(direction === 'older' ? back : onwards),
        searchedTo: found.lookedTo === null ? null : toDate(found.lookedTo),
      },
    }
  })

const COLUMNS = ['timestamp', 'level', 'body', 'isCut', 'service', 'logger', 'traceId', 'spanId', 'attributes', 'id']

/** The newest first, as the list begins. */
const saveLines = ({ logs }: LogServices, scope: LogScope, format: FileFormat, signal: AbortSignal) =>
  saveTable({ name: 'logs', format, columns: COLUMNS, signal }, async (cursor, limit) => {
    const found = await unlessTooLarge(logs.find(scope, readPlace(cursor ?? undefined), 'older', limit), scope.period)
    return { rows: found.lines.map(lineJson), next: textOf(onwardsOf(found, 'older')) }
  })

const placeOf = (line: LogSummary | undefined): LogPlace | null => line ?? null

const newestOf = (lines: readonly LogSummary[]): LogPlace | null => placeOf(lines[0])

const textOf = (place: LogPlace | null): string | null => (place === null ? null : formatPlace(place))

/** Where the next page in the same direction begins. */
const onwardsOf = (
  { lines, hasMore, lookedTo }: Awaited<ReturnType<LogView['find']>>,
  direction: 'older' | 'newer',
): LogPlace | null => {
  // Who looks for new lines may always ask again.
  if (direction === 'newer') return placeOf(lines.at(-1))
  if (!hasMore) return null
  return lookedTo === null ? placeOf(lines.at(-1)) : placeAt(lookedTo)
}

const tailRoute = (services: LogServices): Route =>
  bind(tailLogs, async ({ query, request }) => {
    const now = services.clock.now()
    const period = { from: now - LIMITS.LOG_TAIL_MS, to: now + LIMITS.LOG_TAIL_MS }
    const { scope } = await readLogScope(services, request.organization.id, query, period)
    const since = query.after ?? null
    if (since !== null && !/^\d{1,16}$/.test(since)) throw badRequest('"after" is the `next` of the answer before.')
    const { lines, next, skipped } = await services.logs.tail(scope, since, query.limit ?? LOG_TAIL_MAX)
    return { body: { lines: lines.map(lineJson), next, skipped } }
  })

const countsOf = (counts: readonly number[]): LogCounts => ({
  trace: counts[0] ?? 0,
  debug: counts[1] ?? 0,
  info: counts[2] ?? 0,
  warn: counts[3] ?? 0,
  error: counts[4] ?? 0,
  fatal: counts[5] ?? 0,
})

const volumeRoute = (services: LogServices): Route =>
  bind(getLogVolume, async ({ query, request }) => {
    const { scope } = await readLogScope(services, request.organization.id, query)
    const { from, to } = scope.period
    const buckets = readInterval(undefined, scope.period, LIMITS.LOG_BUCKETS)
    const [steps, before] = await unlessTooLarge(
      Promise.all([
        services.logs.volume(scope, buckets),
        services.logs.total({ ...scope, period: { from: from - (to - from), to: from } }),
      ]),
      scope.period,
    )
    const total = LOG_LEVELS.map((_, level) => [...steps.values()].reduce((sum, step) => sum + (step[level] ?? 0), 0))
    return {
      body: {
        total: countsOf(total),
        before: countsOf(before),
        interval: buckets.interval,
        start: buckets.start,
        steps: Array.from({ length: buckets.count }, (_, index) => steps.get(index) ?? LOG_LEVELS.map(() => 0)),
      },
    }
  })

/** By which keys else a facet is searched for. */
const OTHER_KEYS: Readonly<Partial<Record<FacetKey, readonly string[]>>> = {
  level: ['severity'],
  project: ['project.name', 'project.id'],
  service: ['service.name'],
  logger: ['logger.name'],
  server: ['server.address'],
}

const facetsRoute = (services: LogServices): Route =>
  bind(getLogFacets, async ({ query, request }) => {
    const { scope, projects } = await readLogScope(services, request.organization.id, query)
    const slugs = new Map(projects.map(({ id, slug }) => [String(id), slug]))
    const nameOf = (key: string, value: string): string => (key === 'project' ? (slugs.get(value) ?? value) : value)
    const json = (key: string, found: readonly FacetValue[]) => ({
      key,
      values: found.slice(0, LIMITS.LOG_FACET_VALUES).map(({ value, count }) => ({ value: nameOf(key, value), count })),
      hasMore: found.length > LIMITS.LOG_FACET_VALUES,
    })
    const keys = Object.keys(FACETS) as FacetKey[]
    const attributes = query.attribute ?? []
    /** Beside the values that are asked for stand those that could be: each of these is counted without them. */
    const withoutOwn = (names: readonly string[]): LogScope | null => {
      const filter = compileLogSearch(query.query ?? '', projects, services.clock.now(), names)
      return filter.ok && filter.value.sql !== scope.filter.sql ? { ...scope, filter: filter.value } : null
    }
    const own = new Map(keys.map((key) => [key, withoutOwn([key, ...(OTHER_KEYS[key] ?? [])])]))
    const common = keys.filter((key) => own.get(key) === null)
    const [offered, together, apart, others] = await unlessTooLarge(
      Promise.all([
        services.logs.attributes(scope),
        services.logs.facets(scope, common),
        Promise.all(
          [...own].map(async ([key, narrowed]) => (narrowed === null ? null : services.logs.facets(narrowed, [key]))),
        ),
        Promise.all(
          attributes.map(async (name) =>
            json(name, await services.logs.attributeValues(withoutOwn([name]) ?? scope, name)),
          ),
        ),
      ]),
      scope.period,
    )
    const columns = keys.map((key, place) => json(key, (apart[place] ?? together).get(key) ?? []))
    return { body: { facets: [...columns, ...others], attributes: offered } }
  })

const lineRoute = (services: LogServices): Route =>
  bind(getLog, async ({ params, request }) => {
    const { id: organizationId } = request.organization
    const place = parseLogId(params.log)
    if (place === null) throw notFound()
    const projects = await services.projects(organizationId)
    const found = await services.logs.one({ organizationId, projectIds: projects.map(({ id }) => id) }, place)
    if (found === null) throw notFound()
    return { body: wholeJson(found) }
  })

const typed = (
  { strings, numbers, flags }: Pick<LogSummary, 'strings' | 'numbers' | 'flags'>,
  lists: Readonly<Record<string, string>> = {},
): Attribute[] => [
  ...Object.entries(strings).map(([name, value]): Attribute => ({ name, type: 'string', value })),
  ...Object.entries(numbers).map(([name, value]): Attribute => ({ name, type: 'number', value })),
  ...Object.entries(flags).map(([name, value]): Attribute => ({ name, type: 'boolean', value })),
  ...Object.entries(lists).map(([name, value]): Attribute => ({ name, type: 'array', value: readList(value) })),
]

/** As it was written by us. */
const readList = (json: string): unknown[] => {
  const list: unknown = JSON.parse(json)
  return Array.isArray(list) ? list : [list]
}

const lineJson = (line: LogSummary): LogLine => ({
  id: formatLogId(line),
  place: formatPlace(line),
  projectId: String(line.projectId),
  timestamp: toDate(line.at),
  level: line.level,
  body: line.body,
  isCut: line.isCut,
  pattern: line.pattern,
  service: line.service,
  logger: line.logger,
  traceId: line.traceId,
  spanId: line.spanId,
  attributes: typed(line).slice(0, LIMITS.LOG_ATTRIBUTES_SHOWN),
})

const NANOSECONDS = 1_000_000n

const wholeJson = (line: StoredLog): WholeLog => ({
  ...lineJson(line),
  precise: (BigInt(line.at) * NANOSECONDS + BigInt(line.nanos)).toString(),
  severity: line.severity,
  environment: line.environment,
  release: line.release,
  server: line.server,
  sdk: line.sdkVersion === '' ? line.sdkName : `${line.sdkName}/${line.sdkVersion}`,
  received: toDate(line.received),
  size: line.payloadSize,
  notes: [...line.notes],
  attributes: allAttributes(line),
})

/** What a column is called in `StoredLog`. */
const FIELD_OF: Readonly<Record<string, keyof StoredLog>> = { sdk_name: 'sdkName', sdk_version: 'sdkVersion' }

/** All attributes by name, whether they are kept in a column or in a map. */
const allAttributes = (line: StoredLog): Attribute[] => {
  const ofColumns = [...COLUMN_OF].flatMap(([name, column]): Attribute[] => {
    const value = line[FIELD_OF[column] ?? (column as keyof StoredLog)]
    return typeof value === 'string' && value !== '' ? [{ name, type: 'string', value }] : []
  })
  return [...ofColumns, ...typed(line, line.lists)].toSorted((one, other) => (one.name < other.name ? -1 : 1))
}
