import { getTrace } from '@firsthand/contract'
import { describe, expect, it } from 'vitest'
import { callRoute } from '../explore/test/call.ts'
import { countTurns } from '../lib/test/turns.ts'
import { LIMITS } from './limits.ts'
import type { TraceServices } from './trace-services.ts'
import { createTraceRoutes } from './traces.routes.ts'
import type { SpanSummary } from './traces.view.ts'

const START = Date.parse('2026-11-20T12:00:00.000Z') * 1000

/** A root, and ten below each span. */
const spans = Array.from({ length: LIMITS.TRACE_SPANS_SHOWN }, (_, index): SpanSummary => ({
  id: index.toString(16).padStart(16, '1'),
  parentId:
    index === 0
      ? ''
      : Math.floor((index - 1) / 10)
          .toString(16)
          .padStart(16, '1'),
  projectId: 1,
  clock: '',
  start: START + index,
  duration: 1000,
  isAsync: false,
  segmentId: '1',
  isSegment: index === 0,
  op: 'work',
  name: `span ${index}`,
  description: '',
  transaction: 'all',
  status: 'ok',
  sdkName: '',
  replayId: '',
  profileId: '',
  profilerId: '',
}))

const services = {
  projects: async () => [{ id: 1, slug: 'shop' }],
  traces: { spans: async () => spans, errors: async () => [], occurrences: async () => [] },
  ask: async () => [],
} as unknown as TraceServices

describe('a trace of as many spans as are shown', () => {
  it('is drawn in slices, so that other requests are served meanwhile', async () => {
    const { value, turns } = await countTurns(() =>
      callRoute(createTraceRoutes(services), getTrace, { params: { trace: 'a'.repeat(32) } }),
    )
    const { body } = value
    expect(body.spans.id).toHaveLength(LIMITS.TRACE_SPANS_SHOWN)
    expect(body.spans.descendants[0]).toBe(LIMITS.TRACE_SPANS_SHOWN - 1)
    // Spans are gone through six times: by their ids and parents, in order, for their own time, names and columns.
    expect(turns).toBeGreaterThanOrEqual(6 * 9)
  })
})
