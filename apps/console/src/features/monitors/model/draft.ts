import type { Monitor, MonitorConfig } from '@firsthand/contract'
import { timeZone } from '../../../lib/moments.ts'
import type { FieldErrors } from '../../../lib/use-form.ts'
import type { IntervalUnit, MonitorBody } from '../queries.ts'

/** What somebody types about a monitor. */
export interface MonitorValues {
  readonly name: string
  readonly slug: string
  /** Slug. */
  readonly project: string
  readonly kind: 'crontab' | 'interval'
  readonly line: string
  readonly count: string
  readonly unit: IntervalUnit
  readonly timezone: string
  readonly margin: string
  readonly maxRuntime: string
  readonly failures: string
  readonly recovery: string
  readonly setBy: 'here' | 'check-ins'
  /** `user:1`, `team:2`; '' for nobody. */
  readonly owner: string
  /** `23:00`; '' for none. */
  readonly mutedFrom: string
  readonly mutedTo: string
}

export const INTERVAL_UNITS: readonly IntervalUnit[] = ['minute', 'hour', 'day', 'week', 'month', 'year']

export const newValues = (project: string): MonitorValues => ({
  name: '',
  slug: '',
  project,
  kind: 'crontab',
  line: '0 3 * * *',
  count: '15',
  unit: 'minute',
  timezone: timeZone(),
  margin: '5',
  maxRuntime: '30',
  failures: '1',
  recovery: '1',
  setBy: 'here',
  owner: '',
  mutedFrom: '',
  mutedTo: '',
})

export function valuesOf({ config, isUpserting, muteWindows, name, owner, project, slug }: Monitor): MonitorValues {
  const { schedule } = config
  const [window] = muteWindows
  return {
    ...newValues(project.slug),
    name,
    slug,
    ...(typeof schedule === 'string'
      ? { kind: 'crontab' as const, line: schedule }
      : { kind: 'interval' as const, count: String(schedule[0]), unit: schedule[1] }),
    timezone: config.timezone,
    margin: String(config.checkin_margin),
    maxRuntime: String(config.max_runtime),
    failures: String(config.failure_issue_threshold),
    recovery: String(config.recovery_threshold),
    setBy: isUpserting ? 'check-ins' : 'here',
    owner: owner === null ? '' : `${owner.type}:${owner.id}`,
    mutedFrom: window?.from ?? '',
    mutedTo: window?.to ?? '',
  }
}

export const scheduleOfValues = ({ count, kind, line, unit }: MonitorValues): MonitorConfig['schedule'] =>
  kind === 'crontab' ? line.trim() : [Number(count) || 1, unit]

const whole = (text: string): number => (/^\d{1,6}$/.test(text.trim()) ? Number(text) : Number.NaN)

const MOST_MINUTES = 40_320
const MOST_RUNS = 720

export function validate(values: MonitorValues): FieldErrors<MonitorValues> {
  const number = (text: string, least: number, most: number): string | undefined => {
    const value = whole(text)
    return value >= least && value <= most ? undefined : `Write a whole number from ${least} to ${most}.`
  }
  const hasOneOfWindow = (values.mutedFrom === '') !== (values.mutedTo === '')
  return clean({
    name: values.name.trim() === '' ? 'Give it a name.' : undefined,
    line: values.kind === 'crontab' && values.line.trim() === '' ? 'Write a schedule, as 0 3 * * *.' : undefined,
    count: values.kind === 'interval' ? number(values.count, 1, 10_000) : undefined,
    margin: number(values.margin, 1, MOST_MINUTES),
    maxRuntime: number(values.maxRuntime, 1, MOST_MINUTES),
    failures: number(values.failures, 1, MOST_RUNS),
    recovery: number(values.recovery, 1, MOST_RUNS),
    mutedTo: hasOneOfWindow ? 'A time to mute has a beginning and an end.' : undefined,
  })
}

const clean = (errors: { readonly [Name in keyof MonitorValues]?: string | undefined }): FieldErrors<MonitorValues> =>
  Object.fromEntries(Object.entries(errors).filter(([, error]) => error !== undefined))

/** What is sent. */
export function bodyOf(values: MonitorValues): MonitorBody {
  const schedule = scheduleOfValues(values)
  const slug = values.slug.trim()
  return {
    name: values.name.trim(),
    ...(slug !== '' && { slug }),
    project: values.project,
    owner: values.owner === '' ? null : values.owner,
    isUpserting: values.setBy === 'check-ins',
    muteWindows:
      values.mutedFrom === '' || values.mutedTo === '' ? [] : [{ from: values.mutedFrom, to: values.mutedTo }],
    config: {
      schedule_type: values.kind,
      schedule: typeof schedule === 'string' ? schedule : [schedule[0], schedule[1]],
      timezone: values.timezone.trim() === '' ? 'UTC' : values.timezone.trim(),
      checkin_margin: whole(values.margin),
      max_runtime: whole(values.maxRuntime),
      failure_issue_threshold: whole(values.failures),
      recovery_threshold: whole(values.recovery),
    },
  }
}
