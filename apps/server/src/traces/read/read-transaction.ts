import { isObject } from '@firsthand/protocol'
import {
  addClient,
  Attributes,
  normaliseSurroundings,
  readJson,
  readSpanId,
  readTraceId,
  TextBudget,
} from '../../event/index.ts'
import type { NormalisedEvent } from '../../event/event.ts'
import type { DigestItem, Drop } from '../../ingest/index.ts'
import { drop } from '../../ingest/index.ts'
import { err, ok, type Result } from '../../lib/result.ts'
import { LIMITS } from '../limits.ts'
import { isOfPage, statusOf, type ReadSpan } from '../span.ts'
import { readLinks, type ReadSpans } from './read-container.ts'
import { createClockOf, type ClockOf } from './times.ts'

type Raw = Readonly<Record<string, unknown>>

export interface ReadTransaction extends ReadSpans {
  /** What it says as an event does. */
  readonly surroundings: NormalisedEvent
}

/**
 * A transaction and its spans (protocol.md 3.2): what SDKs 7 to 10 send, 11 on request, and those of most other languages.
 * The transaction is a span, too: the root of what its service did.
 * @param profileOf the profile that came with it, asked for when the transaction names none
 */
export const readTransaction = (
  item: DigestItem,
  profileOf: () => string | null = () => null,
): Result<ReadTransaction, Drop> => {
  const opened = openTransaction(item)
  if (!opened.ok) return opened
  const { raw, rootId, ...context } = opened.value
  const sent = Array.isArray(raw['spans']) ? raw['spans'] : []
  // The surroundings are read last: they trim what they read.
  const children: ReadSpan[] = []
  let unreadable = 0
  for (const element of sent.slice(0, LIMITS.SPANS_PER_ITEM - 1)) {
    const child = isObject(element) ? readChildSpan(element, context, rootId) : null
    if (child === null) unreadable += 1
    else children.push(child)
  }
  const read = readSurroundedRoot(item, opened.value)
  if (!read.ok) return read
  const { root, surroundings } = read.value
  const profile = root.attributes['sentry.profile_id'] === undefined ? profileOf() : null
  if (profile !== null) root.attributes['sentry.profile_id'] = profile
  const own = attributesForChildren(root)
  for (const child of children) for (const name in own) child.attributes[name] ??= own[name] ?? ''
  return ok({
    spans: [root, ...children],
    unreadable,
    beyondLimit: Math.max(0, sent.length - (LIMITS.SPANS_PER_ITEM - 1)),
    surroundings,
  })
}

/** What the transaction alone says, for those who need none of its spans. */
export const readTransactionRoot = (item: DigestItem): Result<SurroundedRoot, Drop> => {
  const opened = openTransaction(item)
  return opened.ok ? readSurroundedRoot(item, opened.value) : opened
}

export interface SurroundedRoot {
  readonly root: ReadSpan
  /** What it says as an event does. */
  readonly surroundings: NormalisedEvent
}

interface Opened extends Context {
  readonly raw: Raw
  readonly trace: Raw
  readonly rootId: string
}

const openTransaction = (item: DigestItem): Result<Opened, Drop> => {
  const json = readJson(item.item.payload)
  if (!json.ok) return json
  const raw = json.value.value
  if (!isObject(raw)) return invalid('The payload of a transaction must be a JSON object.')
  const trace = isObject(raw['contexts']) ? raw['contexts']['trace'] : undefined
  if (!isObject(trace)) return invalid('A transaction must have a trace context.')
  const rootId = readSpanId(trace['span_id'])
  if (rootId === null) return invalid('A transaction must have a span id.')
  const clock = createClockOf(item.header.sentAt, item.receivedAt)
  return ok({ raw, trace, rootId, clock, budget: new TextBudget(item.item.payload.byteLength) })
}

const readSurroundedRoot = (item: DigestItem, { raw, trace, clock, budget }: Opened): Result<SurroundedRoot, Drop> => {
  const attributes = new Attributes(budget)
  addAll(attributes, trace['data'])
  addMeasurements(attributes, raw['measurements'])
  const surroundings = normaliseSurroundings(item, { ...raw, spans: undefined })
  addSurroundings(attributes, surroundings)
  for (const name of NOT_KEPT) if (raw[name] !== undefined) attributes.notes.push(`Its ${name} are not kept.`)
  const root = readRoot(raw, trace, { clock, budget, attributes })
  if (root === null) return invalid('A transaction must have a trace id, a start and an end.')
  return ok({ root: { ...root, eventId: surroundings.event_id }, surroundings })
}

