import { formatBytes, formatCompact } from '../../../lib/format.ts'
import { formatSpent } from '../../../lib/spent-time.ts'
import { formatRateIn, formatShare, formatThroughput, type RateUnit } from '../../performance/model/index.ts'

/** The kinds of calls, as data: which spans they are, what is asked of them, and how one makes an SDK send them. */

export type Form = 'rate' | 'duration' | 'share' | 'count' | 'bytes' | 'cost' | 'flag' | 'text'

export interface CallColumn {
  /** In addresses. */
  readonly key: string
  readonly label: string
  /** What the label leaves out. */
  readonly title?: string
  /** What is asked: a function over the spans of a group. */
  readonly field: string
  readonly form: Form
  /** A share of failures: shown as bad where there are enough of them. */
  readonly isFailure?: true
  /** It goes first where there is little room. */
  readonly minor?: true
}

/** What single samples tell beyond their time. */
export interface SampleColumn {
  readonly label: string
  readonly field: string
  readonly form: Form
}

export const KIND_NAMES = ['databases', 'requests', 'caches', 'queues', 'ai'] as const
export type KindName = (typeof KIND_NAMES)[number]

export interface CallKind {
  readonly name: KindName
  readonly label: string
  /** Of one row, and of many. */
  readonly thing: string
  readonly things: string
  /** Which spans are meant, as a search. */
  readonly where: string
  /** A function that tells more of a row, beside its name. */
  readonly detail?: string
  readonly columns: readonly CallColumn[]
  readonly sample: readonly SampleColumn[]
  /** How they are sent, where none are. */
  readonly how: { readonly text: string; readonly code: string }
}

const RATE: CallColumn = { key: 'rate', label: 'Rate', field: 'epm()', form: 'rate' }
const P50: CallColumn = { key: 'p50', label: 'p50', field: 'p50(span.duration)', form: 'duration', minor: true }
const P95: CallColumn = { key: 'p95', label: 'p95', field: 'p95(span.duration)', form: 'duration' }
/** Key of the column that is compared with the time before. */
export const COMPARED = P95.key
const FAILED: CallColumn = {
  key: 'failed',
  label: 'Failed',
  field: 'failure_rate()',
  form: 'share',
  isFailure: true,
}
const TOTAL: CallColumn = {
  key: 'total',
  label: 'Time spent',
  title: 'Time of all of them together, and its share of that of all rows',
  field: 'sum(span.duration)',
  form: 'duration',
}

/** Spans whose text is not known yet have no group. */
const GROUPED = 'has:sentry.normalized_description'

const DATABASES: CallKind = {
  name: 'databases',
  label: 'Databases',
  thing: 'Statement',
  things: 'statements',
  where: `span.op:[db,db.*] ${GROUPED}`,
  columns: [RATE, P50, P95, FAILED, TOTAL],
  sample: [{ label: 'System', field: 'db.system.name', form: 'text' }],
  how: {
    text: 'SDKs for servers record the queries of the usual drivers by themselves once tracing is on. One that is not known to them:',
    code: "Sentry.startSpan({ op: 'db.query', name: 'SELECT * FROM carts WHERE id = ?' },\n  () => db.query('SELECT * FROM carts WHERE id = ?', [id]))",
  },
}

/** SDKs may say `ok` of a request that was answered with 500; of one sum, what failed is never less than that. */
const ANSWERED_5XX = 'http.response.status_code:>=500'
const shareOf = (search: string): string => `equation|count_if(\`${search}\`) / count()`

const answered = (key: string, label: string, search: string): CallColumn => ({
  ...FAILED,
  key,
  label,
  title: 'Share of requests that were answered so',
  field: shareOf(search),
})

const REQUESTS: CallKind = {
  name: 'requests',
  label: 'Requests',
  thing: 'Request',
  things: 'requests',
  where: `span.op:http.client ${GROUPED}`,
  columns: [
    RATE,
    P50,
    P95,
    answered('s4', '4xx', 'http.response.status_code:>=400 http.response.status_code:<500'),
    answered('s5', '5xx', ANSWERED_5XX),
    {
      ...FAILED,
      title: 'Share of requests that SDKs call failed, or that were answered with 5xx',
      field: shareOf(`(has:span.status !span.status:[ok,cancelled,unknown]) OR ${ANSWERED_5XX}`),
    },
    TOTAL,
  ],
  sample: [
    { label: 'Answer', field: 'http.response.status_code', form: 'text' },
    { label: 'Size', field: 'http.response.body.size', form: 'bytes' },
  ],
  how: {
    text: 'SDKs record what pages and servers fetch by themselves once tracing is on:',
    code: 'Sentry.init({ dsn, tracesSampleRate: 1.0,\n  integrations: [Sentry.browserTracingIntegration()] }) // in a browser',
  },
}

