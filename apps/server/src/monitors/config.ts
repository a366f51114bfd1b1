import { isObject } from '@firsthand/protocol'
import { err, ok, type Result } from '../lib/result.ts'
import { LIMITS } from './limits.ts'
import { INTERVAL_UNITS, readSchedule, type IntervalUnit, type Schedule } from './schedule/schedule.ts'

/** How a monitor is to run, with the keys of Sentry's SDKs and API. */
export interface MonitorConfig {
  readonly schedule_type: 'crontab' | 'interval'
  readonly schedule: string | readonly [number, IntervalUnit]
  readonly timezone: string
  /** Minutes after which a run that did not come is missed. */
  readonly checkin_margin: number
  /** Minutes after which a run that did not end has timed out. */
  readonly max_runtime: number
  /** Failed results in a row before it is an issue, */
  readonly failure_issue_threshold: number
  /** and good ones before it is over. */
  readonly recovery_threshold: number
}

const DEFAULTS = {
  timezone: 'UTC',
  checkin_margin: 1,
  max_runtime: 30,
  failure_issue_threshold: 1,
  recovery_threshold: 1,
} as const

/**
 * What a monitor's configuration becomes when somebody sends one: only the keys that were sent change.
 *
 * @param before null for a new monitor
 * @returns why it cannot be so, in a sentence for whoever looks at the monitor
 */
export const mergeConfig = (before: MonitorConfig | null, sent: unknown): Result<MonitorConfig, string> => {
  if (!isObject(sent)) return err('The configuration is not a JSON object.')
  const schedule = readSent(sent)
  if (!schedule.ok) return schedule
  if (schedule.value === null && before === null) return err('There is no schedule in the configuration.')
  const numbers = readNumbers(sent)
  if (!numbers.ok) return numbers
  const timezone = sent['timezone'] ?? undefined
  if (timezone !== undefined && (typeof timezone !== 'string' || timezone.length > LIMITS.MONITOR_TIMEZONE_CHARS)) {
    return err('The time zone is not a name, as Europe/Berlin.')
  }
  const wanted = {
    ...DEFAULTS,
    ...before,
    ...schedule.value,
    ...numbers.value,
    ...(timezone === undefined || timezone === '' ? {} : { timezone }),
  }
  // Of the two, one had a schedule.
  const config = wanted as MonitorConfig
  const read = scheduleOf(config)
  return read.ok ? ok(config) : read
}

/** A configuration that is stored was read before. */
export const scheduleOf = ({ schedule, timezone }: MonitorConfig): Result<Schedule, string> =>
  typeof schedule === 'string'
    ? readSchedule({ kind: 'crontab', line: schedule, timezone })
    : readSchedule({ kind: 'interval', value: schedule[0], unit: schedule[1], timezone })

type SentSchedule = Pick<MonitorConfig, 'schedule' | 'schedule_type'>

/** `"0 3 * * *"`, `[15, "minute"]`, or as SDKs send it `{type, value, unit}`. Null when nothing was sent. */
const readSent = (sent: Readonly<Record<string, unknown>>): Result<SentSchedule | null, string> => {
  const { schedule, schedule_type: type } = sent
  if (schedule === undefined || schedule === null) return ok(null)
  if (typeof schedule === 'string' && type !== 'interval') return ok({ schedule, schedule_type: 'crontab' })
  if (Array.isArray(schedule)) return readInterval(schedule[0], schedule[1])
  if (isObject(schedule)) {
    const { type: kind, unit, value } = schedule
    if (kind === 'crontab' && typeof value === 'string') return ok({ schedule: value, schedule_type: 'crontab' })
    if (kind === 'interval') return readInterval(value, unit)
  }
  return err('The schedule is neither a crontab line, as "0 3 * * *", nor an interval, as [15, "minute"].')
}

/** About: so many days a unit has. */
const DAYS: Readonly<Record<IntervalUnit, number>> = {
  minute: 1 / 1440,
  hour: 1 / 24,
  day: 1,
  week: 7,
  month: 30,
  year: 365,
}

const readInterval = (value: unknown, unit: unknown): Result<SentSchedule, string> => {
  const known = INTERVAL_UNITS.find((one) => one === unit || `${one}s` === unit)
  if (known === undefined) return err(`The unit of an interval is one of ${INTERVAL_UNITS.join(', ')}.`)
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1 || value > LIMITS.MONITOR_INTERVAL_UNITS) {
    return err(`An interval is a whole number of ${known}s, from 1 to ${LIMITS.MONITOR_INTERVAL_UNITS}.`)
  }
  if (value * DAYS[known] > LIMITS.MONITOR_INTERVAL_DAYS) {
    return err(`An interval is at most ${LIMITS.MONITOR_INTERVAL_DAYS / 365} years long.`)
  }
  return ok({ schedule: [value, known], schedule_type: 'interval' })
}

const NUMBERS = [
  { key: 'checkin_margin', what: 'The margin', least: 0, most: LIMITS.MONITOR_MINUTES, unit: 'minutes' },
  { key: 'max_runtime', what: 'The longest run time', least: 1, most: LIMITS.MONITOR_MINUTES, unit: 'minutes' },
  {
    key: 'failure_issue_threshold',
    what: 'The number of failures before an issue',
    least: 1,
    most: LIMITS.MONITOR_THRESHOLD,
    unit: 'runs',
  },
  {
    key: 'recovery_threshold',
    what: 'The number of good runs before it is over',
    least: 1,
    most: LIMITS.MONITOR_THRESHOLD,
    unit: 'runs',
  },
] as const

const readNumbers = (sent: Readonly<Record<string, unknown>>): Result<Partial<MonitorConfig>, string> => {
  const found: Record<string, number> = {}
  for (const { key, least, most, unit, what } of NUMBERS) {
    const value = sent[key]
    if (value === undefined || value === null) continue
    if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > most) {
      return err(`${what} is a whole number of ${unit}, from ${least} to ${most}.`)
    }
    // Nobody starts at the very second.
    found[key] = key === 'checkin_margin' ? Math.max(1, value) : value
  }
  return ok(found)
}
