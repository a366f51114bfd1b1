import type { ClickHouseClient } from '@clickhouse/client'
import { escalationOf } from './event-counts.ts'
import type {
  EventPlace,
  EventSummary,
  EventView,
  IssueCounts,
  LoadedEvent,
  OutermostEvent,
  TagDistribution,
  TagValue,
} from '../events.view.ts'
import { DAY_MS } from '../../lib/durations.ts'
import { hexOfUuid, type Buckets, type Period } from '../../search/index.ts'
import { LIMITS } from '../limits.ts'
import { findEventField } from '../search/index.ts'
import { readStoredEvent, readStoredEvents } from './shared-stacks.ts'
import { readGrouping } from './stored-grouping.ts'
import { NARROW_EVENTS, NARROW_USERS, type Query, narrowScopeSql, scopeSql, sentScopeSql } from './event-scope.ts'
import { compareTags } from './tag-comparison.ts'

const HEX_ID = hexOfUuid('events.event_id')
const MILLISECONDS = 'toUnixTimestamp64Milli(events.timestamp)'

/** For queries whose rows the primary key finds: reading skip indexes and small blocks would cost more than the rows. */
const BY_KEY = 'SETTINGS use_skip_indexes = 0, max_block_size = 65409'

/**
 * Free text is looked up once, in the index of trigrams; looking there again for each row costs more than it saves,
 * because a row has to be read to be sure.
 */
const SEARCHED = 'SETTINGS query_plan_text_index_add_hint = 0'

/** Fields of events that people search like tags. */
const VALUE_COLUMNS: ReadonlyMap<string, string> = new Map([
  ['user.id', 'events.user_id'],
  ['user.email', 'events.user_email'],
  ['user.username', 'events.user_username'],
  ['user.ip', 'events.user_ip'],
  ['platform', 'events.platform'],
  ['http.method', 'events.http_method'],
  ['sdk.name', 'events.sdk_name'],
  ['sdk.version', 'events.sdk_version'],
  ['platform.name', 'events.platform'],
  ['title', 'events.title'],
  ['culprit', 'events.culprit'],
  ['http.url', 'events.http_url'],
  ['firstRelease', 'events.release'],
  ['error.type', 'arrayJoin(events.error_types)'],
  ['error.mechanism', 'arrayJoin(events.error_mechanisms)'],
  ['stack.function', 'arrayJoin(events.stack_functions)'],
  ['stack.filename', 'arrayJoin(events.stack_filenames)'],
  ['stack.module', 'arrayJoin(events.stack_modules)'],
])

const partOfRelease = (key: string): string | null => {
  const field = findEventField(key, false)
  return field.kind === 'part' || field.kind === 'version' ? field.sql : null
}

export const createTelemetryEventView = ({ client }: { readonly client: ClickHouseClient }): EventView => {
  const query: Query = async <Row>(sql: string, params: Readonly<Record<string, unknown>>): Promise<Row[]> => {
    const result = await client.query({ query: sql, query_params: { ...params }, format: 'JSONEachRow' })
    return result.json<Row>()
  }

  return {
    matchingIssues: matchingIssues(query),
    rankIssues: rankIssues(query),
    countIssues: countIssues(query),
    countWithin: countWithin(query),
    list: list(query),
    load: load(query),
    loadSome: loadSome(query),
    newest: newest(query),
    recommended: recommended(query),
    outermost: outermost(query),
    neighbours: neighbours(query),
    tags: tags(query),
    compareTags: compareTags(query),
    tagKeys: tagKeys(query),
    tagValues: tagValues(query),
    table: table(query),
    series: series(query),
    charts: charts(query),
    escalation: ({ firstSeen, projectId, storedIds }, now) =>
      escalationOf(client, { projectIds: [projectId], issueIds: storedIds }, firstSeen, now),
    dailyPeaks: dailyPeaks(query),
  }
}

