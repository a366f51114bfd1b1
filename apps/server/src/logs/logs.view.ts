import type { ClickHouseClient } from '@clickhouse/client'
import {
  hexOfNumber,
  hexOfNumberOrNone,
  hexOfUuidOrNone,
  numberOfHex,
  rowsOf,
  type Buckets,
  type Period,
  type RowFilter,
  type RowQuery,
} from '../search/index.ts'
import { LIMITS } from './limits.ts'
import { LOG_LEVELS, type LogLevel } from './log.ts'
import type { LogPlace } from './place.ts'
import { nextWindow } from './windows.ts'

/** What telemetry knows about log lines. Every question names the organisation and projects that the caller may see. */

export interface LogProjects {
  readonly organizationId: number
  readonly projectIds: readonly number[]
}

/** Which lines are asked for. */
export interface LogScope extends LogProjects {
  readonly environments: readonly string[]
  readonly period: Period
  readonly filter: RowFilter
}

/** A line as a list shows it. */
export interface LogSummary extends LogPlace {
  readonly projectId: number
  readonly level: LogLevel
  readonly body: string
  readonly isCut: boolean
  readonly service: string
  readonly logger: string
  readonly pattern: string
  readonly traceId: string
  readonly spanId: string
  readonly strings: Readonly<Record<string, string>>
  readonly numbers: Readonly<Record<string, number>>
  readonly flags: Readonly<Record<string, boolean>>
}

/** A line with all that it says. */
export interface StoredLog extends LogSummary {
  readonly severity: number
  readonly environment: string
  readonly release: string
  readonly server: string
  readonly sdkName: string
  readonly sdkVersion: string
  readonly origin: string
  readonly payloadSize: number
  /** JSON texts. */
  readonly lists: Readonly<Record<string, string>>
  readonly notes: readonly string[]
  /** Milliseconds since the epoch. */
  readonly received: number
}

export interface FoundLogs {
  /** Nearest first. */
  readonly lines: readonly LogSummary[]
  /** Whether there are more in this direction. */
  readonly hasMore: boolean
  /** How far was looked when the time was up; null when that is the end. */
  readonly lookedTo: number | null
}

/** Columns whose values are counted, by the key by which they are searched for. */
export const FACETS = {
  level: 'logs.level',
  project: 'logs.project_id',
  service: 'logs.service',
  logger: 'logs.logger',
  release: 'logs.release',
  environment: 'logs.environment',
  server: 'logs.server',
  pattern: 'logs.pattern',
} as const
export type FacetKey = keyof typeof FACETS

export interface FacetValue {
  readonly value: string
  readonly count: number
}

export type LogView = ReturnType<typeof createLogView>

const PLACE = `toUnixTimestamp64Milli(logs.timestamp) AS at, logs.nanos AS nanos, logs.sequence AS sequence,
  ${hexOfNumber('logs.id')} AS id, logs.project_id AS projectId`

/** What SDKs add to every line by themselves. */
const OF_SDKS =
  "'^(sentry|resource|browser|os|device|user_agent|culture|telemetry|user[.]geo|user[.]ip_address)($|[.])'"

const shown = (map: string, value: string): string =>
  `mapApply((name, value) -> (name, ${value}), mapFilter((name, value) -> NOT match(name, ${OF_SDKS}), logs.${map}))`

const SUMMARY = `${PLACE}, logs.level AS level, logs.service AS service, logs.logger AS logger,
  logs.pattern AS pattern, ${hexOfUuidOrNone('logs.trace_id')} AS traceId,
  ${hexOfNumberOrNone('logs.span_id')} AS spanId`

const SHORT = `${SUMMARY}, substringUTF8(logs.body, 1, ${LIMITS.LOG_BODY_SHOWN_CHARS}) AS body,
  toBool(lengthUTF8(logs.body) > ${LIMITS.LOG_BODY_SHOWN_CHARS}) AS isCut,
  ${shown('strings', `substringUTF8(value, 1, ${LIMITS.LOG_VALUE_SHOWN_CHARS})`)} AS strings,
  ${shown('numbers', 'value')} AS numbers, ${shown('flags', 'value')} AS flags`

const WHOLE = `${SUMMARY}, concat(logs.body, logs.body_rest) AS body, false AS isCut, logs.strings AS strings,
  logs.numbers AS numbers, logs.flags AS flags, logs.lists AS lists, logs.severity AS severity,
  logs.environment AS environment, logs.release AS release, logs.server AS server, logs.sdk_name AS sdkName,
  logs.sdk_version AS sdkVersion, logs.origin AS origin, logs.payload_size AS payloadSize,
  logs.notes AS notes, toUnixTimestamp64Milli(logs.received) AS received`

