import { MINUTE_MS } from '../../lib/durations.ts'
import { err, ok, type Result } from '../../lib/result.ts'
import { RecentMap } from '../../lib/recent-map.ts'
import { parseCron, type Cron } from './cron.ts'
import { slotAfter, type Slot } from './slots.ts'
import { zoneOf, type Zone } from '../../lib/zone.ts'

export const INTERVAL_UNITS = ['minute', 'hour', 'day', 'week', 'month', 'year'] as const
export type IntervalUnit = (typeof INTERVAL_UNITS)[number]

/** When something runs. */
export type ScheduleText =
  | { readonly kind: 'crontab'; readonly line: string; readonly timezone: string }
  | { readonly kind: 'interval'; readonly value: number; readonly unit: IntervalUnit; readonly timezone: string }

export interface Schedule {
  /** The next time at which it has to run, when it ran (or had to) at an instant. */
  readonly after: (at: number) => Slot | null
  /** A run begins a new interval, whenever it came. */
  readonly isInterval: boolean
}

/** Of schedules alike; there are few kinds of them. */
const schedules = new RecentMap<string, Schedule>(5000)

/** @returns why it is none, in a sentence */
export const readSchedule = (text: ScheduleText): Result<Schedule, string> => {
  const key = JSON.stringify(text)
  const known = schedules.get(key)
  if (known !== undefined) return ok(known)
  const zone = zoneOf(text.timezone)
  if (zone === null) return err(`"${text.timezone}" is no time zone. Write its name as Europe/Berlin, or UTC.`)
  if (text.kind === 'interval') {
    const { unit, value } = text
    const schedule: Schedule = { after: (at) => intervalAfter(value, unit, zone, at), isInterval: true }
    schedules.set(key, schedule)
    return ok(schedule)
  }
  const cron = parseCron(text.line)
  if (!cron.ok) return cron
  const schedule: Schedule = { after: remembering(cron.value, zone), isInterval: false }
  schedules.set(key, schedule)
  return ok(schedule)
}

/** Thousands of monitors are due at the same minute by the same line: the answer of a moment ago is the answer. */
const remembering = (cron: Cron, zone: Zone): Schedule['after'] => {
  let last: { readonly from: number; readonly slot: Slot } | null = null
  return (at) => {
    if (last !== null && at >= last.from && at < last.slot.due) return last.slot
    const slot = slotAfter(cron, zone, at)
    last = slot === null ? null : { from: at, slot }
    return slot
  }
}

const ELAPSED_MS: Partial<Record<IntervalUnit, number>> = { minute: MINUTE_MS, hour: 60 * MINUTE_MS }

/** Hours are elapsed time; days and more go by the local calendar, so that 09:00 stays 09:00. */
const intervalAfter = (value: number, unit: IntervalUnit, zone: Zone, at: number): Slot => {
  const elapsed = ELAPSED_MS[unit]
  if (elapsed !== undefined) return { due: at + value * elapsed, latest: at + value * elapsed }
  const local = new Date(at + zone.offsetAt(at))
  const day = local.getUTCDate()
  if (unit === 'day' || unit === 'week') local.setUTCDate(day + value * (unit === 'week' ? 7 : 1))
  else {
    local.setUTCDate(1)
    local.setUTCMonth(local.getUTCMonth() + value * (unit === 'year' ? 12 : 1))
    const last = new Date(Date.UTC(local.getUTCFullYear(), local.getUTCMonth() + 1, 0)).getUTCDate()
    local.setUTCDate(Math.min(day, last))
  }
  const wanted = local.getTime()
  const offsets = [zone.offsetAt(wanted - MAX_OFFSET_MS), zone.offsetAt(wanted + MAX_OFFSET_MS)]
  const instants = offsets.map((offset) => wanted - offset)
  const shown = instants.filter((instant, index) => zone.offsetAt(instant) === offsets[index])
  // Its clock never shows it: a little before, or as much after.
  const possible = shown.length === 0 ? instants : shown
  return { due: Math.min(...possible), latest: Math.max(...possible) }
}

/** No zone is further from UTC. */
const MAX_OFFSET_MS = 14 * 60 * MINUTE_MS
