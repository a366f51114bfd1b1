import { readTraceId } from '../event/index.ts'
import type { AskedEvent, FoundTransaction } from '../issues/index.ts'
import { toDate } from '../lib/instant-text.ts'
import { LIMITS } from './limits.ts'
import { attributesOf } from './span-attributes.ts'
import type { SpanOfSegment, StoredSpan, TraceView } from './traces.view.ts'

/** A transaction as the event that it came as: what Sentry's clients get who ask by the id of an event. */

export const findTransactionOfEvent =
  (traces: Pick<TraceView, 'span' | 'spansOfSegment' | 'transactionOfEvent'>) =>
  async ({ organizationId, projectIds, eventId: asked }: AskedEvent): Promise<FoundTransaction | null> => {
    // Event ids have the form of those of traces; of zeros is none.
    const eventId = readTraceId(asked)
    if (eventId === null || projectIds.length === 0) return null
    const place = await traces.transactionOfEvent({ organizationId, projectIds }, eventId)
    if (place === null) return null
    const { projectId, spanId, traceId } = place
    const scope = { organizationId, traceId, projectIds: [projectId] }
    const [root, spans] = await Promise.all([
      traces.span(scope, spanId),
      traces.spansOfSegment(scope, spanId, LIMITS.TRACE_SPANS_NESTED),
    ])
    return root === null ? null : { projectId, release: root.release, event: eventJson(root, traceId, spans) }
  }

const MICROSECONDS = 1_000_000

const eventJson = (root: StoredSpan, traceId: string, spans: readonly SpanOfSegment[]): FoundTransaction['event'] => {
  const { eventId: id, notes, platform, sdkName, sdkVersion, transaction } = root
  const attributes = new Map(attributesOf(root).map(({ name, value }) => [name, value]))
  const said: Said = (name) => {
    const value = attributes.get(name)
    return value === undefined || typeof value === 'object' ? null : String(value)
  }
  const end = root.start + root.duration
  return {
    id,
    eventID: id,
    groupID: null,
    type: 'transaction',
    title: transaction,
    message: '',
    location: transaction,
    culprit: transaction,
    metadata: { title: transaction, location: transaction },
    platform,
    dist: said('sentry.dist'),
    dateCreated: toDate(Math.floor(end / 1000)),
    dateReceived: toDate(root.receivedAt),
    startTimestamp: root.start / MICROSECONDS,
    endTimestamp: end / MICROSECONDS,
    entries: [{ type: 'spans', data: spans.map((span) => spanJson(span, traceId)) }, ...requestOf(said)],
    tags: TAGS.flatMap(([key, attribute]) => {
      const value = attribute === null ? transaction : said(attribute)
      return value === null || value === '' ? [] : [{ key, value }]
    }),
    user: userJson(said),
    contexts: {
      trace: { ...traceContext(root, traceId), data: Object.fromEntries(attributes) },
      ...contextsOf(root, said),
    },
    context: Object.fromEntries(
      [...attributes].flatMap(([name, value]) => (name.startsWith(EXTRA) ? [[name.slice(EXTRA.length), value]] : [])),
    ),
    sdk: sdkName === '' ? null : { name: sdkName, version: sdkVersion },
    errors: notes.map((message) => ({ type: 'invalid_data', message, data: {} })),
    measurements: measurementsOf(root),
    breakdowns: null,
    occurrence: null,
    nextEventID: null,
    previousEventID: null,
  }
}

const EXTRA = 'extra.'

/** What an attribute says, as text; null for none. */
type Said = (name: string) => string | null

/** Tags that Sentry derives. Those that the SDK set stand among the attributes, which do not say that they were tags. */
const TAGS: readonly (readonly [key: string, attribute: string | null])[] = [
  ['browser.name', 'browser.name'],
  ['device.family', 'device.family'],
  ['dist', 'sentry.dist'],
  ['environment', 'sentry.environment'],
  ['os.name', 'os.name'],
  ['release', 'sentry.release'],
  ['replayId', 'sentry.replay_id'],
  ['server_name', 'service.instance.id'],
  ['transaction', null],
  ['url', 'url.full'],
]

