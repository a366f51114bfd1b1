import { hexOfUuid, type SearchField } from '../../search/index.ts'
import { FACTS, factColumn } from '../facts.ts'
import { clickKinds } from '../replay-rules.ts'
import { anyAddress, anyClick, anyText } from './any-of-replay.ts'
import { CLICKED, KINDS_OF_SELECTORS, TAPPED } from './click-keys.ts'
import { ERRORS, VALUES } from './columns.ts'

/** Keys of searches for replays, with what they are in the database; those that have to be looked up first have no column. */

const PAGE: SearchField = {
  kind: 'nested',
  of: { kind: 'part', sql: 'address', ignoreCase: true },
  any: anyAddress,
}

/** What any of its segments says. */
export const list = (sql: string): SearchField => ({ kind: 'list', sql, ignoreCase: 'in-wildcards' })
/** Addresses of people: those that differ in case alone are mostly one. */
const addresses = (sql: string): SearchField => ({ kind: 'list', sql, ignoreCase: true })
const ids = (sql: string): SearchField => list(`arrayMap(one -> ${hexOfUuid('one')}, ${sql})`)
const number = (sql: string): SearchField => ({ kind: 'number', sql })
const click = (sql: string): SearchField => ({
  kind: 'nested',
  of: { kind: 'part', sql, ignoreCase: 'in-wildcards' },
  any: anyClick(clickKinds('any')),
})

const WORDS = ['browser', 'os'].flatMap((one) => ['name', 'version'].map((part) => [one, part] as const))

/** What Sentry's short keys stand for: any name of the visitor, and names of the rest. */
const SHORT: readonly (readonly [string, SearchField])[] = [
  ['user', addresses('arrayConcat(replays.all_user_name, replays.all_user_email, replays.all_user_id)')],
  ...['browser', 'os', 'device', 'sdk'].map((name) => [name, list(`replays.all_${name}_name`)] as const),
]

export const TYPE = 'replay_type'

export const FIELDS: ReadonlyMap<string, SearchField> = new Map<string, SearchField>([
  ...SHORT,
  ['id', { kind: 'uuid', sql: 'replays.replay_id', of: 'a replay' }],
  ['replay_id', { kind: 'uuid', sql: 'replays.replay_id', of: 'a replay' }],
  [TYPE, { kind: 'choice', sql: 'replays.type', values: ['session', 'buffer'] }],
  ['environment', list('replays.all_environment')],
  ['platform', list('replays.all_platform')],
  ['dist', list('replays.all_dist')],
  ['release', list('replays.releases')],
  ['releases', list('replays.releases')],
  ...['url', 'urls', 'screen', 'screens'].map((name) => [name, PAGE] as const),
  ['error_id', ids(ERRORS)],
  ['error_ids', ids(ERRORS)],
  ['warning_id', ids('reported.warnings')],
  ['warning_ids', ids('reported.warnings')],
  ['info_id', ids('reported.infos')],
  ['info_ids', ids('reported.infos')],
  ['trace', ids('replays.traces')],
  ['trace_id', ids('replays.traces')],
  ['trace_ids', ids('replays.traces')],
  ...[...WORDS, ...['name', 'version'].map((part) => ['sdk', part] as const)].map(
    ([one, part]) => [`${one}.${part}`, list(`replays.all_${one}_${part}`)] as const,
  ),
  ...['brand', 'family', 'model', 'name'].map(
    (part) => [`device.${part}`, list(`replays.all_device_${part}`)] as const,
  ),
  ['user.id', list('replays.all_user_id')],
  ['user.email', addresses('replays.all_user_email')],
  ['user.username', list('replays.all_user_name')],
  ['user.ip', list('replays.all_user_ip')],
  ['user.ip_address', list('replays.all_user_ip')],
  ...(
    [
      'activity',
      'duration',
      'count_errors',
      'count_warnings',
      'count_infos',
      'count_dead_clicks',
      'count_rage_clicks',
      'count_segments',
      'count_urls',
    ] as const
  ).map((name) => [name, number(VALUES[name])] as const),
  ['count_screens', number(VALUES.count_urls)],
  ['count_traces', number('length(replays.traces)')],
  // Of those that were deleted nothing is left to be found.
  ['is_archived', { kind: 'boolean', sql: '0' }],
  ...FACTS.map((name) => [name, list(`replays.${factColumn(name)}`)] as const),
  ['started_at', { kind: 'time', sql: `fromUnixTimestamp64Milli(${VALUES.started_at})` }],
  ['finished_at', { kind: 'time', sql: `fromUnixTimestamp64Milli(${VALUES.finished_at})` }],
  ...[...CLICKED, ...TAPPED].map(([name, sql]) => [name, click(sql)] as const),
  ['text', { kind: 'nested', of: { kind: 'part', sql: 'replay_texts.text' }, any: anyText }],
])

export const ISSUE = 'issue'
/** Somebody by an id or an e-mail address, whatever else they were called. */
export const VISITOR = 'visitor'
export const SEEN_BY_ME: ReadonlySet<string> = new Set(['seen_by_me', 'viewed_by_me'])
export const SEEN_BY: ReadonlySet<string> = new Set(['seen_by_id', 'viewed_by_id'])
export const IS = 'is'
/** As replays have it. */
export const IS_STARRED = 'is_starred'
export const LOOKED_UP: ReadonlySet<string> = new Set([ISSUE, VISITOR, IS, IS_STARRED, ...SEEN_BY_ME, ...SEEN_BY])

/** Keys of searches for errors and issues. As a tag, which no replay has, each would find none, and all without it. */
export const OF_ERRORS: ReadonlySet<string> = new Set([
  'level',
  'issue.id',
  'transaction',
  'release.stage',
  'release.package',
  'release.version',
  'release.build',
])
export const RELEASES: ReadonlySet<string> = new Set(['release', 'releases'])

export const refuseOfErrors = (name: string): string =>
  `"${name}" is asked of errors and issues, and this is a search for replays. If it is a tag, write tags[${name}].`

export const PROJECT: ReadonlySet<string> = new Set(['project', 'project.name', 'project_id'])

/** Keys that are no tags. */
export const isOwn = (name: string): boolean => FIELDS.has(name) || KINDS_OF_SELECTORS.has(name) || LOOKED_UP.has(name)