const matchingIssues =
  (query: Query): EventView['matchingIssues'] =>
  async (scope, limit) => {
    const narrow = scope.filter === null
    const { where, params } = narrow ? narrowScopeSql(scope) : scopeSql(scope)
    const rows = await query<{ issue: number }>(
      `SELECT DISTINCT events.issue_id AS issue
FROM ${narrow ? NARROW_EVENTS : 'events'}
WHERE ${where}
LIMIT {limit:UInt32}
${narrow ? BY_KEY : SEARCHED}`,
      { ...params, limit },
    )
    return rows.map((row) => row.issue)
  }

const rankIssues =
  (query: Query): EventView['rankIssues'] =>
  async (scope, by, limit) => {
    const narrow = scope.filter === null
    const { where, params } = narrow ? narrowScopeSql(scope) : scopeSql(scope)
    return query<{ issueId: number; value: number }>(
      `SELECT events.issue_id AS issueId, ${by === 'events' ? 'count()' : NARROW_USERS} AS value
FROM ${narrow ? NARROW_EVENTS : 'events'}
WHERE ${where}
GROUP BY events.issue_id
ORDER BY value DESC, issueId DESC
LIMIT {limit:UInt32}
${narrow ? BY_KEY : SEARCHED}`,
      { ...params, limit },
    )
  }

const countIssues =
  (query: Query): EventView['countIssues'] =>
  async ({ projectIds, issues, environments, period, buckets }) => {
    const stored = [...issues.values()].flat()
    if (stored.length === 0) return new Map()
    const targets = new Map([...issues].flatMap(([issue, ids]) => ids.map((id) => [id, issue] as const)))
    const merged = stored.length > issues.size
    const issue = merged
      ? 'transform(events.issue_id, {stored:Array(UInt64)}, {targets:Array(UInt64)}, toUInt64(0))'
      : 'events.issue_id'
    const scope = { projectIds, issueIds: stored, environments }
    const mergeParams = merged ? { stored, targets: stored.map((id) => targets.get(id) ?? 0) } : {}

    // Two queries at once, one per thread: together they would keep a set of users for each bucket.
    const countUsers = async (): Promise<Map<number, number>> => {
      const { where, params } = narrowScopeSql({ ...scope, period })
      const rows = await query<{ issue: number; users: number }>(
        `SELECT ${issue} AS issue, ${NARROW_USERS} AS users
FROM ${NARROW_EVENTS}
WHERE ${where}
GROUP BY issue
${BY_KEY}, max_threads = 1`,
        { ...params, ...mergeParams },
      )
      return new Map(rows.map((row) => [row.issue, row.users]))
    }

    const countEvents = async () => {
      // One scan covers what is counted and what is drawn.
      const seriesEnd = buckets === null ? 0 : (buckets.start + buckets.count * buckets.interval) * 1000
      const scanned =
        period === null
          ? null
          : {
              from: Math.min(period.from, buckets === null ? period.from : buckets.start * 1000),
              to: Math.max(period.to, seriesEnd),
            }
      const { where, params } = narrowScopeSql({ ...scope, period: scanned })
      const counted =
        period === null
          ? '1'
          : 'events.timestamp >= fromUnixTimestamp64Milli({countFrom:Int64}) AND events.timestamp < fromUnixTimestamp64Milli({countTo:Int64})'
      const bucket =
        buckets === null
          ? 'toInt32(0)'
          : 'toInt32(intDiv(toInt64(toUnixTimestamp(events.timestamp)) - {start:Int64}, {interval:Int64}))'
      return query<{
        issue: number
        events: number
        firstSeen: number
        lastSeen: number
        buckets: number[]
        counts: number[]
      }>(
        `SELECT issue, sum(counted) AS events,
  toUnixTimestamp64Milli(minIf(first, counted > 0)) AS firstSeen, toUnixTimestamp64Milli(maxIf(last, counted > 0)) AS lastSeen,
  groupArray(bucket) AS buckets, groupArray(total) AS counts
FROM (
  SELECT ${issue} AS issue, ${bucket} AS bucket, count() AS total, countIf(${counted}) AS counted,
    minIf(events.timestamp, ${counted}) AS first, maxIf(events.timestamp, ${counted}) AS last
  FROM ${NARROW_EVENTS}
  WHERE ${where}
  GROUP BY issue, bucket
)
GROUP BY issue
${BY_KEY}, max_threads = 1`,
        {
          ...params,
          ...mergeParams,
          ...(period === null ? {} : { countFrom: period.from, countTo: period.to }),
          ...(buckets === null ? {} : { start: buckets.start, interval: buckets.interval }),
        },
      )
    }

    const [rows, users] = await Promise.all([countEvents(), countUsers()])
    return new Map(
      rows.map((row): [number, IssueCounts] => [
        row.issue,
        {
          events: row.events,
          users: users.get(row.issue) ?? 0,
          firstSeen: row.events === 0 ? null : row.firstSeen,
          lastSeen: row.events === 0 ? null : row.lastSeen,
          series: new Map(row.buckets.map((number, index) => [number, row.counts[index] ?? 0])),
        },
      ]),
    )
  }