const spanJson = (span: SpanOfSegment, traceId: string) => ({
  trace_id: traceId,
  span_id: span.id,
  parent_span_id: span.parentId === '' ? null : span.parentId,
  start_timestamp: span.start / MICROSECONDS,
  timestamp: (span.start + span.duration) / MICROSECONDS,
  exclusive_time: span.selfTime / 1000,
  op: span.op,
  description: span.description === '' ? span.name : span.description,
  status: span.status,
  origin: span.origin,
})

const requestOf = (said: Said): FoundTransaction['event']['entries'] => {
  const [url, method] = [said('url.full'), said('http.request.method')]
  if (url === null && method === null) return []
  const query = (said('url.query') ?? '').split('&').flatMap((pair): [string, string][] => {
    const [key = '', ...value] = pair.split('=')
    return key === '' ? [] : [[key, value.join('=')]]
  })
  const notKept = { fragment: null, data: null, inferredContentType: null, env: null, apiTarget: null }
  return [{ type: 'request', data: { url, method, query, cookies: [], headers: [], ...notKept } }]
}

const userJson = (said: Said): FoundTransaction['event']['user'] => {
  const [id, email, username, address] = [
    said('user.id'),
    said('user.email'),
    said('user.name'),
    said('user.ip_address'),
  ]
  const country = said('user.geo.country_code')
  if ([id, email, username, address].every((value) => value === null)) return null
  const geo = country === null ? null : { country_code: country }
  return { id, email, username, name: null, ip_address: address, geo, data: null }
}

const traceContext = (root: StoredSpan, traceId: string): Record<string, unknown> => ({
  type: 'trace',
  trace_id: traceId,
  span_id: root.id,
  parent_span_id: root.parentId === '' ? null : root.parentId,
  op: root.op,
  status: root.status === '' ? 'unknown' : root.status,
  origin: root.origin,
})

/** Contexts whose values have attributes of their own: type, then each key with its attribute. */
const CONTEXTS: readonly (readonly [type: string, keys: Readonly<Record<string, string>>])[] = [
  ['browser', { name: 'browser.name', version: 'browser.version' }],
  ['os', { name: 'os.name', version: 'os.version' }],
  ['runtime', { name: 'process.runtime.name', version: 'process.runtime.version' }],
  ['device', { family: 'device.family' }],
  ['replay', { replay_id: 'sentry.replay_id' }],
  ['profile', { profile_id: 'sentry.profile_id', profiler_id: 'sentry.profiler_id' }],
]

const contextsOf = ({ httpStatus }: StoredSpan, said: Said): Record<string, Record<string, unknown>> => ({
  ...Object.fromEntries(
    CONTEXTS.flatMap(([type, keys]) => {
      const values = Object.entries(keys).flatMap(([key, attribute]) => {
        const value = said(attribute)
        return value === null ? [] : [[key, value] as const]
      })
      return values.length === 0 ? [] : [[type, { type, ...Object.fromEntries(values) }] as const]
    }),
  ),
  ...(httpStatus !== 0 && { response: { type: 'response', status_code: httpStatus } }),
})

type Measurement = readonly [name: string, { readonly value: number; readonly unit: string | null }]

/** Times were brought to milliseconds; of other measurements the unit was not kept. */
const measurementsOf = ({ numbers }: StoredSpan): FoundTransaction['event']['measurements'] =>
  Object.fromEntries(
    Object.entries(numbers).flatMap(([name, value]): Measurement[] => {
      const vital = /^browser\.web_vital\.(\w+)\.value$/.exec(name)?.[1]
      if (vital !== undefined) return [[vital, { value, unit: vital === 'cls' ? 'none' : 'millisecond' }]]
      const measured = /^measurements\.(.+)$/.exec(name)?.[1]
      return measured === undefined ? [] : [[measured, { value, unit: null }]]
    }),
  )
