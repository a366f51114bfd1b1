import { hidden, named, spanIdOf, text, wordsOf, type NamedAttribute } from '../../search/dataset-attributes.ts'
import {
  MERGED_LATER,
  hexOfNumberOrNone,
  hexOfUuid,
  NO_UUID,
  type Dataset,
  type DatasetAttribute,
  type SearchField,
} from '../../search/index.ts'
import { LIMITS } from '../limits.ts'
import { NOT_FAILED } from '../span.ts'
import { rootAttributes } from './root-attributes.ts'
import { summedSpans, WEIGHT } from './summed-days.ts'
import { vitalScore, totalScore, VITAL_SCORES } from './vital-scores.ts'

/** Spans as a table that anything can be asked of. */

const word = wordsOf('spans')

/** Found by its own id and, of a transaction, by that of the event as which it came. */
const idOf = (column: string, shown = hexOfNumberOrNone(column)): DatasetAttribute => ({
  ...text(shown),
  search: {
    kind: 'hex',
    sql: hexOfNumberOrNone(column),
    characters: 16,
    of: 'a span or a transaction',
    longer: 'spans.event_id',
  },
})

/** Of spans without an event that of the column, so that each row of transactions has an id. */
const eventIdOr = (column: string): DatasetAttribute =>
  idOf(column, `if(spans.event_id = ${NO_UUID}, ${hexOfNumberOrNone(column)}, ${hexOfUuid('spans.event_id')})`)

const START = 'toUnixTimestamp64Milli(spans.timestamp)'
const START_SECONDS = `(${START} * 1000 + spans.start_micros) / 1000000`

const DESCRIPTION = "if(spans.description = '', spans.name, spans.description)"
/** Free words and what a search names a description by are found whatever the case. */
const WORDS = "lowerUTF8(concat(spans.name, '\\n', spans.description))"
const DESCRIBED: SearchField = { kind: 'text', sql: DESCRIPTION, ignoreCase: true }

const number = (name: string): string => `if(mapContains(spans.numbers, '${name}'), spans.numbers['${name}'], NULL)`

/** What SDKs 7 to 10 call measurements, and 11 by names of the conventions. */
const VITALS = ['lcp', 'inp', 'fcp', 'fp', 'ttfb', 'fid', 'cls'] as const

const vitals: NamedAttribute[] = VITALS.flatMap((vital) => {
  const value = {
    sql: number(`browser.web_vital.${vital}.value`),
    type: vital === 'cls' ? 'number' : 'duration',
  } as const
  return named(value, `measurements.${vital}`, `browser.web_vital.${vital}.value`)
})

const scores: NamedAttribute[] = [
  ...VITAL_SCORES.map(({ vital }): NamedAttribute => [
    `measurements.score.${vital}`,
    { sql: vitalScore(vital), type: 'percentage' },
  ]),
  ['measurements.score.total', { sql: totalScore(), type: 'percentage' }],
]

/** What a row sent by that name comes first: these are names of Sentry's transactions that a span may have as its own. */
const unlessSent = (name: string, sql: string): NamedAttribute => [
  name,
  hidden(text(`if(spans.strings['${name}'] != '', spans.strings['${name}'], ${sql})`)),
]

const TITLE = `if(spans.is_segment, toString(spans.transaction), ${DESCRIPTION})`

const startOf = (milliseconds: number): DatasetAttribute =>
  hidden({ sql: `intDiv(${START}, ${milliseconds}) * ${milliseconds}`, type: 'date' })

const USER_NAMES = ['user.email', 'user.name', 'user.id', 'user.ip_address']
  .map((name) => `nullIf(spans.strings['${name}'], '')`)
  .join(', ')