const countWithin =
  (query: Query): EventView['countWithin'] =>
  async (scope, issues) => {
    const targets = [...issues].flatMap(([issue, ids]) => ids.map((id) => [id, issue] as const))
    if (targets.length === 0) return new Map()
    const stored = targets.map(([id]) => id)
    const { where, params } = scopeSql({ ...scope, issueIds: stored })
    const rows = await query<{ issue: number; events: number; users: number; firstSeen: number; lastSeen: number }>(
      `SELECT transform(events.issue_id, {stored:Array(UInt64)}, {targets:Array(UInt64)}, toUInt64(0)) AS issue,
  count() AS events, ${NARROW_USERS} AS users,
  toUnixTimestamp64Milli(min(events.timestamp)) AS firstSeen, toUnixTimestamp64Milli(max(events.timestamp)) AS lastSeen
FROM events
WHERE ${where}
GROUP BY issue
${SEARCHED}`,
      { ...params, stored, targets: targets.map(([, issue]) => issue) },
    )
    return new Map(rows.map(({ issue, ...counts }) => [issue, counts]))
  }

const list =
  (query: Query): EventView['list'] =>
  async (scope, { limit, offset }) => {
    const { where, params } = scopeSql(scope)
    const rows = await query<Omit<EventSummary, 'user'> & { user: [string, string, string, string] }>(
      `SELECT ${HEX_ID} AS eventId, events.project_id AS projectId, events.issue_id AS storedIssueId,
  ${MILLISECONDS} AS timestamp, events.type AS type, events.title AS title, events.message AS message,
  events.culprit AS culprit, events.platform AS platform, events.tags AS tags,
  [events.user_id, events.user_email, events.user_username, events.user_ip] AS user
FROM events
WHERE ${where}
ORDER BY events.timestamp DESC, events.event_id DESC
LIMIT {limit:UInt32} OFFSET {offset:UInt32}`,
      { ...params, limit: limit + 1, offset },
    )
    return rows.map(({ user: [id, email, username, ip], ...row }) => ({ ...row, user: { id, email, username, ip } }))
  }

const load =
  (query: Query): EventView['load'] =>
  async (place) => {
    const [row] = await query<LoadedRow>(
      `SELECT ${LOADED_COLUMNS}
FROM events
WHERE events.organization_id = {organization:UInt32}
  AND events.project_id = {project:UInt64}
  AND events.issue_id = {issue:UInt64}
  AND events.timestamp >= fromUnixTimestamp64Milli({from:Int64})
  AND events.timestamp <= fromUnixTimestamp64Milli({to:Int64})
  AND events.event_id = toUUIDOrZero({event:String})
LIMIT 1`,
      {
        organization: place.organizationId,
        project: place.projectId,
        issue: place.storedIssueId,
        // The ledger and telemetry may round a fraction of a millisecond differently.
        from: Math.floor(place.timestamp) - 1,
        to: Math.ceil(place.timestamp) + 1,
        event: toHyphenated(place.eventId),
      },
    )
    if (row === undefined) return null
    return readEvent(query, toPlace(place.organizationId, row), row)
  }