const OWN = `logs.organization_id = {organization:UInt32} AND logs.project_id IN {projects:Array(UInt64)}`

const ID = numberOfHex('{id:String}')

type Params = Readonly<Record<string, unknown>>

const ownParams = ({ organizationId, projectIds }: LogProjects): Params => ({
  organization: organizationId,
  projects: projectIds,
})

const whereOf = (scope: LogScope): { readonly where: string; readonly params: Params } => {
  const { environments, filter, period } = scope
  const narrowed = environments.length === 0 ? '' : ' AND logs.environment IN {environments:Array(String)}'
  return {
    where: `${OWN} AND logs.timestamp >= fromUnixTimestamp64Milli({from:Int64})
      AND logs.timestamp < fromUnixTimestamp64Milli({to:Int64})${narrowed} AND (${filter.sql})`,
    params: { ...ownParams(scope), ...filter.params, environments, from: period.from, to: period.to },
  }
}

/** Which way a list goes on from a place. */
type Direction = 'older' | 'newer'

const beyond = (direction: Direction): string => {
  const sign = direction === 'older' ? '<' : '>'
  return `(logs.timestamp ${sign} fromUnixTimestamp64Milli({at:Int64})
    OR logs.timestamp = fromUnixTimestamp64Milli({at:Int64})
      AND (logs.nanos, logs.sequence, logs.id) ${sign} ({nanos:UInt32}, {sequence:UInt32}, ${ID}))`
}

const ORDER = ['logs.timestamp', 'logs.nanos', 'logs.sequence', 'logs.id', 'logs.project_id']

const orderBy = (direction: Direction): string =>
  `ORDER BY ${ORDER.map((column) => `${column} ${direction === 'older' ? 'DESC' : 'ASC'}`).join(', ')}`

const keyOf = ({ projectId, at, nanos, sequence, id }: LogPlace & { readonly projectId: number }): string =>
  `${projectId} ${at} ${nanos} ${sequence} ${id}`

type Place = LogPlace & { readonly projectId: number }

export const createLogView = ({ client }: { readonly client: ClickHouseClient }) => {
  const query = rowsOf(client)
  const lines = linesOf(query)
  return { find: findWith(query, lines), tail: tailWith(query, lines), ...single(query), ...sums(query) }
}

type LinesAt = (scope: LogProjects, places: readonly Place[]) => Promise<LogSummary[]>

/** What stands at these places, in their order; a line that was sent twice once. */
const linesOf =
  (query: RowQuery): LinesAt =>
  async (scope, places) => {
    if (places.length === 0) return []
    const times = places.map(({ at }) => at)
    const rows = await query<LogSummary>(
      `SELECT ${SHORT} FROM logs WHERE ${OWN} AND logs.timestamp >= fromUnixTimestamp64Milli({from:Int64})
        AND logs.timestamp <= fromUnixTimestamp64Milli({to:Int64}) AND logs.id IN {ids:Array(UInt64)}`,
      {
        ...ownParams(scope),
        from: Math.min(...times),
        to: Math.max(...times),
        ids: places.map(({ id }) => BigInt(`0x${id}`)),
      },
    )
    const byKey = new Map(rows.map((row) => [keyOf(row), row]))
    return [...new Set(places.map(keyOf))].flatMap((key) => byKey.get(key) ?? [])
  }

const placesIn = (
  query: RowQuery,
  scope: LogScope,
  from: LogPlace | null,
  { direction, limit }: { readonly direction: Direction; readonly limit: number },
): Promise<Place[]> => {
  const { where, params } = whereOf(scope)
  const condition = from === null ? '' : ` AND ${beyond(direction)}`
  return query<Place>(
    `SELECT ${PLACE} FROM logs WHERE ${where}${condition} ${orderBy(direction)} LIMIT {limit:UInt32}`,
    { ...params, ...from, limit },
  )
}

/**
 * Looks near the place first and further away in growing windows, so that a page of a busy project is found without
 * reading what is older, and one of a quiet project with few questions. Of a search that finds one line in thousands, the
 * last window would be most of what is read: it is as long as what was found before says.
 */
