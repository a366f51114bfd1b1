import type { InboxEntry, Snooze } from '@firsthand/contract'
import { formatMoment } from '../../../lib/moments.ts'
import { hourOfDay, weekdayOf } from './local-day.ts'

const HOUR_MS = 60 * 60_000
const EVENING = 18
const MORNING = 9
const MONDAY = 1

export interface SnoozeChoice {
  readonly label: string
  /** When, or how much; '' where the label says all. */
  readonly hint: string
  readonly snooze: Snooze
}

/** Ends by the clock, and such that mean something: a release, more of it, an answer. */
export interface SnoozeChoices {
  readonly times: readonly SnoozeChoice[]
  readonly events: readonly SnoozeChoice[]
}

const until = (label: string, at: number, style: 'clock' | 'weekday'): SnoozeChoice => ({
  label,
  hint: style === 'clock' ? formatMoment('clock', at) : `${formatMoment('weekday', at)}, ${formatMoment('clock', at)}`,
  snooze: { until: 'time', at: new Date(at).toISOString() },
})

/** @param entry what sleeps; null for several lines, of which not all have a project or an issue */
export function snoozeChoices(now: number, entry: InboxEntry | null): SnoozeChoices {
  const evening = hourOfDay(now, 0, EVENING)
  const daysToMonday = (MONDAY - weekdayOf(now) + 7) % 7 || 7
  const times = [
    until('One hour', now + HOUR_MS, 'clock'),
    ...(evening > now + HOUR_MS ? [until('This evening', evening, 'clock')] : []),
    until('Tomorrow', hourOfDay(now, 1, MORNING), 'weekday'),
    ...(daysToMonday > 1 ? [until('Monday morning', hourOfDay(now, daysToMonday, MORNING), 'weekday')] : []),
  ]
  const project = entry?.project ?? null
  const events: SnoozeChoice[] = [
    {
      label: project === null ? 'Until the next release is live' : `Until the next release of ${project.name} is live`,
      hint: '',
      snooze: { until: 'release', release: null },
    },
    ...(entry !== null && entry.issueId === null
      ? []
      : [{ label: 'Until it gets worse', hint: '> 2× events', snooze: { until: 'worse' } as const }]),
    { label: 'Until somebody answers', hint: '', snooze: { until: 'answer' } },
  ]
  return { times, events }
}

/** "sleeps until 2026.11.3 is live" */
export function snoozeWords(snooze: Snooze): string {
  switch (snooze.until) {
    case 'time':
      return `sleeps until ${formatMoment('hour', Date.parse(snooze.at))}`
    case 'release':
      return `sleeps until ${snooze.release ?? 'the next release'} is live`
    case 'worse':
      return 'sleeps until it gets worse'
    case 'answer':
      return 'sleeps until somebody answers'
  }
}
