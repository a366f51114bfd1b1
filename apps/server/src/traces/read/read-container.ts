import { isObject } from '@firsthand/protocol'
import {
  addSent,
  Attributes,
  readItems,
  readSpanId,
  readTraceId,
  type OfContainer,
  type TextBudget,
} from '../../event/index.ts'
import type { DigestItem, Drop } from '../../ingest/index.ts'
import { drop } from '../../ingest/index.ts'
import { ok, type Result } from '../../lib/result.ts'
import { LIMITS } from '../limits.ts'
import { isOfPage, statusOf, type ReadSpan, type SpanLink } from '../span.ts'
import { createClockOf, type ClockOf } from './times.ts'

/** What was read of an item. */
export interface ReadSpans {
  readonly spans: readonly ReadSpan[]
  /** Elements that are no span. */
  readonly unreadable: number
  readonly beyondLimit: number
}

/** What SDK 11 streams (protocol.md 3.3). */
export const readContainer = (item: DigestItem): Result<ReadSpans, Drop> => {
  const clock = createClockOf(item.header.sentAt, item.receivedAt)
  const bounds = { limit: LIMITS.SPANS_PER_ITEM, invalid: NO_CONTAINER }
  const read = readItems(item, bounds, (element, _place, of) => readSpan(element, { ...of, clock }))
  if (!read.ok) return read
  const { read: spans, ...lost } = read.value
  return ok({ spans, ...lost })
}

const NO_CONTAINER = drop(
  'invalid',
  'invalid_span',
  'The payload of a span container must be an object with a list `items`.',
)

interface Context extends OfContainer {
  readonly clock: ClockOf
}

const readSpan = (raw: Readonly<Record<string, unknown>>, { clock, budget, sender }: Context): ReadSpan | null => {
  const traceId = readTraceId(raw['trace_id'])
  const spanId = readSpanId(raw['span_id'])
  const interval = clock.interval(raw['start_timestamp'], raw['end_timestamp'])
  if (traceId === null || spanId === null || interval === null) return null
  const attributes = new Attributes(budget)
  addSent(attributes, raw['attributes'], sender)
  const segment = attributes.values['sentry.segment.id']
  if (interval.note !== null) attributes.notes.push(interval.note)
  const isSegment = raw['is_segment'] === true && !isOfPage(attributes.values['sentry.op'])
  return {
    traceId,
    spanId,
    parentId: readSpanId(raw['parent_span_id']) ?? '',
    isSegment,
    segmentId: isSegment ? spanId : (readSpanId(segment) ?? ''),
    start: interval.start,
    duration: interval.duration,
    name: typeof raw['name'] === 'string' ? raw['name'] : '',
    // `error` is all that the field says; the finer word of before is an attribute.
    status: statusOf(attributes.values['sentry.status.message']) || statusOf(raw['status']),
    attributes: attributes.values,
    links: readLinks(raw['links'], budget),
    notes: attributes.done(),
  }
}

export const readLinks = (sent: unknown, budget: TextBudget): readonly SpanLink[] =>
  !Array.isArray(sent)
    ? []
    : sent.slice(0, LIMITS.SPAN_LINKS).flatMap((link: unknown) => {
        if (!isObject(link)) return []
        const traceId = readTraceId(link['trace_id'])
        const spanId = readSpanId(link['span_id'])
        if (traceId === null || spanId === null) return []
        const attributes = new Attributes(budget)
        const own = link['attributes']
        if (isObject(own)) {
          for (const name in own) {
            if (isObject(own[name])) attributes.addTyped(name, own[name])
            else attributes.add(name, own[name])
          }
        }
        const { sampled } = link
        return [{ traceId, spanId, attributes: attributes.values, ...(typeof sampled === 'boolean' && { sampled }) }]
      })