/** Parts of a transaction that no screen shows. */
const NOT_KEPT = ['breadcrumbs', 'modules', 'breakdowns']

const invalid = (detail: string): Result<never, Drop> => err(drop('invalid', 'invalid_transaction', detail))

/** What all spans of an item are read with. */
interface Context {
  readonly clock: ClockOf
  readonly budget: TextBudget
}

const readRoot = (
  raw: Raw,
  trace: Raw,
  { clock, budget, attributes }: Context & { readonly attributes: Attributes },
): ReadSpan | null => {
  const traceId = readTraceId(trace['trace_id'])
  const spanId = readSpanId(trace['span_id'])
  const interval = clock.interval(raw['start_timestamp'], raw['timestamp'])
  if (traceId === null || spanId === null || interval === null) return null
  if (interval.note !== null) attributes.notes.push(interval.note)
  attributes.add('sentry.op', trace['op'])
  attributes.add('sentry.origin', trace['origin'])
  addClient(attributes)
  return {
    traceId,
    spanId,
    parentId: readSpanId(trace['parent_span_id']) ?? '',
    isSegment: true,
    segmentId: spanId,
    start: interval.start,
    duration: interval.duration,
    name: typeof raw['transaction'] === 'string' ? raw['transaction'] : '',
    status: statusOf(trace['status']),
    attributes: attributes.values,
    links: readLinks(trace['links'], budget),
    notes: attributes.done(),
  }
}

/** A span of a transaction, or one that came by itself: both have the form of SDKs 7 to 10. */
const readChildSpan = (raw: Raw, { clock, budget }: Context, segmentId: string): ReadSpan | null => {
  const traceId = readTraceId(raw['trace_id'])
  const spanId = readSpanId(raw['span_id'])
  const interval = clock.interval(raw['start_timestamp'], raw['timestamp'])
  if (traceId === null || spanId === null || interval === null) return null
  const attributes = new Attributes(budget)
  attributes.add('sentry.op', raw['op'])
  attributes.add('sentry.origin', raw['origin'])
  addAll(attributes, raw['data'])
  addAll(attributes, raw['tags'])
  addMeasurements(attributes, raw['measurements'])
  addClient(attributes)
  if (interval.note !== null) attributes.notes.push(interval.note)
  return {
    traceId,
    spanId,
    parentId: readSpanId(raw['parent_span_id']) ?? '',
    isSegment: raw['is_segment'] === true && !isOfPage(raw['op']),
    segmentId,
    start: interval.start,
    duration: interval.duration,
    name: typeof raw['description'] === 'string' ? raw['description'] : '',
    status: statusOf(raw['status']),
    attributes: attributes.values,
    links: readLinks(raw['links'], budget),
    notes: attributes.done(),
  }
}

/** A span that came by itself (INP, LCP and CLS of SDKs 8 to 10). */
export const readStandaloneSpan = (item: DigestItem): Result<ReadSpans, Drop> => {
  const json = readJson(item.item.payload)
  if (!json.ok) return json
  const raw = json.value.value
  const clock = createClockOf(item.header.sentAt, item.receivedAt)
  const budget = new TextBudget(item.item.payload.byteLength)
  const span = isObject(raw) ? readChildSpan(raw, { clock, budget }, readSpanId(raw['segment_id']) ?? '') : null
  if (!isObject(raw) || span === null) {
    return err(drop('invalid', 'invalid_span', 'A span must have a trace id, a span id, a start and an end.'))
  }
  // SDKs put them beside the span, or into its data under these plain names.
  for (const [name, key] of OF_STANDALONE) {
    const value = raw[key] ?? span.attributes[key]
    if (typeof value === 'string' && value !== '') span.attributes[name] ??= value
  }
  return ok({ spans: [span], unreadable: 0, beyondLimit: 0 })
}

