import { createDescriber } from '../traces/describe/describe.ts'
import type { Steps } from '../lib/sliced-work.ts'
import { findSteps, type Finding } from './find.ts'
import type { FindingSettings } from './settings.ts'
import { segmentSteps, type Segment, type SpanFacts, type StoredSpan } from './segment.ts'

/** Segments for tests: spans as an SDK makes them, with times in milliseconds after the first. */

export interface SketchedSpan {
  readonly op: string
  readonly name: string
  readonly from: number
  readonly to: number
  readonly system?: string
  readonly facts?: SpanFacts
  readonly children?: readonly SketchedSpan[]
}

export interface SketchedSegment extends SketchedSpan {
  readonly sdkName?: string
  /** Sets ids apart. */
  readonly seed?: number
}

export const START_MICROS = 1_780_000_000_000_000

const describe = createDescriber()

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0')

export const sketch = ({ sdkName = 'sentry.javascript.node', seed = 1, ...root }: SketchedSegment): StoredSpan[] => {
  const spans: StoredSpan[] = []
  const add = (span: SketchedSpan, parentId: string): void => {
    const { op, name, from, to, facts = {}, system, children = [] } = span
    const id = hex(seed * 10_000 + spans.length + 1, 16)
    const attributes = { ...facts, ...(system === undefined ? {} : { 'db.system.name': system }) }
    const described = describe(1, { op, name, attributes })
    spans.push({
      id,
      parentId,
      segmentId: hex(seed * 10_000 + 1, 16),
      isSegment: parentId === '',
      organizationId: 1,
      projectId: 1,
      traceId: hex(seed, 32),
      op,
      name,
      ...described,
      transaction: root.name,
      platform: 'node',
      sdkName,
      environment: 'production',
      release: 'shop@1',
      start: START_MICROS + from * 1000,
      duration: (to - from) * 1000,
      facts,
    })
    for (const child of children) add(child, id)
  }
  add(root, '')
  return spans
}

/** All steps of a work at once. */
const finish = <Value>(steps: Steps<Value>): Value => {
  for (;;) {
    const next = steps.next()
    if (next.done === true) return next.value
  }
}

export const segmentsOf = (spans: readonly StoredSpan[]): readonly Segment[] => finish(segmentSteps(spans))

export const findIn = (segment: Segment, settings: FindingSettings): readonly Finding[] =>
  finish(findSteps(segment, settings))

export const segmentOf = (segment: SketchedSegment): Segment => {
  const [only] = segmentsOf(sketch(segment))
  if (only === undefined) throw new Error('no segment')
  return only
}

export const query = (name: string, from: number, to: number, more: Partial<SketchedSpan> = {}): SketchedSpan => ({
  op: 'db',
  name,
  from,
  to,
  system: 'postgresql',
  ...more,
})

export const request = (name: string, from: number, to: number, facts: SpanFacts = {}): SketchedSpan => ({
  op: 'http.client',
  name,
  from,
  to,
  facts,
})

export const times = <Value>(count: number, make: (index: number) => Value): Value[] =>
  Array.from({ length: count }, (_, index) => make(index))
