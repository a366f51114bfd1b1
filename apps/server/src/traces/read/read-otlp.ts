import {
  addClient,
  addPairs,
  addResource,
  Attributes,
  readExport,
  readSpanId,
  readThings,
  readTraceId,
  secondsOf,
  TextBudget,
  type OtlpScope,
} from '../../event/index.ts'
import type { DigestItem, Drop } from '../../ingest/index.ts'
import { createNearestAbove } from '../../lib/nearest-above.ts'
import { ok, type Result } from '../../lib/result.ts'
import { LIMITS } from '../limits.ts'
import type { ReadSpan, SpanLink } from '../span.ts'
import { SPAN_EXPORT, type OtlpSpan } from './otlp-span.ts'
import type { ReadSpans } from './read-container.ts'
import { createClockOf, type ClockOf } from './times.ts'

/** Spans that OpenTelemetry exports. */
export const readOtlp = (item: DigestItem): Result<ReadSpans, Drop> => {
  const sent = readExport(item, SPAN_EXPORT)
  if (!sent.ok) return sent
  const clock = createClockOf(item.header.sentAt, item.receivedAt)
  const budget = new TextBudget(item.item.payload.byteLength)
  const { read, ...lost } = readThings(sent.value, LIMITS.SPANS_PER_ITEM, (one, scope) =>
    readSpan(one, scope, { clock, budget }),
  )
  return ok({ spans: markSegments(read), ...lost })
}

const KINDS = ['', 'internal', 'server', 'client', 'producer', 'consumer']
const STATUSES = ['', 'ok', 'error']
/** Set when the parent is known to be, or not to be, in another process. */
const HAS_REMOTE = 0x100
const IS_REMOTE = 0x200

const readSpan = (
  sent: OtlpSpan,
  { resource, scopeName }: OtlpScope<OtlpSpan>,
  { clock, budget }: { readonly clock: ClockOf; readonly budget: TextBudget },
): ReadSpan | null => {
  const traceId = readTraceId(sent.traceId)
  const spanId = readSpanId(sent.spanId)
  const interval = clock.interval(secondsOf(sent.startTimeUnixNano), secondsOf(sent.endTimeUnixNano))
  if (traceId === null || spanId === null || interval === null) return null
  const attributes = new Attributes(budget)
  addPairs(attributes, sent.attributes)
  attributes.add('sentry.kind', KINDS[sent.kind])
  attributes.add('otel.scope.name', scopeName)
  attributes.add('otel.status_description', sent.statusMessage)
  addResource(attributes, resource)
  if (sent.events.length > 0) {
    attributes.add(
      'otel.events',
      sent.events.map(({ timeUnixNano, name, attributes: own }) => ({
        name,
        timestamp: secondsOf(timeUnixNano),
        attributes: Object.fromEntries(own.map((pair) => [pair.key, pair.value])),
      })),
    )
  }
  addClient(attributes)
  if (interval.note !== null) attributes.notes.push(interval.note)
  const parentId = readSpanId(sent.parentSpanId) ?? ''
  return {
    traceId,
    spanId,
    parentId,
    isSegment: parentId === '' || isRemote(sent) === true || (isRemote(sent) === null && isEntry(sent)),
    segmentId: '',
    start: interval.start,
    duration: interval.duration,
    name: sent.name,
    status: STATUSES[sent.statusCode] ?? '',
    attributes: attributes.values,
    links: readLinks(sent, budget),
    notes: attributes.done(),
  }
}

/** Null when its SDK does not say. */
const isRemote = ({ flags }: OtlpSpan): boolean | null =>
  (flags & HAS_REMOTE) === 0 ? null : (flags & IS_REMOTE) !== 0

/** A server's or consumer's span is where a service is entered. */
const isEntry = ({ kind }: OtlpSpan): boolean => kind === 2 || kind === 5

const readLinks = ({ links }: OtlpSpan, budget: TextBudget): SpanLink[] =>
  links.slice(0, LIMITS.SPAN_LINKS).flatMap((link) => {
    const traceId = readTraceId(link.traceId)
    const spanId = readSpanId(link.spanId)
    if (traceId === null || spanId === null) return []
    const attributes = new Attributes(budget)
    addPairs(attributes, link.attributes)
    return [{ traceId, spanId, attributes: attributes.values }]
  })

/** Which transaction each belongs to: the nearest root of one above it, as far as its parents came with it. */
const markSegments = (spans: readonly ReadSpan[]): readonly ReadSpan[] => {
  const keyOf = (traceId: string, spanId: string): string => `${traceId}${spanId}`
  const byId = new Map(spans.map((span) => [keyOf(span.traceId, span.spanId), span]))
  const segmentOf = createNearestAbove<ReadSpan, ReadSpan>({
    keyOf: ({ traceId, spanId }) => keyOf(traceId, spanId),
    above: ({ traceId, parentId }) => byId.get(keyOf(traceId, parentId)),
    valueOf: (span) => (span.isSegment ? span : null),
  })
  return spans.map((span) => {
    const segment = segmentOf(span)
    if (segment === null) return span
    if (!span.isSegment) span.attributes['sentry.segment.name'] ??= segment.name
    return { ...span, segmentId: segment.spanId }
  })
}
