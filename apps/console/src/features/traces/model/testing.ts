import { SPAN_FLAGS, type Trace } from '@firsthand/contract'

/** A span of a trace that a test writes down. Milliseconds. */
export interface TestSpan {
  readonly id?: string
  readonly name: string
  readonly op?: string
  readonly from: number
  readonly to: number
  readonly flags?: number
  readonly shift?: number
  readonly project?: number
  readonly transaction?: string
  readonly children?: readonly TestSpan[]
}

export const STARTED = '2026-11-22T14:08:00.000Z'

/** The trace in the columns in which the server answers. */
export function testTrace(roots: readonly TestSpan[], more: Partial<Trace> = {}): Trace {
  const words: string[] = ['']
  const known = new Map([['', 0]])
  const word = (text: string): number => {
    const index = known.get(text)
    if (index !== undefined) return index
    known.set(text, words.length)
    return words.push(text) - 1
  }
  const spans: Trace['spans'] = {
    id: [],
    parent: [],
    depth: [],
    descendants: [],
    start: [],
    duration: [],
    selfTime: [],
    shift: [],
    op: [],
    name: [],
    transaction: [],
    status: [],
    project: [],
    flags: [],
  }
  const add = (span: TestSpan, parent: number, depth: number): number => {
    const index = spans.id.length
    spans.id.push(span.id ?? (index + 1).toString(16).padStart(16, '0'))
    spans.parent.push(parent)
    spans.depth.push(depth)
    spans.descendants.push(0)
    spans.start.push(span.from * 1000)
    spans.duration.push((span.to - span.from) * 1000)
    spans.selfTime.push(0)
    spans.shift.push((span.shift ?? 0) * 1000)
    spans.op.push(word(span.op ?? 'function'))
    spans.name.push(word(span.name))
    spans.transaction.push(word(span.transaction ?? ''))
    spans.status.push(word('ok'))
    spans.project.push(span.project ?? 0)
    spans.flags.push(span.flags ?? (parent === -1 ? SPAN_FLAGS.segment : 0))
    const sum = (span.children ?? []).reduce((total, child) => total + add(child, index, depth + 1), 0)
    spans.descendants[index] = sum
    return sum + 1
  }
  for (const root of roots) add(root, -1, 0)
  return {
    traceId: '7f3c19e0b2d84f8aa1c0de7f3c19e0b2',
    start: STARTED,
    duration: 0,
    projects: [{ id: '1', slug: 'shop-web' }],
    words,
    spans,
    errors: [],
    findings: [],
    logs: [],
    truncated: false,
    ...more,
  }
}

/** A trace of so many spans, of many names, several levels deep. */
export function largeTrace(count: number): Trace {
  const perRequest = 20
  const requests = Math.ceil(count / perRequest)
  return testTrace([
    {
      name: 'POST /import',
      op: 'http.server',
      from: 0,
      to: requests * 10,
      children: Array.from({ length: requests }, (_, request) => ({
        name: `GET /item/${request}`,
        op: 'http.client',
        from: request * 10,
        to: request * 10 + 9,
        children: Array.from({ length: perRequest - 1 }, (_, query) => ({
          name: `step ${request}.${query}`,
          op: 'function',
          from: request * 10 + query * 0.4,
          to: request * 10 + query * 0.4 + 0.3,
        })),
      })),
    },
  ])
}
