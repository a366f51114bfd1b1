import { describe, expect, it } from 'vitest'
import { finish } from '../lib/test/finish.ts'
import { arrange } from './arrange.ts'
import { LIMITS } from './limits.ts'
import { treeJson } from './sentry-trace.routes.ts'
import type { SpanSummary } from './traces.view.ts'

const span = (id: number, parentId: number, more: Partial<SpanSummary> = {}): SpanSummary => ({
  id: String(id),
  parentId: parentId === 0 ? '' : String(parentId),
  projectId: 1,
  clock: '',
  start: id,
  duration: 10,
  isAsync: false,
  segmentId: '1',
  isSegment: id === 1,
  op: 'work',
  name: `span ${id}`,
  description: '',
  transaction: 'all',
  status: 'ok',
  sdkName: '',
  replayId: '',
  profileId: '',
  profilerId: '',
  ...more,
})

describe('a trace in the shape of Sentry', () => {
  it('has errors at their spans, of the same project alone, and others at the top', () => {
    const spans = [span(1, 0), span(2, 1), span(1, 0, { projectId: 2 })]
    const error = {
      eventId: 'e',
      issueId: 7,
      storedIssueId: 7,
      shortId: 'SHOP-1',
      title: 't',
      culprit: 'c',
      level: 'error',
      timestamp: 5,
    }
    const errors = [
      { ...error, projectId: 1, spanId: '2' },
      { ...error, projectId: 2, spanId: '2' },
    ]
    const tree = treeJson(
      { projects: [], spans, arrangement: finish(arrange(spans)), errors, occurrences: [], logs: [], truncated: false },
      new Map(),
    )
    expect(tree).toMatchObject([
      { event_id: '1', children: [{ event_id: '2', errors: [{ short_id: 'SHOP-1' }] }] },
      { event_id: '1', children: [] },
      { event_type: 'error' },
    ])
  })

  it('says which profile was taken of a span', () => {
    const spans = [span(1, 0, { profileId: 'a'.repeat(32), profilerId: 'b'.repeat(32) }), span(2, 1)]
    const tree = treeJson(
      {
        projects: [],
        spans,
        arrangement: finish(arrange(spans)),
        errors: [],
        occurrences: [],
        logs: [],
        truncated: false,
      },
      new Map(),
    )
    expect(tree).toMatchObject([
      { profile_id: 'a'.repeat(32), profiler_id: 'b'.repeat(32), children: [{ profile_id: '', profiler_id: '' }] },
    ])
  })

  it('T112: a chain of 20,000 spans nests so far that readers can follow, and has all of them', () => {
    const spans = Array.from({ length: 20_000 }, (_, index) => span(index + 1, index))
    const loaded = {
      projects: [],
      spans,
      arrangement: finish(arrange(spans)),
      errors: [],
      occurrences: [],
      logs: [],
      truncated: false,
    }
    const json = JSON.stringify(treeJson(loaded, new Map()))
    expect(json.match(/"event_id"/g)).toHaveLength(20_000)
    let depth = 0
    type Node = { children: Node[] }
    for (let at = (JSON.parse(json) as Node[])[0]; at !== undefined; at = at.children[0]) depth += 1
    expect(depth).toBe(LIMITS.TRACE_NESTED_LEVELS + 1)
  })
})
