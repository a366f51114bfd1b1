import type { Monitor, MonitorConfig, MonitorEnvironment } from '@firsthand/contract'
import cronstrue from 'cronstrue'
import { formatDuration } from '../../../lib/format.ts'
import { timeZone } from '../../../lib/moments.ts'

/** Schedules and states in words. */

/** `Every 15 minutes`, `At 03:00`; null for a line that says nothing. */
export function scheduleWords(schedule: MonitorConfig['schedule']): string | null {
  if (typeof schedule !== 'string') {
    const [count, unit] = schedule
    return count === 1 ? `every ${unit}` : `every ${count} ${unit}s`
  }
  const nickname = NICKNAMES[schedule]
  if (nickname !== undefined) return nickname
  try {
    const words = cronstrue.toString(schedule, { use24HourTimeFormat: true, verbose: false })
    return `${words.charAt(0).toLowerCase()}${words.slice(1)}`
  } catch {
    return null
  }
}

const NICKNAMES: Readonly<Record<string, string | undefined>> = {
  '@yearly': 'once a year',
  '@annually': 'once a year',
  '@monthly': 'once a month',
  '@weekly': 'once a week',
  '@daily': 'once a day',
  '@midnight': 'once a day',
  '@hourly': 'every hour',
}

const MINUTE_MS = 60_000

/** What is due at hours of a day is so by a clock; what is due each quarter of an hour is so by all of them. */
function isOfTheDay(schedule: MonitorConfig['schedule']): boolean {
  if (typeof schedule !== 'string' || schedule === '@hourly') return false
  const [, ...hoursAndDays] = schedule.trim().split(/\s+/)
  return hoursAndDays.some((field) => field !== '*') || schedule.startsWith('@')
}

/** What stands below its name. */
export function subtitleOf({ config, project }: Pick<Monitor, 'config' | 'project'>): string {
  const words = scheduleWords(config.schedule) ?? String(config.schedule)
  const zone = isOfTheDay(config.schedule) && config.timezone !== timeZone() ? ` ${config.timezone}` : ''
  const margin = config.checkin_margin > 1 ? `, ${config.checkin_margin} min margin` : ''
  return `${project.slug} · ${words}${zone}${margin}`
}

export type Standing = 'failing' | 'late' | 'running' | 'quiet' | 'waiting' | 'off'

/** How it stands, the gravest first. */
export function standingOf(
  { isSilent, status }: Pick<Monitor, 'isSilent' | 'status'>,
  environment: MonitorEnvironment | null,
): Standing {
  if (status === 'disabled') return 'off'
  if (environment === null) return 'waiting'
  if (environment.status === 'error' && !isSilent && !environment.isMuted) return 'failing'
  if (environment.runningSince !== null) return 'running'
  if (environment.isLate) return 'late'
  return environment.lastCheckIn === null ? 'waiting' : 'quiet'
}

/** As `formatDuration`, without more than a column that ticks has room for: whole seconds, then whole minutes. */
function briefDuration(durationMs: number): string {
  const seconds = Math.floor(durationMs / 1000)
  if (seconds < 60) return `${seconds} s`
  return seconds < 3600 ? `${Math.floor(seconds / 60)} m` : formatDuration(durationMs)
}

/** `in 48 s`, and `now` in its last second. */
export function untilWords(durationMs: number): string {
  return durationMs < 1000 ? 'now' : `in ${briefDuration(durationMs)}`
}

/** When it is due, in a few words, and whether that is late. */
export function dueWords(
  { config, status }: Pick<Monitor, 'config' | 'status'>,
  environment: MonitorEnvironment | null,
  now: number,
): { readonly text: string; readonly isLate: boolean } {
  if (status === 'disabled') return { text: 'off', isLate: false }
  if (environment !== null && environment.runningSince !== null) {
    return { text: `running ${briefDuration(Math.max(0, now - Date.parse(environment.runningSince)))}`, isLate: false }
  }
  if (environment !== null && environment.lateSince !== null) {
    return { text: `${briefDuration(now - Date.parse(environment.lateSince))} late`, isLate: true }
  }
  if (environment === null || environment.nextCheckIn === null) return { text: 'not yet', isLate: false }
  const due = Date.parse(environment.nextCheckIn)
  if (due < now) {
    const isOver = now - due > config.checkin_margin * MINUTE_MS
    return { text: `${briefDuration(now - due)} late`, isLate: isOver || environment.status === 'error' }
  }
  return { text: untilWords(due - now), isLate: false }
}

/** What is told of it, and after how much. */
export function alertWords(monitor: Monitor, environment: MonitorEnvironment | null): string {
  if (monitor.status === 'disabled') return 'off'
  if (monitor.isMuted || environment?.isMuted === true) return 'muted'
  const [window] = monitor.muteWindows
  const { failure_issue_threshold: threshold, timezone } = monitor.config
  const zone = timezone === timeZone() ? '' : ` ${timezone}`
  if (monitor.isSilent && window !== undefined) return `muted till ${window.to}${zone}`
  if (window !== undefined) return `muted ${window.from} to ${window.to}${zone}`
  return threshold === 1 ? 'tells at once' : `tells after ${threshold}`
}
