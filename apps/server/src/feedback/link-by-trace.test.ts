import { expect, it } from 'vitest'
import { LIMITS } from './limits.ts'
import { lastErrorBefore } from './link-by-trace.ts'

const TRACE = 'a'.repeat(32)
const NOW = Date.UTC(2026, 10, 20)
const report = { feedbackId: 1, organizationId: 1, projectId: 7, traceId: TRACE, writtenAt: NOW }
const error = (before: number, more: object = {}) => ({
  projectId: 7,
  traceId: TRACE,
  eventId: 'e'.repeat(32),
  storedIssueId: before,
  at: NOW - before,
  ...more,
})

it('a report is about the last error of its trace before it was written, not one long before, after, or elsewhere', () => {
  const found = (...errors: ReturnType<typeof error>[]) => lastErrorBefore(report, errors)?.storedIssueId ?? null
  expect(found(error(5000), error(2000), error(9000))).toBe(2000)
  expect(found(error(0))).toBe(0)
  expect(found(error(-1))).toBeNull()
  expect(found(error(LIMITS.FEEDBACK_TRACE_BEFORE_MS))).toBe(LIMITS.FEEDBACK_TRACE_BEFORE_MS)
  expect(found(error(LIMITS.FEEDBACK_TRACE_BEFORE_MS + 1))).toBeNull()
  expect(found(error(5000, { projectId: 8 }), error(5000, { traceId: 'b'.repeat(32) }))).toBeNull()
})
