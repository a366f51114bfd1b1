import { expect, it } from 'vitest'
import type { EventView, NamedValues } from './event-view.ts'
import { traceOf } from './trace-of.ts'

const TRACE = '7f3c19e0b2d84f8aa1c0de7f3c19e0b2'
const SPAN = 'b41e07d2b41e07d2'
const eventWith = (fields: NamedValues) =>
  ({ id: 'e1', contexts: [{ name: 'trace', title: 'Trace', fields }] }) as unknown as EventView

it('an event leads to its span in its trace', () => {
  expect(
    traceOf(
      eventWith([
        ['trace_id', TRACE.toUpperCase()],
        ['span_id', SPAN],
      ]),
    ),
  ).toEqual({ trace: TRACE, search: { event: 'e1', span: SPAN } })
})

it('without a span it leads to the trace, and without a trace nowhere', () => {
  expect(traceOf(eventWith([['trace_id', TRACE]]))).toEqual({ trace: TRACE, search: { event: 'e1' } })
  expect(traceOf(eventWith([['trace_id', 'none of yours']]))).toBeNull()
  expect(traceOf(eventWith([['trace_id', 7]]))).toBeNull()
  expect(traceOf({ id: 'e1', contexts: [] } as unknown as EventView)).toBeNull()
})
