import { afterEach, describe, expect, it } from 'vitest'
import { applyTimePreferences, deviceTimeZone, formatMoment, formatMomentIn, isMidnight, timeZone } from './moments.ts'

const EVENING = Date.UTC(2026, 10, 20, 23, 16, 22)

afterEach(() => applyTimePreferences({ timezone: '', clock24Hours: true }))

describe('moments in words', () => {
  it('are in the zone of the account, where it is already tomorrow', () => {
    applyTimePreferences({ timezone: 'Asia/Tokyo', clock24Hours: true })
    expect(formatMoment('exact', EVENING)).toMatch(/^Sat,? 21 Nov 2026,? (at )?08:16:22 (GMT\+9|JST)$/)
    expect(formatMoment('day', EVENING)).toBe('21 Nov 2026')
    expect(formatMoment('clock', EVENING)).toBe('08:16')
    expect(timeZone()).toBe('Asia/Tokyo')
    expect([isMidnight(Date.UTC(2026, 10, 20, 15)), isMidnight(Date.UTC(2026, 10, 20))]).toEqual([true, false])
  })

  it('are told in another zone where it is asked for, if it is one', () => {
    applyTimePreferences({ timezone: 'Asia/Tokyo', clock24Hours: true })
    expect(formatMomentIn('Europe/Berlin', 'dayClock', EVENING)).toBe('Sat 00:16')
    expect(formatMomentIn('Mars/Olympus', 'dayClock', EVENING)).toBeNull()
    expect(formatMoment('dayClock', EVENING)).toBe('Sat 08:16')
  })

  it('go by the clock of the account', () => {
    applyTimePreferences({ timezone: 'UTC', clock24Hours: false })
    expect(formatMoment('clock', EVENING).toLowerCase()).toMatch(/^11:16\s?pm$/)
    expect(isMidnight(Date.UTC(2026, 10, 20))).toBe(true)
    applyTimePreferences({ timezone: 'UTC', clock24Hours: true })
    expect(formatMoment('clock', EVENING)).toBe('23:16')
    expect(formatMoment('clock', Date.UTC(2026, 10, 20))).toBe('00:00')
  })

  it.each(['', 'Mars/Olympus', 'x'.repeat(64)])(
    'without a zone that is known (%j) the device’s is used',
    (timezone) => {
      applyTimePreferences({ timezone: 'Asia/Tokyo', clock24Hours: true })
      applyTimePreferences({ timezone, clock24Hours: true })
      expect(timeZone()).toBe(deviceTimeZone())
    },
  )
})