const ATTRIBUTES: readonly NamedAttribute[] = [
  ...rootAttributes('spans'),
  ...named(idOf('spans.span_id'), 'id', 'span_id'),
  ...named(spanIdOf('spans.parent_span_id'), 'parent_span', 'parent_span_id'),
  ['span.name', text('spans.name')],
  ['span.description', { ...text(DESCRIPTION), search: DESCRIBED }],
  ['span.self_time', { sql: 'spans.self_time / 1000', type: 'duration' }],
  ['span.category', text("splitByChar('.', toString(spans.op))[1]")],
  ...named(word('span_group'), 'span.group', 'sentry.group'),
  ...named(word('domain'), 'span.domain', 'sentry.domain'),
  ['sentry.normalized_description', word('group_text')],
  ...named(spanIdOf('spans.segment_id'), 'transaction.span_id', 'segment.id', 'sentry.segment.id'),
  ['transaction.event_id', hidden(eventIdOr('spans.segment_id'))],
  unlessSent('title', TITLE),
  unlessSent('message', TITLE),
  ['event.type', hidden(text("if(spans.is_segment, 'transaction', '')"))],
  ...named({ sql: 'spans.is_segment', type: 'boolean' }, 'is_transaction', 'is_segment'),
  ['timestamp.to_hour', startOf(3_600_000)],
  ['timestamp.to_day', startOf(86_400_000)],
  ['precise.start_ts', { sql: START_SECONDS, type: 'number' }],
  ['precise.finish_ts', { sql: `${START_SECONDS} + spans.duration / 1000000`, type: 'number' }],
  ...named(word('platform'), 'platform', 'sentry.platform', 'platform.name'),
  ...named(word('sdk_name'), 'sdk.name', 'sentry.sdk.name'),
  ...named(word('sdk_version'), 'sdk.version', 'sentry.sdk.version'),
  ['service.name', word('service')],
  ...named(word('origin'), 'span.origin', 'sentry.origin'),
  ...named(word('kind'), 'span.kind', 'sentry.kind'),
  ['user.display', hidden(text(`coalesce(${USER_NAMES}, substring(spans.user, position(spans.user, ':') + 1))`))],
  ['http.request.method', word('http_method')],
  ['url.full', text('spans.url')],
  ['os.name', word('os')],
  ...named(text('spans.replay_id'), 'replayId', 'replay.id', 'sentry.replay_id'),
  ['sample_rate', { sql: 'spans.sample_rate', type: 'number' }],
  ...vitals,
  ...scores,
]

/** Public names of attributes that conventions call otherwise. */
const OTHER_NAMES: readonly (readonly [string, string])[] = [
  ['profile.id', 'sentry.profile_id'],
  ['profiler.id', 'sentry.profiler_id'],
  ['user.ip', 'user.ip_address'],
  ['user.username', 'user.name'],
  ['geo.city', 'user.geo.city'],
  ['geo.region', 'user.geo.region'],
  ['geo.subdivision', 'user.geo.subdivision'],
  ['transaction.source', 'sentry.segment.name.source'],
]

const BREAKDOWN =
  'Times of kinds of spans are not kept for each transaction. Ask spans: sum(span.duration) by span.category.'

/** Names of Sentry whose values are not kept. */
const NOT_HELD = ['browser', 'db', 'http', 'resource', 'ui', 'total.time'].map(
  (name) => [`spans.${name}`, BREAKDOWN] as const,
)

const others = OTHER_NAMES.map(([name, kept]): NamedAttribute => [name, text(`spans.strings['${kept}']`)])

/** As Sentry's clients ask for transactions: their rows are events. */
const OF_TRANSACTIONS = { only: 'spans.is_segment', attributes: new Map([['id', eventIdOr('spans.span_id')]]) }

export const spansDataset: Dataset = {
  names: [
    { name: 'spans' },
    { name: 'transactions', ...OF_TRANSACTIONS },
    { name: 'spansMetrics', former: true },
    { name: 'metricsEnhanced', ...OF_TRANSACTIONS, former: true },
    { name: 'metrics', ...OF_TRANSACTIONS, former: true },
  ],
  itemType: 'spans',
  from: 'spans FINAL',
  settings: MERGED_LATER,
  organization: 'spans.organization_id',
  project: 'spans.project_id',
  environment: 'spans.environment',
  time: 'spans.timestamp',
  received: 'spans.received',
  id: { sql: 'spans.span_id', type: 'UInt64' },
  attributes: new Map([...ATTRIBUTES, ...others]),
  notHeld: new Map(NOT_HELD),
  maps: { strings: 'spans.strings', numbers: 'spans.numbers', flags: 'spans.flags', lists: 'spans.lists' },
  links: 'spans.links',
  words: WORDS,
  weight: WEIGHT,
  days: summedSpans,
  measured: 'span.duration',
  failed: `spans.status NOT IN (${NOT_FAILED.map((status) => `'${status}'`).join(', ')})`,
  apdexThreshold: LIMITS.APDEX_THRESHOLD_MS,
  functions: [
    'cache_miss_rate',
    'count_op',
    'count_scores',
    'count_web_vitals',
    'http_response_count',
    'opportunity_score',
    'performance_score',
    'spm',
    'time_spent_percentage',
    'tpm',
    'tps',
    'trace_status_rate',
  ],
  vitals: new Map(VITAL_SCORES.map(({ vital, limits }) => [`measurements.${vital}`, limits])),
  scores: new Map(VITAL_SCORES.map(({ vital, weight }) => [`measurements.score.${vital}`, weight])),
}