const loadSome =
  (query: Query): EventView['loadSome'] =>
  async (places) => {
    const [first] = places
    if (first === undefined) return new Map()
    const times = places.map(({ timestamp }) => timestamp)
    const rows = await query<LoadedRow>(
      `SELECT ${LOADED_COLUMNS}
FROM events
WHERE events.organization_id = {organization:UInt32}
  AND events.project_id = {project:UInt64}
  AND events.issue_id IN {issues:Array(UInt64)}
  AND events.timestamp >= fromUnixTimestamp64Milli({from:Int64})
  AND events.timestamp <= fromUnixTimestamp64Milli({to:Int64})
  AND events.event_id IN {events:Array(UUID)}`,
      {
        organization: first.organizationId,
        project: first.projectId,
        issues: [...new Set(places.map(({ storedIssueId }) => storedIssueId))],
        from: Math.floor(Math.min(...times)) - 1,
        to: Math.ceil(Math.max(...times)) + 1,
        events: places.map(({ eventId }) => toHyphenated(eventId)),
      },
    )
    const { organizationId, projectId } = first
    const read = await readStoredEvents(
      rows.map(({ payload }) => payload),
      loadStacks(query, { organizationId, projectId }),
    )
    return new Map(
      rows.flatMap((row, index) => {
        const own = read[index] ?? null
        return own === null ? [] : [[row.event, toLoaded(toPlace(organizationId, row), row, own)] as const]
      }),
    )
  }

const NEWEST = 'max((events.timestamp, events.event_id))'

const newest =
  (query: Query): EventView['newest'] =>
  async ({ issueIds, organizationId, projectId }) => {
    const rows = await query<PlaceRow>(
      `SELECT events.project_id AS project, events.issue_id AS issue,
  toUnixTimestamp64Milli(tupleElement(${NEWEST}, 1)) AS at, ${hexOfUuid(`tupleElement(${NEWEST}, 2)`)} AS event
FROM events
WHERE events.organization_id = {organization:UInt32}
  AND events.project_id = {project:UInt64}
  AND events.issue_id IN {issues:Array(UInt64)}
GROUP BY project, issue`,
      { organization: organizationId, project: projectId, issues: issueIds },
    )
    return rows.map((row) => toPlace(organizationId, row))
  }

const recommended =
  (query: Query): EventView['recommended'] =>
  async (scope) => {
    const { where, params } = scopeSql(scope)
    const [row] = await query<PlaceRow>(
      `SELECT ${PLACE_COLUMNS} FROM events WHERE ${where} ORDER BY ${MOST_TELLING} LIMIT 1`,
      params,
    )
    return row === undefined ? null : toPlace(scope.organizationId, row)
  }

const outermost =
  (query: Query): EventView['outermost'] =>
  async (scope, which, within) => {
    const find = async (period: Period | null): Promise<OutermostEvent | null> => {
      const { where, params } = scopeSql({ ...scope, period })
      const [row, beside] = await query<LoadedRow>(
        `SELECT ${LOADED_COLUMNS}
FROM events
WHERE ${where}
ORDER BY ${OUTERMOST[which]}
LIMIT 2${scope.filter === null ? '\nSETTINGS use_skip_indexes = 0' : ''}`,
        params,
      )
      if (row === undefined) return null
      const found = await readEvent(query, toPlace(scope.organizationId, row), row)
      return { ...found, beside: beside?.event ?? null }
    }
    const guess = within === null ? null : overlap(scope.period, within)
    const found = guess === null ? null : await find(guess)
    return found === null || found.beside === null ? find(scope.period) : found
  }

const neighbours =
  (query: Query): EventView['neighbours'] =>
  async (scope, place) => {
    const { where, params } = scopeSql(scope)
    const here = '(fromUnixTimestamp64Milli({at:Int64}), toUUIDOrZero({event:String}))'
    const rows = await query<{ side: string; eventId: string }>(
      `SELECT 'previous' AS side, ${HEX_ID} AS eventId FROM (
  SELECT events.event_id FROM events
  WHERE ${where} AND (events.timestamp, events.event_id) < ${here}
  ORDER BY events.timestamp DESC, events.event_id DESC LIMIT 1
) AS events
UNION ALL
SELECT 'next' AS side, ${HEX_ID} AS eventId FROM (
  SELECT events.event_id FROM events
  WHERE ${where} AND (events.timestamp, events.event_id) > ${here}
  ORDER BY events.timestamp, events.event_id LIMIT 1
) AS events`,
      { ...params, at: Math.round(place.timestamp), event: toHyphenated(place.eventId) },
    )
    const side = (name: string): string | null => rows.find((row) => row.side === name)?.eventId ?? null
    return { previous: side('previous'), next: side('next') }
  }

