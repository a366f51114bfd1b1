import { describe, expect, it } from 'vitest'
import type { ReplayRecord } from '../replay.ts'
import { MINUTE_MS } from '../../lib/durations.ts'
import { journeyOf, visitorOf } from './journey.ts'

const replay = (replayId: string, from: number, to: number): ReplayRecord =>
  ({ projectId: 1, replayId, startedAt: from * MINUTE_MS, finishedAt: to * MINUTE_MS }) as ReplayRecord

const idsOf = (record: ReplayRecord, all: readonly ReplayRecord[]) =>
  journeyOf(record, all).map(({ replayId }) => replayId)

describe('R24 journeys', () => {
  it('R24 replays of a visitor hang together while half an hour at most lies between them, in the order of their beginnings', () => {
    const [early, first, beside, second, late] = [
      replay('early', 0, 10),
      replay('first', 41, 100),
      replay('beside', 45, 50),
      replay('second', 130, 131),
      replay('late', 162, 170),
    ]
    const all = [late, second, early, beside, first]
    for (const one of [first, beside, second]) expect(idsOf(one, all)).toEqual(['first', 'beside', 'second'])
    expect(idsOf(early, all)).toEqual(['early'])
    expect(idsOf(late, all)).toEqual(['late'])
    expect(idsOf(late, [])).toEqual(['late'])
  })

  it('R24 a visitor is a user, else an address with a browser, else nobody', () => {
    const known = { browser: { name: 'Firefox', version: '140' }, os: { name: 'Linux', version: '6' } }
    const of = (user: Partial<ReplayRecord['user']>) =>
      visitorOf({ ...known, user: { id: '', name: '', email: '', ip: '', ...user } } as ReplayRecord)
    expect(of({ email: 'ada@example.com', ip: '10.0.0.1' })).toEqual({
      by: 'user',
      ids: [],
      emails: ['ada@example.com'],
      name: '',
    })
    expect(of({ ip: '10.0.0.1' })).toEqual({
      by: 'address',
      ip: '10.0.0.1',
      browser: 'Firefox',
      version: '140',
      os: 'Linux',
    })
    expect(of({})).toBeNull()
  })
})
