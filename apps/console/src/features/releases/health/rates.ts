import type { AdoptionStage, ReleaseHealth } from '@firsthand/contract'
import { formatCount } from '../../../lib/format.ts'

/** Sessions or people, by how they ended. */
export type Ends = ReleaseHealth['sessions']

/** Hundredths of a percent in a whole. */
const WHOLE = 10_000

/**
 * How many of all had no crash, as a percentage that is rounded down: it is 100 only where none had one. Null where there
 * is nothing of which it would be a share.
 */
export const crashFreeText = ({ crashed, total }: Pick<Ends, 'crashed' | 'total'>): string | null => {
  if (total === 0) return null
  if (crashed <= 0) return '100%'
  const parts = Math.floor(((total - crashed) * WHOLE) / total)
  if (parts === 0 && crashed < total) return '<0.01%'
  return `${(parts / 100).toFixed(2)}%`
}

/** A part of a whole, as a percentage that is rounded down: it is 100 only for the whole, and 0 only for nothing. */
export const shareText = (part: number, whole: number): string | null => {
  if (whole === 0) return null
  const percent = Math.floor((part * 100) / whole)
  return percent === 0 && part > 0 ? '<1%' : `${percent}%`
}

/** The same for what is rare: with hundredths of a percent, `–` of nothing. */
export const shareOfText = (part: number, whole: number): string => {
  if (whole === 0) return '–'
  if (part === whole) return '100%'
  const parts = Math.floor((part * WHOLE) / whole)
  return parts === 0 && part > 0 ? '<0.01%' : `${(parts / 100).toFixed(2)}%`
}

/** `1 in 1` is wrong of three in four: from one half on, both numbers are said. */
const areMost = ({ crashed, total }: Pick<Ends, 'crashed' | 'total'>): boolean =>
  crashed < total && crashed * 2 >= total

/** `1 in 26`, in whole sessions, or `3 of 4`. */
const crashedPart = (sessions: Pick<Ends, 'crashed' | 'total'>): string => {
  const { crashed, total } = sessions
  if (crashed === total) return total === 1 ? 'the only one' : `all ${formatCount(total)}`
  if (areMost(sessions)) return `${formatCount(crashed)} of ${formatCount(total)}`
  return `1 in ${formatCount(Math.round(total / crashed))}`
}

/** `1 in 26 of its sessions crashed`, `3 of its 4 sessions crashed`. */
const crashedOfIts = (sessions: Pick<Ends, 'crashed' | 'total'>): string => {
  const { crashed, total } = sessions
  if (crashed === 0) return `none of its ${sessionsText(total)} crashed`
  if (areMost(sessions)) return `${formatCount(crashed)} of its ${sessionsText(total)} crashed`
  return `${crashedPart(sessions)} of its sessions crashed`
}

const capital = (words: string): string => words.replace(/^[a-z]/, (letter) => letter.toUpperCase())

/**
 * How often sessions crash, in one sentence, and how often those of the release before did.
 *
 * @param days of which alone the numbers are, where its life is longer
 */
export const crashWords = (
  { sessions }: Pick<ReleaseHealth, 'sessions'>,
  before: Pick<ReleaseHealth, 'sessions'> | null,
  days: number | null,
): string => {
  const now =
    days === null ? capital(crashedOfIts(sessions)) : `${capital(firstDaysText(days))}, ${crashedOfIts(sessions)}`
  if (before === null || before.sessions.total === 0) return `${now}.`
  if (before.sessions.crashed === 0) return `${now}; of the release before at that age none had.`
  return `${now}; of the release before at that age it was ${crashedPart(before.sessions)}.`
}

export const firstDaysText = (days: number): string => `in its first ${days} days`

/** The same of what is in the list of releases: lately, whatever its age. */
export const latelyWords = ({ sessions }: Pick<ReleaseHealth, 'sessions'>): string =>
  sessions.total === 0 ? 'In the last 14 days it had no sessions.' : `In the last 14 days, ${crashedOfIts(sessions)}.`

/** How much better a rate is than another, in points of a percent that are cut: `+0.62`. Null where one is not known. */
export const differenceText = (now: number | null, before: number | null): string | null => {
  if (now === null || before === null) return null
  const points = Math.trunc(Math.round((now - before) * WHOLE * 10) / 10) / 100
  return `${points < 0 ? '−' : points > 0 ? '+' : '±'}${Math.abs(points).toFixed(2)}`
}

const counted = (count: number, one: string, many: string): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`

export const sessionsText = (count: number): string => counted(count, 'session', 'sessions')
export const usersText = (count: number): string => counted(count, 'user', 'users')

/** What each way of ending is called, from bad to good. */
export const ENDS = [
  ['crashed', 'Crashed'],
  ['abnormal', 'Abnormal'],
  ['unhandled', 'Unhandled'],
  ['errored', 'Errored'],
  ['healthy', 'Healthy'],
] as const satisfies readonly (readonly [keyof Ends, string])[]

/** All numbers behind a rate, in one line. */
export const endsText = ({ sessions, users }: Pick<ReleaseHealth, 'sessions' | 'users'>): string => {
  const parts = ENDS.filter(([end]) => sessions[end] > 0).map(
    ([end, words]) => `${words.toLowerCase()} ${formatCount(sessions[end])}`,
  )
  const people = crashFreeText(users)
  const ofUsers = people === null ? 'no user is named' : `${people} of ${usersText(users.total)} had no crash`
  return `${sessionsText(sessions.total)} in 14 days: ${parts.join(', ')}; ${ofUsers}`
}

/** In words that stand before "in production". */
export const STAGE_WORDS: Readonly<Record<AdoptionStage, string>> = {
  adopted: 'adopted',
  low: 'few run it',
  replaced: 'replaced',
}