/** Of a `user` (`id:7`), what people call them. */
const PERSON = "if(events.user_email != '', events.user_email, events.user_username)"

const tags =
  (query: Query): EventView['tags'] =>
  async (scope, { keys, values }) => {
    const { where, params } = scopeSql(scope)
    const rows = await query<TagValue & { key: string; total: number; unique: number }>(
      `SELECT key, value, name, count, firstSeen, lastSeen, total, unique FROM (
  SELECT key, value, anyIf(${PERSON}, key = 'user' AND ${PERSON} != '') AS name, count() AS count,
    toUnixTimestamp64Milli(min(events.timestamp)) AS firstSeen, toUnixTimestamp64Milli(max(events.timestamp)) AS lastSeen,
    sum(count()) OVER (PARTITION BY key) AS total, count() OVER (PARTITION BY key) AS unique
  FROM events ARRAY JOIN mapKeys(events.tags) AS key, mapValues(events.tags) AS value
  WHERE ${where}${keys.length > 0 ? '\n    AND key IN {keys:Array(String)}' : ''}
  GROUP BY key, value
)
ORDER BY total DESC, key, count DESC, value
LIMIT {values:UInt32} BY key
LIMIT {rows:UInt32}`,
      // The first keys have all of their values within so many rows.
      { ...params, values, rows: LIMITS.TAG_KEYS_SHOWN * values, ...(keys.length > 0 ? { keys } : {}) },
    )
    const tags = new Map<string, TagDistribution & { values: TagValue[] }>()
    for (const { key, total, unique, ...value } of rows) {
      const known = tags.get(key)
      if (known !== undefined) known.values.push(value)
      else if (tags.size < LIMITS.TAG_KEYS_SHOWN) tags.set(key, { key, total, unique, values: [value] })
      else break
    }
    return [...tags.values()]
  }

const tagKeys =
  (query: Query): EventView['tagKeys'] =>
  (scope, limit) => {
    const { where, params } = scopeSql(scope)
    return query<{ key: string; events: number }>(
      `SELECT arrayJoin(mapKeys(events.tags)) AS key, count() AS events
FROM events
WHERE ${where}
GROUP BY key
ORDER BY events DESC, key
LIMIT {limit:UInt32}`,
      { ...params, limit },
    )
  }

const tagValues =
  (query: Query): EventView['tagValues'] =>
  async (scope, { key, containing, sort, limit, offset }) => {
    const { where, params } = scopeSql(scope)
    const order = { count: 'count DESC, value', date: 'lastSeen DESC, value', age: 'firstSeen DESC, value' }[sort]
    const name = key === 'user' ? PERSON : "''"
    const found = ['value', ...(key === 'user' ? [PERSON] : [])].map(
      (text) => `positionCaseInsensitiveUTF8(${text}, {containing:String}) > 0`,
    )
    return query<TagValue>(
      `SELECT ${VALUE_COLUMNS.get(key) ?? partOfRelease(key) ?? 'events.tags[{key:String}]'} AS value, anyIf(${name}, ${name} != '') AS name, count() AS count,
  toUnixTimestamp64Milli(min(events.timestamp)) AS firstSeen, toUnixTimestamp64Milli(max(events.timestamp)) AS lastSeen
FROM events
WHERE ${where} AND value != ''${containing === '' ? '' : ` AND (${found.join(' OR ')})`}
GROUP BY value
ORDER BY ${order}
LIMIT {limit:UInt32} OFFSET {offset:UInt32}`,
      { ...params, key, containing, limit: limit + 1, offset },
    )
  }

