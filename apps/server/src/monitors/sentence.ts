import type { MonitorConfig } from './config.ts'

/** What is said of a run, in one line that does for a subject. */
export interface ToldRun {
  readonly status: string
  readonly startedAt: number
  readonly endedAt: number | null
  readonly durationMs: number | null
  readonly dueAt: number | null
  readonly isLate: boolean
  readonly exitCode: number | null
}

/** Kinds of results differ in their first word. */
export const headingOf = ({ isLate, status }: Pick<ToldRun, 'isLate' | 'status'>): string => {
  if (status === 'missed') return 'Missed'
  if (status === 'timeout') return 'Timed out'
  if (status === 'error') return 'Failed'
  if (status === 'unknown') return 'Unknown'
  if (status === 'in_progress') return isLate ? 'Running late' : 'Running'
  return isLate ? 'Late' : 'On time'
}

/** Why, without the heading: `due 03:00 Europe/Berlin, nothing came within 5 min`. */
export const reasonOf = (
  run: ToldRun,
  { checkin_margin: margin, max_runtime: most, timezone }: MonitorConfig,
): string => {
  const due = run.dueAt === null ? '' : `due ${clockText(run.dueAt, timezone)}`
  switch (run.status) {
    case 'missed':
      return `${due}, nothing came within ${minutesText(margin)}`
    case 'timeout':
      return `began ${clockText(run.startedAt, timezone)}, not over after ${minutesText(most)}`
    case 'error':
      return [
        `began ${clockText(run.startedAt, timezone)}`,
        ...(run.exitCode === null ? [] : [`exit code ${run.exitCode}`]),
        ...(run.durationMs === null ? [] : [`after ${durationText(run.durationMs)}`]),
      ].join(', ')
    case 'unknown':
      return `${due}, this server was away`
    default:
      return run.isLate && run.dueAt !== null ? `${due}, came ${durationText(run.startedAt - run.dueAt)} late` : due
  }
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** `Fri 03:00 Europe/Berlin` */
export const clockText = (at: number, timeZone: string): string => {
  const known =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-GB', { timeZone, weekday: 'short', hour: '2-digit', minute: '2-digit' })
  if (formats.size < MOST_FORMATS) formats.set(timeZone, known)
  return `${known.format(at)} ${timeZone}`
}

const MOST_FORMATS = 100

const minutesText = (minutes: number): string => durationText(minutes * 60_000)

/** `4 s`, `12 min`, `3 h 5 min` */
export const durationText = (ms: number): string => {
  if (ms < 1000) return `${Math.round(ms)} ms`
  const seconds = Math.round(ms / 1000)
  if (seconds < 120) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 120) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`
  return `${Math.round(hours / 24)} d`
}
