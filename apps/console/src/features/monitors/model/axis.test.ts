import { afterEach, describe, expect, it } from 'vitest'
import { applyTimePreferences, formatMoment } from '../../../lib/moments.ts'
import { axisMarks } from './axis.ts'

const NOW = Date.UTC(2026, 10, 27, 6, 51)

describe('the axis of time lines', () => {
  afterEach(() => applyTimePreferences({ timezone: '', clock24Hours: true }))
  const words = (hours: number, style: 'clock' | 'date') =>
    axisMarks(hours, NOW).map(({ time }) => formatMoment(style, time))

  it('has its marks at round hours of the reader', () => {
    applyTimePreferences({ timezone: 'Asia/Kathmandu', clock24Hours: true })
    expect(words(24, 'clock')).toEqual(['16:00', '20:00', '00:00', '04:00', '08:00'])
    applyTimePreferences({ timezone: 'Europe/Vienna', clock24Hours: true })
    expect(words(24, 'clock')).toEqual(['12:00', '16:00', '20:00', '00:00', '04:00'])
  })

  it('has one at the beginning of each day of a week, and of every fifth of a month', () => {
    applyTimePreferences({ timezone: 'Europe/Vienna', clock24Hours: true })
    expect(words(168, 'date')).toEqual(['21 Nov', '22 Nov', '23 Nov', '24 Nov', '25 Nov', '26 Nov'])
    expect(words(720, 'date')).toHaveLength(6)
    for (const { at } of axisMarks(720, NOW)) expect(at).toBeLessThan(0.93)
  })
})
