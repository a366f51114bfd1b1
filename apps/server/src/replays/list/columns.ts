import { FACTS, factColumn, factSql } from '../facts.ts'
import { activity, duration, errors } from '../replay-rules.ts'
import { millis } from '../telemetry/sql.ts'

/**
 * Replays as lists and searches see them: one row each, summed up over its segments (`replays`), beside it what was
 * reported while it was recorded (`reported`). Only columns that a statement names are summed up.
 */

/** The value of the first segment that has one. */
export const anyOf = (column: string): string => `argMinIf(${column}, segment_id, ${column} != '')`

const allOf = (column: string): string => `groupUniqArrayIf(toString(${column}), ${column} != '')`

const WORDS = [
  'environment',
  'platform',
  'dist',
  'user_id',
  'user_email',
  'user_name',
  'user_ip',
  'browser_name',
  'browser_version',
  'os_name',
  'os_version',
  'device_name',
  'device_brand',
  'device_model',
  'device_family',
  'sdk_name',
  'sdk_version',
] as const

export const STARTED = `min(${millis('replay_start')})`
export const FINISHED = `max(${millis('ended')})`
export const TYPE = 'argMin(replay_type, (segment_id, timestamp))'

/** A column as it is stored: the sum over it may have its name, and would be summed up itself. */
const stored = (column: string): string => `replay_segments.${column}`

/** By name, over `replay_segments`. */
const COLUMNS: ReadonlyMap<string, string> = new Map([
  ['started', STARTED],
  ['finished', FINISHED],
  ['type', TYPE],
  ...WORDS.flatMap((word) => [[word, anyOf(stored(word))] as const, [`all_${word}`, allOf(stored(word))] as const]),
  ...FACTS.map((name) => [factColumn(name), allOf(factSql(name))] as const),
  ['releases', allOf('release')],
  ['urls', `groupUniqArrayArray(${stored('urls')})`],
  ['visits', `sum(length(${stored('urls')}))`],
  ['traces', 'groupUniqArrayArray(trace_ids)'],
  ['noted_errors', 'groupUniqArrayArray(error_ids)'],
  ['segments', 'count()'],
  ['dead_clicks', `sum(${stored('dead_clicks')})`],
  ['rage_clicks', `sum(${stored('rage_clicks')})`],
  ['has_text', `max(${stored('texts')}) > 0`],
])

export const ERRORS = errors.sql('replays.noted_errors', {
  errors: 'reported.errors',
  others: ['reported.warnings', 'reported.infos'],
})

const COUNT_ERRORS = `length(${ERRORS})`

/** Numbers and texts that replays are searched and sorted by. */
export const VALUES = {
  started_at: 'replays.started',
  finished_at: 'replays.finished',
  duration: duration.sql('replays.started', 'replays.finished'),
  activity: activity.sql(COUNT_ERRORS, 'replays.visits'),
  count_segments: 'replays.segments',
  count_urls: 'replays.visits',
  count_errors: COUNT_ERRORS,
  count_warnings: 'length(reported.warnings)',
  count_infos: 'length(reported.infos)',
  count_dead_clicks: 'replays.dead_clicks',
  count_rage_clicks: 'replays.rage_clicks',
  project_id: 'replays.project_id',
  platform: 'replays.platform',
  dist: 'replays.dist',
  'browser.name': 'replays.browser_name',
  'browser.version': 'replays.browser_version',
  'os.name': 'replays.os_name',
  'os.version': 'replays.os_version',
  'device.name': 'replays.device_name',
  'device.brand': 'replays.device_brand',
  'device.family': 'replays.device_family',
  'device.model': 'replays.device_model',
  'sdk.name': 'replays.sdk_name',
  'user.id': 'replays.user_id',
  'user.email': 'replays.user_email',
  'user.username': 'replays.user_name',
} as const

export type ReplaySortField = keyof typeof VALUES

/** @param more further columns, each with its name */
export const columnsIn = (sql: string, more: readonly string[]): string => {
  const names = new Set([...sql.matchAll(/\breplays\.(\w+)/g)].map(([, name = '']) => name))
  const known = [...COLUMNS].filter(([name]) => names.has(name)).map(([name, column]) => `${column} AS ${name}`)
  return [...known, ...more].join(', ')
}

export const namesReported = (sql: string): boolean => /\breported\./.test(sql)