const findWith =
  (query: RowQuery, linesAt: LinesAt) =>
  async (scope: LogScope, from: LogPlace | null, direction: Direction, limit: number): Promise<FoundLogs> => {
    const began = performance.now()
    const { period } = scope
    const isOlder = direction === 'older'
    const places: Place[] = []
    let length: number = LIMITS.LOG_WINDOW_MS
    let looked = 0
    let near = isOlder ? Math.min(period.to, (from?.at ?? Infinity) + 1) : Math.max(period.from, from?.at ?? -Infinity)
    for (;;) {
      const far = isOlder ? Math.max(period.from, near - length) : Math.min(period.to, near + length)
      const window = isOlder ? { from: far, to: near } : { from: near, to: far }
      const before = places.length
      places.push(
        ...(await placesIn(query, { ...scope, period: window }, from, { direction, limit: limit + 1 - places.length })),
      )
      const isEnd = far === (isOlder ? period.from : period.to)
      const isLate = performance.now() - began > LIMITS.LOG_SEARCH_MS
      if (places.length > limit || isEnd || isLate) {
        const isUnfinished = places.length <= limit && !isEnd
        return {
          lines: await linesAt(scope, places.slice(0, limit)),
          hasMore: places.length > limit || isUnfinished,
          lookedTo: isUnfinished ? far : null,
        }
      }
      near = far
      looked += window.to - window.from
      length = nextWindow(length, {
        found: places.length,
        wanted: limit + 1,
        looked,
        isEmpty: places.length === before,
      })
    }
  }

/**
 * What the engine took since a moment of its own clock, newest first.
 *
 * @param since `next` of the answer before; null to be told where to begin: a little earlier, because rows that
 *   are on their way have their moment already
 */
const tailWith =
  (query: RowQuery, linesAt: LinesAt) =>
  async (
    scope: LogScope,
    since: string | null,
    limit: number,
  ): Promise<{ readonly lines: readonly LogSummary[]; readonly next: string; readonly skipped: number }> => {
    const { where, params } = whereOf(scope)
    if (since === null) {
      const [now] = await query<{ next: string }>(
        `SELECT toString(toUnixTimestamp64Milli(now64(3)) - ${LIMITS.LOG_TAIL_OVERLAP_MS}) AS next`,
        {},
      )
      return { lines: [], next: now?.next ?? '0', skipped: 0 }
    }
    const [came] = await query<{ count: number; next: string }>(
      `SELECT count() AS count, toString(toUnixTimestamp64Milli(max(logs.stored))) AS next FROM logs
    WHERE ${where} AND logs.stored > fromUnixTimestamp64Milli({since:Int64})`,
      { ...params, since },
    )
    if (came === undefined || came.count === 0) return { lines: [], next: since, skipped: 0 }
    const places = await query<Place>(
      `SELECT ${PLACE} FROM logs WHERE ${where} AND logs.stored > fromUnixTimestamp64Milli({since:Int64})
      AND logs.stored <= fromUnixTimestamp64Milli({next:Int64})
    ${orderBy('older')} LIMIT {limit:UInt32}`,
      { ...params, since, next: came.next, limit },
    )
    return {
      lines: await linesAt(scope, places),
      next: came.next,
      skipped: Math.max(0, came.count - places.length),
    }
  }

/** One line, and those of a trace. */
const single = (query: RowQuery) => ({
  one: async (scope: LogProjects, { at, id }: Pick<LogPlace, 'at' | 'id'>): Promise<StoredLog | null> => {
    const [row] = await query<StoredLog>(
      `SELECT ${WHOLE} FROM logs WHERE ${OWN} AND logs.timestamp = fromUnixTimestamp64Milli({at:Int64})
        AND logs.id = ${ID} LIMIT 1`,
      { ...ownParams(scope), at, id },
    )
    return row ?? null
  },

  /** Of a trace, oldest first; at most `limit`. */
  ofTrace: (scope: LogProjects, traceId: string, limit: number): Promise<readonly LogSummary[]> =>
    query<LogSummary>(
      `SELECT ${SHORT} FROM logs WHERE ${OWN} AND logs.trace_id = toUUIDOrZero({trace:String})
      ${orderBy('newer')} LIMIT 1 BY project_id, timestamp, nanos, sequence, logs.id LIMIT {limit:UInt32}`,
      { ...ownParams(scope), trace: traceId, limit },
    ),

  countOfTrace: async (scope: LogProjects, traceId: string): Promise<number> => {
    const [row] = await query<{ count: number }>(
      `SELECT uniqExact(project_id, timestamp, nanos, sequence, id) AS count FROM logs WHERE ${OWN} AND logs.trace_id = toUUIDOrZero({trace:String})`,
      { ...ownParams(scope), trace: traceId },
    )
    return row?.count ?? 0
  },
})

/** Each thread stops only itself at the bound, so there is one. */
const COUNTED = `max_threads = 1, max_rows_to_group_by = ${LIMITS.LOG_FACET_VALUES_COUNTED}, group_by_overflow_mode = 'any',
  force_grouping_standard_compatibility = 1`