const table =
  (query: Query): EventView['table'] =>
  async (scope, { columns, sort, limit, offset, bytes }) => {
    const { where, params } = sentScopeSql(scope)
    const aggregated = columns.some((column) => column.aggregate)
    const groups = columns.flatMap((column, index) => (column.aggregate ? [] : [`c${index}`]))
    const order = sort.map(({ column, descending }) => `c${column}${descending ? ' DESC' : ''}`)
    // Rows that are equal in what is sorted by need an order too, or pages would repeat some and leave out others.
    order.push(...(aggregated ? groups : ['events.timestamp DESC', 'events.event_id DESC']))
    const names = columns.map((_, index) => `c${index}`).join(', ')
    const rows = await query<Record<string, unknown>>(
      `SELECT ${names}, found FROM (
  SELECT ${names}, count() OVER () AS found,
    sum(size) OVER (ORDER BY place ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) - size AS before
  FROM (
    SELECT ${names}, rowNumberInAllBlocks() AS place, byteSize(${names}) AS size FROM (
SELECT ${columns.map((column, index) => `${column.sql} AS c${index}`).join(', ')}
FROM events
WHERE ${where}
${aggregated && groups.length > 0 ? `GROUP BY ${groups.join(', ')}\n` : ''}${order.length > 0 ? `ORDER BY ${order.join(', ')}\n` : ''}LIMIT {limit:UInt32} OFFSET {offset:UInt32}
    )
  )
  ORDER BY place
) WHERE before < {bytes:UInt64}`,
      { ...params, ...Object.assign({}, ...columns.map((column) => column.params)), limit: limit + 1, offset, bytes },
    )
    const shown = rows.slice(0, limit)
    return {
      rows: shown.map((row) => Object.fromEntries(columns.map((column, index) => [column.name, row[`c${index}`]]))),
      more: Number(rows[0]?.['found'] ?? 0) > shown.length,
    }
  }

const series =
  (query: Query): EventView['series'] =>
  async (scope, buckets) => {
    const { where, params } = scopeSql({ ...scope, period: coveredBy(buckets, scope.period) })
    const rows = await query<{ bucket: number; events: number; users: number }>(
      `SELECT ${BUCKET} AS bucket,
  count() AS events, uniqIf(events.user_key, events.user_key != '') AS users
FROM events
WHERE ${where}
GROUP BY bucket`,
      { ...params, start: buckets.start, interval: buckets.interval },
    )
    return new Map(rows.map(({ bucket, events, users }) => [bucket, { events, users }]))
  }

const charts =
  (query: Query): EventView['charts'] =>
  async (scope, buckets, { axes, by, order, limit, others }) => {
    const { where, params } = sentScopeSql({ ...scope, period: coveredBy(buckets, scope.period) })
    const own = Object.assign({}, ...[...axes, ...by].map((column) => column.params)) as Record<string, unknown>
    const key = `toString(cityHash64(${by.map(({ sql }) => sql).join(', ')}))`
    const values = axes.map(({ sql }, index) => `${sql} AS a${index}`).join(', ')
    const top =
      by.length === 0
        ? []
        : await query<Record<string, unknown> & { key: string }>(
            `SELECT ${by.map(({ sql }, index) => `${sql} AS v${index}`).join(', ')}, ${key} AS key, ${values}
FROM events
WHERE ${where}
GROUP BY ${by.map((_, index) => `v${index}`).join(', ')}
ORDER BY a${order.axis}${order.descending ? ' DESC' : ''}, key
LIMIT {limit:UInt32}`,
            { ...params, ...own, limit },
          )
    if (by.length > 0 && top.length === 0) return []
    const rows = await query<Record<string, number> & { key: string }>(
      `SELECT ${BUCKET} AS bucket, ${by.length === 0 ? "''" : `if(${key} IN {keys:Array(String)}, ${key}, '')`} AS key, ${values}
FROM events
WHERE ${where}${others || by.length === 0 ? '' : `\n  AND ${key} IN {keys:Array(String)}`}
GROUP BY bucket, key`,
      { ...params, ...own, start: buckets.start, interval: buckets.interval, keys: top.map((one) => one.key) },
    )
    const pointsOf = (wanted: string) =>
      new Map(
        rows
          .filter((row) => row.key === wanted)
          .map((row) => [row['bucket'] ?? 0, axes.map((_, index) => row[`a${index}`] ?? 0)] as const),
      )
    if (by.length === 0) return [{ values: {}, points: pointsOf('') }]
    const charts = top.map((one) => ({
      values: Object.fromEntries(by.map(({ name }, index) => [name, one[`v${index}`]])),
      points: pointsOf(one.key),
    }))
    return others ? [...charts, { values: {}, points: pointsOf('') }] : charts
  }

