import { afterEach, expect, it, vi } from 'vitest'
import { isZone } from '../src/alerts/working-hours.ts'
import { isTimeZone, localTime } from '../src/notices/local-time.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

it('one calendar is kept of a zone, however somebody spells its name', () => {
  const made = vi.spyOn(Intl, 'DateTimeFormat')
  const spellings = ['Antarctica/Troll', 'antarctica/troll', 'ANTARCTICA/TROLL', 'Antarctica/TROLL']
  for (const name of spellings) expect([isTimeZone(name), isZone(name)]).toEqual([true, true])
  expect(made).toHaveBeenCalledTimes(1)
  expect([isTimeZone('Mars/Olympus'), isZone('Mars/Olympus')]).toEqual([false, false])
})

it('clocks on walls are those of Intl, by summer and winter', () => {
  for (const zone of ['UTC', 'Europe/Berlin', 'Asia/Kolkata', 'America/St_Johns', 'Pacific/Kiritimati']) {
    const format = new Intl.DateTimeFormat('en-CA', {
      timeZone: zone,
      hourCycle: 'h23',
      dateStyle: 'short',
      timeStyle: 'short',
    })
    for (let hour = 0; hour < 366 * 24; hour += 37) {
      const at = Date.UTC(2026, 0, 1) + hour * 3_600_000 + 1_234_567
      const { date, minute } = localTime(at, zone)
      const time = `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
      expect(`${date}, ${time}`).toBe(format.format(at))
    }
  }
})