const CACHES: CallKind = {
  name: 'caches',
  label: 'Caches',
  thing: 'Operation',
  things: 'cache operations',
  where: `span.op:cache.* ${GROUPED}`,
  columns: [
    {
      key: 'hits',
      label: 'Hit rate',
      title: 'Share of those that say whether the cache had it',
      field: 'equation|count_if(cache.hit,equals,true) / count(cache.hit)',
      form: 'share',
    },
    RATE,
    {
      key: 'size',
      label: 'Size',
      title: 'Average size of an item',
      field: 'avg(cache.item_size)',
      form: 'bytes',
      minor: true,
    },
    P50,
    P95,
    FAILED,
    TOTAL,
  ],
  sample: [
    { label: 'Hit', field: 'tags[cache.hit,boolean]', form: 'flag' },
    { label: 'Size', field: 'cache.item_size', form: 'bytes' },
  ],
  how: {
    text: 'Whatever cache it is, a span tells of it. Of its key only the word before the first colon is part of what is grouped.',
    code: "Sentry.startSpan({ op: 'cache.get', name: key,\n  attributes: { 'cache.key': [key], 'cache.hit': hit } }, read)",
  },
}

const OF_PROCESSING = '`span.op:queue.process`'

const QUEUES: CallKind = {
  name: 'queues',
  label: 'Queues',
  thing: 'Queue',
  things: 'queues',
  where: `span.op:queue.* has:span.domain ${GROUPED}`,
  columns: [
    { key: 'published', label: 'Published', field: 'count_if(span.op,equals,queue.publish)', form: 'count' },
    { key: 'processed', label: 'Processed', field: 'count_if(span.op,equals,queue.process)', form: 'count' },
    {
      key: 'waited',
      label: 'In queue',
      title: 'Average time between publishing and processing',
      field: 'avg(messaging.message.receive.latency)',
      form: 'duration',
    },
    { ...P50, title: 'Of processing', field: `p50_if(${OF_PROCESSING},span.duration)` },
    { ...P95, title: 'Of processing', field: `p95_if(${OF_PROCESSING},span.duration)` },
    FAILED,
    TOTAL,
  ],
  sample: [
    { label: 'Did', field: 'span.op', form: 'text' },
    { label: 'In queue', field: 'messaging.message.receive.latency', form: 'duration' },
  ],
  how: {
    text: 'One span where a message is sent, one where it is worked on (op queue.process); both name the queue.',
    code: "Sentry.startSpan({ op: 'queue.publish', name: 'orders',\n  attributes: { 'messaging.destination.name': 'orders' } }, publish)",
  },
}

/** What calls others and has their tokens in its own sums: they would count twice. */
const NO_MODEL = 'gen_ai.invoke_agent,gen_ai.create_agent,gen_ai.execute_tool,gen_ai.handoff,ai.pipeline.*'

const AI: CallKind = {
  name: 'ai',
  label: 'AI',
  thing: 'Model',
  things: 'models',
  where: `span.op:[gen_ai.*,ai.*] !span.op:[${NO_MODEL}] ${GROUPED}`,
  detail: 'any(span.domain)',
  columns: [
    RATE,
    { key: 'input', label: 'Tokens in', field: 'sum(gen_ai.usage.input_tokens)', form: 'count' },
    { key: 'output', label: 'Tokens out', field: 'sum(gen_ai.usage.output_tokens)', form: 'count' },
    { key: 'cost', label: 'Cost', title: 'Where it is sent', field: 'sum(gen_ai.cost.total_tokens)', form: 'cost' },
    P50,
    P95,
    FAILED,
    TOTAL,
  ],
  sample: [
    { label: 'Tokens in', field: 'gen_ai.usage.input_tokens', form: 'count' },
    { label: 'Tokens out', field: 'gen_ai.usage.output_tokens', form: 'count' },
  ],
  how: {
    text: 'SDKs record the usual libraries by themselves (in Node, the AI SDK, OpenAI, Anthropic, Google). Any other:',
    code: "Sentry.startSpan({ op: 'gen_ai.chat', name: 'chat o4', attributes: { 'gen_ai.request.model': 'o4' } },\n  ask) // then setAttribute('gen_ai.usage.input_tokens', …)",
  },
}

export const KINDS: readonly CallKind[] = [DATABASES, REQUESTS, CACHES, QUEUES, AI]

export const findKind = (name: string): CallKind | undefined => KINDS.find((kind) => kind.name === name)

/** Dollars, with as many digits as small amounts need. */
const formatCost = (dollars: number): string =>
  `$${dollars >= 100 ? formatCompact(dollars) : dollars >= 1 ? dollars.toFixed(2) : dollars.toPrecision(2)}`

/** Nothing is a dash. */
export function formatCell(form: Form, value: unknown): string {
  if (form === 'flag') return value === true ? 'yes' : value === false ? 'no' : '–'
  if (form === 'text')
    return typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? `${value}` : '–'
  // What no convention types comes as it was sent.
  const number = typeof value === 'string' && value !== '' ? Number(value) : value
  if (typeof number !== 'number' || !Number.isFinite(number)) return '–'
  switch (form) {
    case 'rate':
      return formatThroughput(number)
    case 'duration':
      return formatSpent(number)
    case 'share':
      return formatShare(number)
    case 'count':
      return formatCompact(Math.round(number))
    case 'bytes':
      return formatBytes(number)
    case 'cost':
      return number === 0 ? '$0' : formatCost(number)
  }
}

/** A value above a list: of a rate in the unit of the rows below. */
export function formatTile({ form }: Pick<CallColumn, 'form'>, value: unknown, unit: RateUnit | undefined): string {
  if (form !== 'rate' || unit === undefined || typeof value !== 'number') return formatCell(form, value)
  return `${formatRateIn(value, unit)} ${unit.text}`
}
