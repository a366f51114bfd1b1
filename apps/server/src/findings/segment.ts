import { createNearestAbove } from '../lib/nearest-above.ts'
import type { Steps } from '../lib/sliced-work.ts'

/** What detectors look at: the part of a trace that one service did, as a list in which each span stands before its children. */

export type SpanFacts = Readonly<Record<string, string | number | boolean>>

export interface SegmentSpan {
  /** 16 hex characters. */
  readonly id: string
  /** Place of the span above it in the list; -1 for the root. */
  readonly parent: number
  readonly depth: number
  readonly op: string
  readonly category: string
  /** The same for all that do the same; '' when nothing is known of it. */
  readonly text: string
  readonly domain: string
  /** As it was sent: a statement, an address. */
  readonly name: string
  /** Microseconds since the epoch. */
  readonly start: number
  readonly end: number
  /** Microseconds. */
  readonly duration: number
  /** Attributes that some detector asks for (`FACTS`). */
  readonly facts: SpanFacts
}

export interface Segment {
  readonly organizationId: number
  readonly projectId: number
  /** 32 hex characters. */
  readonly traceId: string
  /** Id of its root. */
  readonly id: string
  readonly transaction: string
  /** Of its root; '' when that is missing. */
  readonly op: string
  readonly platform: string
  readonly sdkName: string
  readonly environment: string
  readonly release: string
  /** Microseconds. */
  readonly start: number
  readonly duration: number
  readonly spans: readonly SegmentSpan[]
}

/** A span as it is stored. */
export interface StoredSpan {
  readonly id: string
  readonly parentId: string
  /** '' when its SDK does not say. */
  readonly segmentId: string
  readonly isSegment: boolean
  readonly organizationId: number
  readonly projectId: number
  readonly traceId: string
  readonly op: string
  readonly category: string
  readonly text: string
  readonly domain: string
  readonly name: string
  readonly transaction: string
  readonly platform: string
  readonly sdkName: string
  readonly environment: string
  readonly release: string
  readonly start: number
  readonly duration: number
  readonly facts: SpanFacts
}

/** Spans of a trace that are put into segments between two pauses. */
const SPANS_PER_STEP = 1000

/**
 * The segments of what one project sent of one trace. A span belongs where its SDK says, else to the nearest root above it;
 * what belongs to no root that is there is a segment without one. One trace may have as many spans as many have together,
 * so it pauses between them.
 */
export const segmentSteps = function* (spans: readonly StoredSpan[]): Steps<readonly Segment[]> {
  const byId = new Map(spans.map((span) => [span.id, span]))
  const segmentIdOf = createNearestAbove<StoredSpan, string>({
    keyOf: ({ id }) => id,
    above: ({ parentId }) => byId.get(parentId),
    valueOf: ({ id, isSegment, segmentId }) => (isSegment ? id : segmentId === '' ? null : segmentId),
  })
  const bySegment = new Map<string, StoredSpan[]>()
  for (const [index, span] of spans.entries()) {
    const id = segmentIdOf(span) ?? ''
    const own = bySegment.get(id)
    if (own === undefined) bySegment.set(id, [span])
    else own.push(span)
    if (index % SPANS_PER_STEP === 0) yield
  }
  const segments: Segment[] = []
  for (const [id, own] of bySegment) {
    segments.push(segmentOf(id, own))
    yield
  }
  return segments
}

const segmentOf = (id: string, own: readonly StoredSpan[]): Segment => {
  const sorted = own.toSorted((one, other) => one.start - other.start)
  const root = sorted.find((span) => span.id === id)
  const any = root ?? sorted[0]
  const start = Math.min(...ends(sorted, ({ start: at }) => at))
  const end = Math.max(...ends(sorted, (span) => span.start + span.duration))
  return {
    organizationId: any?.organizationId ?? 0,
    projectId: any?.projectId ?? 0,
    traceId: any?.traceId ?? '',
    id,
    transaction: any?.transaction ?? '',
    op: root?.op ?? '',
    platform: any?.platform ?? '',
    sdkName: any?.sdkName ?? '',
    environment: any?.environment ?? '',
    release: any?.release ?? '',
    start: root?.start ?? start,
    duration: root?.duration ?? end - start,
    spans: depthFirst(sorted, root),
  }
}

/** The smallest and the largest: a list of arguments has a limit, spans have not. */
const ends = (spans: readonly StoredSpan[], of: (span: StoredSpan) => number): number[] => {
  let smallest = Infinity
  let largest = -Infinity
  for (const span of spans) {
    smallest = Math.min(smallest, of(span))
    largest = Math.max(largest, of(span))
  }
  return [smallest, largest]
}

/** Siblings by their start; a span whose parent is not there stands below the root. */
const depthFirst = (sorted: readonly StoredSpan[], root: StoredSpan | undefined): SegmentSpan[] => {
  const ids = new Set(sorted.map(({ id }) => id))
  const children = Map.groupBy(
    sorted.filter((span) => span !== root),
    ({ id, parentId }) => (ids.has(parentId) && parentId !== id ? parentId : (root?.id ?? '')),
  )
  const list: SegmentSpan[] = []
  const placed = new Set<StoredSpan>()
  const waiting: { readonly span: StoredSpan; readonly parent: number; readonly depth: number }[] = []
  const push = (spans: readonly StoredSpan[], parent: number, depth: number): void => {
    for (const span of spans.toReversed()) waiting.push({ span, parent, depth })
  }
  push(root === undefined ? (children.get('') ?? []) : [root], -1, 0)
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { span, parent, depth } = next
    if (placed.has(span)) continue
    placed.add(span)
    const { id, op, category, text, domain, name, start, duration, facts } = span
    list.push({ id, parent, depth, op, category, text, domain, name, start, duration, end: start + duration, facts })
    push(children.get(id) ?? [], list.length - 1, depth + 1)
  }
  return list
}
