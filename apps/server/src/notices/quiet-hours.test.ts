import { describe, expect, it } from 'vitest'
import { localTime } from './local-time.ts'
import { quietUntil } from './quiet-hours.ts'

const NIGHTS = { from: 22 * 60, to: 7 * 60, weekends: false, highMayPass: false }
const at = (text: string): number => Date.parse(text)
const end = (quiet: typeof NIGHTS | null, zone: string, now: string): string | null => {
  const until = quietUntil(quiet, zone, at(now))
  return until === null ? null : new Date(until).toISOString()
}

describe('quiet hours', () => {
  it.each([
    // A Wednesday in Berlin, an hour ahead of UTC.
    ['2026-11-25T20:59:00Z', null],
    ['2026-11-25T21:00:00Z', '2026-11-26T06:00:00.000Z'],
    ['2026-11-26T05:59:59Z', '2026-11-26T06:00:00.000Z'],
    ['2026-11-26T06:00:00Z', null],
  ])('from ten to seven in Berlin, at %s', (now, until) => {
    expect(end(NIGHTS, 'Europe/Berlin', now)).toBe(until)
  })

  it('end by the clock on the wall, also in nights in which it is set', () => {
    // 02:00 becomes 03:00 on 29 March, and 03:00 becomes 02:00 on 25 October.
    expect(end(NIGHTS, 'Europe/Berlin', '2026-03-28T22:00:00Z')).toBe('2026-03-29T05:00:00.000Z')
    expect(end(NIGHTS, 'Europe/Berlin', '2026-10-24T21:00:00Z')).toBe('2026-10-25T06:00:00.000Z')
  })

  it('hold over a weekend, and end on Monday', () => {
    const quiet = { ...NIGHTS, weekends: true }
    expect(end(quiet, 'Europe/Berlin', '2026-11-27T21:30:00Z')).toBe('2026-11-30T06:00:00.000Z')
    expect(end(quiet, 'Europe/Berlin', '2026-11-29T11:00:00Z')).toBe('2026-11-30T06:00:00.000Z')
  })

  it('are those of a day as well, to the minute, in a zone that is off by three quarters of an hour', () => {
    const quiet = { ...NIGHTS, from: 12 * 60 + 7, to: 13 * 60 + 11 }
    expect(end(quiet, 'Asia/Kathmandu', '2026-11-25T06:22:00Z')).toBe('2026-11-25T07:26:00.000Z')
    expect(end(quiet, 'Asia/Kathmandu', '2026-11-25T06:21:00Z')).toBeNull()
  })

  it('that never end hold nothing for ever, and none hold nothing', () => {
    expect(end(null, 'UTC', '2026-11-25T23:00:00Z')).toBeNull()
    expect(end({ ...NIGHTS, from: 60, to: 60 }, 'UTC', '2026-11-25T01:00:00Z')).toBeNull()
  })

  it('of a zone that is gone are those of UTC', () => {
    expect(localTime(at('2026-11-25T23:05:00Z'), 'Mars/Olympus')).toEqual({
      date: '2026-11-25',
      weekday: 3,
      minute: 23 * 60 + 5,
    })
  })
})