const dailyPeaks =
  (query: Query): EventView['dailyPeaks'] =>
  async (scope, now) => {
    const week = 7 * DAY_MS
    const { where, params } = scopeSql({ ...scope, period: { from: now - week, to: now + 60_000 } })
    const rows = await query<{ issue: number; peak: number }>(
      `SELECT issue, max(events) AS peak FROM (
  SELECT events.issue_id AS issue, toStartOfDay(events.timestamp) AS day, count() AS events
  FROM events WHERE ${where} GROUP BY issue, day
)
GROUP BY issue`,
      params,
    )
    return new Map(rows.map((row) => [row.issue, row.peak]))
  }

/** Frames that recur, by what stands in their place. */
const loadStacks =
  (query: Query, { organizationId, projectId }: Pick<EventPlace, 'organizationId' | 'projectId'>) =>
  async (ids: readonly string[]): Promise<ReadonlyMap<string, string>> => {
    const rows = await query<{ id: string; frames: string }>(
      `SELECT stacks.id AS id, any(stacks.frames) AS frames
FROM stacks
WHERE stacks.organization_id = {organization:UInt32} AND stacks.project_id = {project:UInt64} AND stacks.id IN {ids:Array(String)}
GROUP BY stacks.id`,
      { organization: organizationId, project: projectId, ids },
    )
    return new Map(rows.map((row) => [row.id, row.frames]))
  }

const toLoaded = (
  place: EventPlace,
  { culprit, grouping, received, title }: LoadedRow,
  read: Pick<LoadedEvent, 'bytes' | 'event'>,
): LoadedEvent => ({ place, receivedAt: received, ...read, title, culprit, grouping: readGrouping(grouping) })

const readEvent = async (query: Query, place: EventPlace, row: LoadedRow): Promise<LoadedEvent> =>
  toLoaded(place, row, await readStoredEvent(row.payload, loadStacks(query, place)))

interface PlaceRow {
  readonly project: number
  readonly issue: number
  readonly at: number
  readonly event: string
}

interface LoadedRow extends PlaceRow {
  readonly received: number
  readonly title: string
  readonly culprit: string
  readonly grouping: string
  readonly payload: string
}

const PLACE_COLUMNS = `events.project_id AS project, events.issue_id AS issue, ${MILLISECONDS} AS at, ${HEX_ID} AS event`

const LOADED_COLUMNS = `${PLACE_COLUMNS}, toUnixTimestamp64Milli(events.received) AS received,
  events.title AS title, events.culprit AS culprit, events.grouping AS grouping, events.payload AS payload`

const toPlace = (organizationId: number, row: PlaceRow): EventPlace => ({
  organizationId,
  projectId: row.project,
  storedIssueId: row.issue,
  timestamp: row.at,
  eventId: row.event,
})

const OUTERMOST = {
  latest: 'events.timestamp DESC, events.event_id DESC',
  oldest: 'events.timestamp, events.event_id',
} as const

/** The newest of those that tell most (a replay, a user, a trace). */
const MOST_TELLING =
  "(events.replay_id != '') * 4 + (events.user_key != '') * 2 + (events.trace_id != '') DESC, events.timestamp DESC, events.event_id DESC"

/** Number of the bucket, whose parameters are `start` and `interval`. */
const BUCKET = 'toInt32(intDiv(toInt64(toUnixTimestamp(events.timestamp)) - {start:Int64}, {interval:Int64}))'

const coveredBy = (buckets: Buckets, asked: Period | null): Period =>
  overlap(asked, { from: buckets.start * 1000, to: (buckets.start + buckets.count * buckets.interval) * 1000 })

const overlap = (asked: Period | null, guess: Period): Period =>
  asked === null ? guess : { from: Math.max(asked.from, guess.from), to: Math.min(asked.to, guess.to) }

const toHyphenated = (eventId: string): string => {
  const hex = eventId.replaceAll('-', '').toLowerCase()
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