/** Counts of what a search finds. */
const sums = (query: RowQuery) => ({
  /** Lines by level, in the order of `LOG_LEVELS`. */
  total: async (scope: LogScope): Promise<number[]> => {
    const { where, params } = whereOf(scope)
    const rows = await query<{ level: LogLevel; count: number }>(
      `SELECT logs.level AS level, count() AS count FROM logs WHERE ${where} GROUP BY level`,
      params,
    )
    const counts = new Map(rows.map(({ level, count }) => [level, count]))
    return LOG_LEVELS.map((level) => counts.get(level) ?? 0)
  },

  /** The same for each step that has lines. */
  volume: async (scope: LogScope, { start, interval }: Buckets): Promise<ReadonlyMap<number, number[]>> => {
    const { where, params } = whereOf(scope)
    const rows = await query<{ bucket: number; level: LogLevel; count: number }>(
      `SELECT intDiv(toUnixTimestamp(logs.timestamp) - {start:Int64}, {interval:UInt32}) AS bucket,
        logs.level AS level, count() AS count
      FROM logs WHERE ${where} GROUP BY bucket, level`,
      { ...params, start, interval },
    )
    const steps = new Map<number, number[]>()
    for (const { bucket, level, count } of rows) {
      const step = steps.get(bucket) ?? LOG_LEVELS.map(() => 0)
      step[LOG_LEVELS.indexOf(level)] = count
      steps.set(bucket, step)
    }
    return steps
  },

  /** Values of columns, most frequent first, one more than are shown: all in one pass over the lines. */
  facets: async (scope: LogScope, keys: readonly FacetKey[]): Promise<ReadonlyMap<FacetKey, readonly FacetValue[]>> => {
    const { where, params } = whereOf(scope)
    if (keys.length === 0) return new Map()
    const names = keys.map((_, place) => `v${place}`)
    type Row = Readonly<Record<string, string>> & { readonly others: number; readonly count: number }
    const rows = await query<Row>(
      `SELECT ${keys.map((key, place) => `toString(${FACETS[key]}) AS v${place}`).join(', ')},
        grouping(${names.join(', ')}) AS others, count() AS count
      FROM logs WHERE ${where}
      GROUP BY GROUPING SETS (${names.map((name) => `(${name})`).join(', ')})
      ORDER BY count DESC, ${names.join(', ')} LIMIT {limit:UInt32} BY others
      SETTINGS ${COUNTED}`,
      // What has no value may be the most frequent of all.
      { ...params, limit: LIMITS.LOG_FACET_VALUES + 2 },
    )
    const isOf = (row: Row, place: number): boolean => ((row.others >> (keys.length - 1 - place)) & 1) === 0
    return new Map(
      keys.map((key, place) => [
        key,
        rows
          .filter((row) => isOf(row, place))
          .map((row) => ({ value: row[`v${place}`] ?? '', count: row.count }))
          .filter(({ value }) => value !== '')
          .slice(0, LIMITS.LOG_FACET_VALUES + 1),
      ]),
    )
  },

  /** The same for one attribute. */
  attributeValues: async (scope: LogScope, attribute: string): Promise<readonly FacetValue[]> => {
    const { where, params } = whereOf(scope)
    return query<FacetValue>(
      `SELECT substringUTF8(multiIf(mapContains(logs.strings, {attribute:String}), logs.strings[{attribute:String}],
          mapContains(logs.numbers, {attribute:String}), toString(logs.numbers[{attribute:String}]),
          mapContains(logs.flags, {attribute:String}), toString(logs.flags[{attribute:String}]), ''), 1, 200) AS value,
        count() AS count
      FROM logs WHERE ${where} AND value != ''
      GROUP BY value ORDER BY count DESC, value LIMIT {limit:UInt32}
      SETTINGS ${COUNTED}`,
      { ...params, attribute, limit: LIMITS.LOG_FACET_VALUES + 1 },
    )
  },

  /** Attributes of the newest lines, most frequent first. */
  attributes: async (scope: LogScope) => {
    const { where, params } = whereOf(scope)
    return query<{ name: string; type: 'string' | 'number' | 'boolean' | 'array' }>(
      `SELECT tupleElement(attribute, 1) AS name, tupleElement(attribute, 2) AS type FROM (
        SELECT arrayJoin(arrayConcat(
          arrayMap(name -> (toString(name), 'string'), mapKeys(logs.strings)),
          arrayMap(name -> (toString(name), 'number'), mapKeys(logs.numbers)),
          arrayMap(name -> (toString(name), 'boolean'), mapKeys(logs.flags)),
          arrayMap(name -> (toString(name), 'array'), mapKeys(logs.lists)))) AS attribute
        FROM (
          SELECT strings, numbers, flags, lists FROM logs WHERE ${where}
          ORDER BY logs.timestamp DESC LIMIT ${LIMITS.LOG_ATTRIBUTES_SAMPLE}
        ) AS logs
      )
      GROUP BY name, type ORDER BY count() DESC, name LIMIT ${LIMITS.LOG_ATTRIBUTES_OFFERED}`,
      params,
    )
  },
})
