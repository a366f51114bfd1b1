import { afterEach, describe, expect, it } from 'vitest'
import { applyTimePreferences } from '../../../lib/moments.ts'
import { clocksOf } from './clocks.ts'

/** Fri, 27 Nov 2026. */
const MORNING = Date.UTC(2026, 10, 27, 2)

const readAs = (timezone: string): void => applyTimePreferences({ timezone, clock24Hours: true })

afterEach(() => readAs(''))

describe('a moment of a monitor', () => {
  it('is told by the clock of the reader, with that of the monitor beside it', () => {
    readAs('Asia/Kolkata')
    expect(clocksOf(MORNING, 'Europe/Berlin')).toEqual({ here: 'Fri 07:30', there: '03:00 Europe/Berlin' })
  })

  it('names the day of the monitor where that is another one', () => {
    readAs('Europe/Berlin')
    expect(clocksOf(MORNING, 'America/New_York')).toEqual({ here: 'Fri 03:00', there: 'Thu 21:00 America/New_York' })
  })

  it('is told once where both clocks show the same, or nobody knows the other one', () => {
    readAs('Europe/Berlin')
    for (const zone of ['Europe/Berlin', 'Europe/Vienna', 'Mars/Olympus']) {
      expect(clocksOf(MORNING, zone)).toEqual({ here: 'Fri 03:00', there: null })
    }
  })
})