const OF_STANDALONE: readonly (readonly [name: string, key: string])[] = [
  ['sentry.release', 'release'],
  ['sentry.environment', 'environment'],
  ['sentry.segment.name', 'transaction'],
  ['sentry.replay_id', 'replay_id'],
  ['sentry.profile_id', 'profile_id'],
]

const addAll = (attributes: Attributes, sent: unknown): void => {
  if (isObject(sent)) for (const name in sent) attributes.add(name, sent[name])
}

const addMeasurements = (attributes: Attributes, sent: unknown): void => {
  if (isObject(sent)) for (const name in sent) attributes.addMeasurement(name, sent[name])
}

/** Tags that repeat what has a name of its own. */
const NAMED_TAGS = new Set(['browser', 'client_os', 'device', 'dist', 'environment', 'level', 'os', 'release', 'user'])

/** Contexts whose attributes have names of their own. */
const OWN_NAMES = new Set(['trace', 'response', 'browser', 'os', 'runtime', 'replay', 'profile'])

/** What the event says, by the names of attributes. */
const addSurroundings = (attributes: Attributes, event: NormalisedEvent): void => {
  const { contexts, request, user, sdk } = event
  attributes.add('sentry.release', event.release)
  attributes.add('sentry.environment', event.environment)
  attributes.add('sentry.dist', event.dist)
  attributes.add('sentry.platform', event.platform)
  attributes.add('sentry.sdk.name', sdk?.name)
  attributes.add('sentry.sdk.version', sdk?.version)
  attributes.add('service.instance.id', event.server_name)
  attributes.add('sentry.segment.name.source', event.transaction_info?.source)
  attributes.add('user.id', user?.id)
  attributes.add('user.email', user?.email)
  attributes.add('user.name', user?.username ?? user?.name)
  attributes.add('user.ip_address', user?.ip_address)
  attributes.add('user.geo.country_code', user?.geo?.['country_code'])
  attributes.add('http.request.method', request?.method)
  attributes.add('url.full', request?.url)
  attributes.add('url.query', request?.query_string?.map((pair) => pair.join('=')).join('&'))
  attributes.add('http.response.status_code', contexts['response']?.['status_code'])
  attributes.add('browser.name', contexts['browser']?.['name'])
  attributes.add('browser.version', contexts['browser']?.['version'])
  attributes.add('os.name', contexts['os']?.['name'])
  attributes.add('os.version', contexts['os']?.['version'])
  attributes.add('device.family', contexts['device']?.['family'] ?? contexts['device']?.['model'])
  attributes.add('process.runtime.name', contexts['runtime']?.['name'])
  attributes.add('process.runtime.version', contexts['runtime']?.['version'])
  attributes.add('sentry.replay_id', contexts['replay']?.['replay_id'])
  attributes.add('sentry.profile_id', contexts['profile']?.['profile_id'])
  attributes.add('sentry.profiler_id', contexts['profile']?.['profiler_id'])
  for (const name in contexts) {
    if (OWN_NAMES.has(name)) continue
    const context = contexts[name]
    for (const key in context) if (key !== 'type') attributes.add(`${name}.${key}`, context[key])
  }
  for (const key in event.extra) attributes.add(`extra.${key}`, event.extra[key])
  for (const [name, value] of event.tags) if (!NAMED_TAGS.has(name)) attributes.add(name, value)
}

/** What holds for all spans of a transaction, by which they are searched. */
const FOR_CHILDREN = [
  'sentry.release',
  'sentry.environment',
  'sentry.platform',
  'sentry.sdk.name',
  'sentry.sdk.version',
  'sentry.replay_id',
  'sentry.profile_id',
  'user.id',
  'user.email',
  'user.name',
  'user.ip_address',
  'browser.name',
  'os.name',
  'device.family',
  'user.geo.country_code',
]

/** No longer than in a column: they are copied to each. */
export const attributesForChildren = ({ attributes }: ReadSpan): ReadSpan['attributes'] =>
  Object.fromEntries(
    FOR_CHILDREN.flatMap((name) => {
      const value = attributes[name]
      if (typeof value !== 'string') return []
      return [[name, value.slice(0, LIMITS.SPAN_TRANSACTION_CHARS).toWellFormed()]]
    }),
  )
