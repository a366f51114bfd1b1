import { MINUTE_MS } from '../lib/durations.ts'
import { lengthInMinutes, lengthText } from '../lib/length-text.ts'
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

/** A part of a sentence: text, or an instant, which each reader reads by their own clock. */
export type SentencePart = string | { readonly at: number }

/** Why, without the heading: `due Fri 03:00 Europe/Berlin, nothing came within 5 min`. */
export const reasonOf = (run: ToldRun, config: MonitorConfig): string =>
  reasonParts(run, config)
    .map((part) => (typeof part === 'string' ? part : clockText(part.at, config.timezone)))
    .join('')

/** The same, for whoever knows where its reader is. */
export const reasonParts = (
  run: ToldRun,
  { checkin_margin: margin, max_runtime: most }: MonitorConfig,
): readonly SentencePart[] => {
  const due: readonly SentencePart[] = run.dueAt === null ? [] : ['due ', { at: run.dueAt }]
  switch (run.status) {
    case 'missed':
      return [...due, `, nothing came within ${minutesText(margin)}`]
    case 'timeout':
      return ['began ', { at: run.startedAt }, `, not over after ${minutesText(most)}`]
    case 'error':
      return [
        'began ',
        { at: run.startedAt },
        ...(run.exitCode === null ? [] : [`, exit code ${run.exitCode}`]),
        ...(run.durationMs === null ? [] : [`, after ${lengthText(run.durationMs)}`]),
      ]
    case 'unknown':
      return [...due, ', this server was away']
    default:
      return run.isLate && run.dueAt !== null ? [...due, `, came ${lengthText(run.startedAt - run.dueAt)} late`] : due
  }
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** `Fri 03:00 Europe/Berlin` */
const clockText = (at: number, timeZone: string): string => {
  const known =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-GB', { timeZone, weekday: 'short', hour: '2-digit', minute: '2-digit' })
  if (formats.size < MOST_FORMATS) formats.set(timeZone, known)
  return `${known.format(at)} ${timeZone}`
}

const MOST_FORMATS = 100

const minutesText = (minutes: number): string => lengthInMinutes(minutes * MINUTE_MS)
