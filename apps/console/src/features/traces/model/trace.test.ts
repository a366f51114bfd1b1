import { describe, expect, it } from 'vitest'
import { STARTED, testTrace } from './testing.ts'
import { nameOf, readTrace, rootsOf } from './trace.ts'

describe('what a trace is drawn from', () => {
  it('T27 what one service did is called by its transaction, not by the word of its SDK', () => {
    const model = readTrace(
      testTrace([
        {
          name: 'Pageload',
          op: 'pageload',
          transaction: '/checkout',
          from: 0,
          to: 100,
          children: [{ name: 'SELECT 1', op: 'db', transaction: '/checkout', from: 10, to: 20 }],
        },
        { name: 'GET', op: 'http.server', from: 200, to: 210 },
      ]),
    )
    expect([0, 1, 2].map((span) => nameOf(model, span))).toEqual(['/checkout', 'SELECT 1', 'GET'])
    expect(rootsOf(model)).toEqual([0, 2])
  })

  it('T60 T63 errors and log lines of a span move with it where a clock is corrected', () => {
    const later = new Date(Date.parse(STARTED) + 5050).toISOString()
    const error = { eventId: 'e', issueId: '1', shortId: 'S-1', title: 'Failed', level: 'error', projectId: '1' }
    const log = { id: 'l', projectId: '1', level: 'info', body: 'paid', timestamp: later }
    const children = [{ id: 'aaaa', name: 'serve', from: 5020, to: 5080, shift: -5000 }]
    const model = readTrace(
      testTrace([{ name: 'call', from: 0, to: 100, children }], {
        errors: [{ ...error, timestamp: later, spanId: 'aaaa' }],
        logs: [
          { ...log, spanId: 'aaaa' },
          { ...log, spanId: '' },
        ],
      }),
    )
    expect([...model.errors, ...model.logs].map(({ at }) => at)).toEqual([50_000, 50_000, 5_050_000])
  })
})
