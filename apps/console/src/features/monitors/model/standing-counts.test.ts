import type { Monitor, MonitorEnvironment, UptimeCheck } from '@firsthand/contract'
import { describe, expect, it } from 'vitest'
import { standingCounts, standingWords } from './standing-counts.ts'

const environment = (more: Partial<MonitorEnvironment>) =>
  ({
    status: 'ok',
    isMuted: false,
    isLate: false,
    lateSince: null,
    runningSince: null,
    lastCheckIn: '2026-11-27T06:00:00Z',
    ...more,
  }) as MonitorEnvironment
const entry = (more: Partial<MonitorEnvironment> | null, monitor: Partial<Monitor> = {}) => ({
  key: 'a',
  monitor: { status: 'active', isSilent: false, ...monitor } as Monitor,
  environment: more === null ? null : environment(more),
})
const check = (more: Partial<UptimeCheck>) =>
  ({ status: 'active', isMuted: false, uptimeStatus: 'up', ...more }) as UptimeCheck

describe('how all that is watched stands', () => {
  it('counts addresses with jobs, and what is late or was never seen not as being as it should', () => {
    const counts = standingCounts(
      [
        entry({}),
        entry({ runningSince: '2026-11-27T06:00:00Z' }),
        entry({ isLate: true }),
        entry({ status: 'error' }),
        entry({ status: 'error', isMuted: true }),
        entry(null),
        entry({}, { status: 'disabled' }),
      ],
      [
        check({}),
        check({ uptimeStatus: 'down' }),
        check({ uptimeStatus: 'down', isMuted: true }),
        check({ uptimeStatus: 'active' }),
      ],
    )
    expect(counts).toEqual({ all: 11, needSomebody: 2, well: 3, late: 1, muted: 2, notYet: 2, off: 1 })
    expect(standingWords(counts)).toEqual([
      '3 of 11 as they should be',
      '1 late',
      '2 failing, muted',
      '2 not seen yet',
      '1 off',
    ])
  })

  it('says one sentence when all is well', () => {
    expect(standingWords(standingCounts([entry({})], [check({})]))).toEqual(['2 of 2 as they should be'])
  })
})
