import type { PersonEntry } from '@firsthand/contract'
import { describe, expect, it } from 'vitest'
import { rowsOf, toldWords, visitsOf, visitTitle } from './visits.ts'

const MINUTE_MS = 60_000
const START = Date.UTC(2026, 10, 20, 10)
const at = (minutes: number): string => new Date(START + minutes * MINUTE_MS).toISOString()
const common = (minutes: number, id: string) => ({
  at: at(minutes),
  id,
  project: { id: '1', name: 'Web', slug: 'web' },
})
const ISSUE = { id: '6', shortId: 'SHOP-6', title: 'TypeError', status: 'unresolved', level: 'error' }

const error = (minutes: number, id: string, replayId: string | null = null): PersonEntry => ({
  kind: 'error',
  ...common(minutes, id),
  title: 'TypeError',
  level: 'error',
  issue: ISSUE,
  release: '',
  transaction: '',
  traceId: null,
  replayId,
})
const report = (minutes: number, id: string): PersonEntry => ({
  kind: 'report',
  ...common(minutes, id),
  message: 'It went away',
  status: 'open',
  url: '',
  release: '',
  awaitsReply: false,
  pictures: 0,
  issue: ISSUE,
  replayId: null,
})
const request = (
  minutes: number,
  id: string,
  more: { durationMs?: number; httpStatus?: number } = {},
): PersonEntry => ({
  kind: 'transaction',
  ...common(minutes, id),
  traceId: 'a'.repeat(32),
  name: 'GET /',
  op: 'http.server',
  status: 'ok',
  release: '',
  durationMs: more.durationMs ?? 20,
  httpStatus: more.httpStatus ?? 200,
})
const replay = (from: number, to: number, id: string): PersonEntry => ({
  kind: 'replay',
  ...common(from, id),
  until: at(to),
  urls: [],
  clicks: 1,
  deadClicks: 0,
  rageClicks: 0,
  errors: 0,
  browser: '',
  os: '',
  release: '',
})

const idsOf = (entries: readonly PersonEntry[]) =>
  visitsOf(entries).map(({ lines, replay: own }) => [own?.id ?? null, ...lines.map(({ entry }) => entry.id)])

describe('A109: visits of a person', () => {
  it('what went wrong and what was said stands inside the session in which it happened, newest first', () => {
    const entries = [
      replay(0, 10, 'r'),
      error(2, 'e1'),
      report(10.5, 's'),
      error(200, 'late', 'r'),
      request(61, 'q1'),
      request(70, 'q2', { httpStatus: 500 }),
      request(120, 'q3'),
    ]
    expect(idsOf(entries.toReversed())).toEqual([
      [null, 'q3'],
      [null, 'q1', 'q2'],
      ['r', 'e1', 's'],
    ])
    // The same error again is one line.
    expect(visitsOf(entries).at(-1)?.lines[0]).toMatchObject({ entry: { id: 'e1' }, times: 2 })
    expect(idsOf([...entries, ...entries])).toEqual(idsOf(entries))
  })

  it('stretches without trouble fold into one line; trouble never does', () => {
    const rows = rowsOf(
      visitsOf([
        request(0, 'a'),
        request(100, 'b'),
        request(200, 'slow', { durationMs: 5000 }),
        request(300, 'c'),
        request(400, 'd'),
        request(500, 'e'),
      ]),
    )
    expect(rows.map((row) => (row.kind === 'quiet' ? row.visits.length : visitTitle(row.visit)))).toEqual([
      3,
      'Something went wrong',
      2,
    ])
    expect(rowsOf(visitsOf([request(0, 'a')]))).toMatchObject([{ kind: 'visit' }])
  })

  it('what we told them is a visit of its own, which says by which way and whether it got there', () => {
    const told: PersonEntry = {
      kind: 'told',
      ...common(0, '1'),
      text: 'It is fixed',
      report: '9',
      user: null,
      state: 'failed',
      sentAt: null,
      error: 'no such mailbox',
    }
    expect(rowsOf(visitsOf([told])).map((row) => (row.kind === 'visit' ? visitTitle(row.visit) : ''))).toEqual([
      'Told by us',
    ])
    expect(toldWords(told)).toBe('by e-mail, not delivered')
    expect(toldWords({ state: 'queued', error: 'greylisted' })).toBe('by e-mail, not sent yet, tried in vain')
    expect(toldWords({ state: 'page', error: null })).toBe('on the private page of the report')
  })
})
