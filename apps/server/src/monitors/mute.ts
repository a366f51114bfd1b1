import { MINUTE_MS } from '../lib/durations.ts'
import { zoneOf } from '../lib/zone.ts'

/** Times of the day, on the monitor's own clock, at which nobody wants to hear of it. */
export interface MuteWindow {
  /** `23:00`. */
  readonly from: string
  /** One that is not after `from` is of the next day. */
  readonly to: string
}

export interface Muting {
  readonly isMuted: boolean
  readonly mutedUntil: number | null
  readonly muteWindows: readonly MuteWindow[]
  readonly timezone: string
}

const DAY_MINUTES = 1440

const minutesOf = (text: string): number => {
  const [hours = '0', minutes = '0'] = text.split(':')
  return Number(hours) * 60 + Number(minutes)
}

/** Whether nobody is told of what happens then. It is recorded all the same. */
export const isMutedAt = ({ isMuted, mutedUntil, muteWindows, timezone }: Muting, at: number): boolean => {
  if (isMuted && (mutedUntil === null || at < mutedUntil)) return true
  if (muteWindows.length === 0) return false
  const local = Math.floor((at + (zoneOf(timezone)?.offsetAt(at) ?? 0)) / MINUTE_MS) % DAY_MINUTES
  return muteWindows.some((window) => {
    const [from, to] = [minutesOf(window.from), minutesOf(window.to)]
    return from < to ? local >= from && local < to : local >= from || local < to
  })
}
