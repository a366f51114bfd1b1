import { SILENT_PER_WRITER, type Issue } from '@firsthand/contract'
import { formatCount } from '../../../lib/format.ts'
import { formatMoment } from '../../../lib/moments.ts'

/** What a row of the stream says, from what the API says. */

export interface TitleParts {
  /** The bold part: type of the error, `CSP`, or the message itself. */
  readonly lead: string
  readonly rest: string
}

/** Only what titles are made of; the issue page and the merge dialog use it too. */
export interface Titled {
  readonly title: string
  readonly type: string
  readonly metadata: Readonly<Record<string, unknown>>
}

const REPORT_NAMES: ReadonlyMap<string, string> = new Map([
  ['csp', 'CSP'],
  ['hpkp', 'HPKP'],
  ['expectct', 'Expect-CT'],
  ['expectstaple', 'Expect-Staple'],
  ['nel', 'Network error'],
])

export function titleParts(issue: Titled): TitleParts {
  const text = (key: string) => {
    const value = issue.metadata[key]
    return typeof value === 'string' ? value : ''
  }
  const report = REPORT_NAMES.get(issue.type)
  if (report !== undefined) return { lead: report, rest: text('message') || issue.title }
  const type = text('type')
  const firstLine = (value: string) => value.split(/\r?\n/, 1)[0] ?? ''
  if (type !== '') return { lead: type, rest: firstLine(text('value')) }
  return { lead: firstLine(text('title') || text('value') || issue.title) || 'No message', rest: '' }
}

/** People need not have given a name; their address then stands for it. */
export function assigneeName(assignedTo: Issue['assignedTo']): string | null {
  return assignedTo === null ? null : assignedTo.name || assignedTo.email || assignedTo.slug || 'somebody'
}

export interface Badge {
  readonly label: string
  readonly tone: 'accent' | 'error' | 'warning' | 'neutral'
}

/** A state that asks for a look. `ongoing` is the usual and says nothing. */
export function badgeOf(issue: Pick<Issue, 'status' | 'substatus' | 'statusDetails'>): Badge | null {
  if (issue.status === 'resolved') {
    const release = issue.statusDetails.inRelease
    if (issue.statusDetails.inNextRelease === true) return { label: 'Resolved in next release', tone: 'neutral' }
    return { label: release === undefined ? 'Resolved' : `Resolved in ${release}`, tone: 'neutral' }
  }
  if (issue.status === 'ignored') return { label: `Archived${untilWhat(issue)}`, tone: 'neutral' }
  switch (issue.substatus) {
    case 'new':
      return { label: 'New', tone: 'accent' }
    case 'regressed':
      return { label: 'Regressed', tone: 'error' }
    case 'escalating':
      return { label: 'Escalating', tone: 'warning' }
    case 'ongoing':
    case 'archived_until_escalating':
    case 'archived_until_condition_met':
    case 'archived_forever':
    case null:
      return null
  }
}

/** Until when, or until what, an issue stays archived. */
function untilWhat({ substatus, statusDetails }: Pick<Issue, 'substatus' | 'statusDetails'>): string {
  if (substatus === 'archived_forever') return ' forever'
  const { escalatesAbove, ignoreCount, ignoreUntil, ignoreUserCount, ignoreUserWindow, ignoreWindow } = statusDetails
  if (substatus === 'archived_until_escalating') {
    return escalatesAbove === undefined
      ? ' until it escalates'
      : ` until an hour has more than ${formatCount(escalatesAbove)} events`
  }
  if (typeof ignoreUntil === 'string') return ` until ${formatMoment('hour', Date.parse(ignoreUntil))}`
  if (typeof ignoreCount === 'number') return ` until ${formatCount(ignoreCount)} more events${within(ignoreWindow)}`
  if (typeof ignoreUserCount === 'number') {
    return ` until ${formatCount(ignoreUserCount)} more ${ignoreUserCount === 1 ? 'user' : 'users'}${within(ignoreUserWindow)}`
  }
  return ''
}

/** A rate: so many within so many minutes. */
function within(minutes: number | null | undefined): string {
  if (minutes === undefined || minutes === null) return ''
  return minutes % 60 === 0 ? ` within ${minutes / 60} h` : ` within ${minutes} min`
}

/** `3 people told us`. */
export function toldUsWords(people: number): string {
  return `${people === 1 ? '1 person' : `${formatCount(people)} people`} told us`
}

/** Whom an issue harmed, and by what number that is sorted. */
export function harmWords({ userCount, reporterCount }: Pick<Issue, 'userCount' | 'reporterCount'>): string {
  const ran = `${formatCount(userCount)} ${userCount === 1 ? 'user' : 'users'} ran into it`
  if (reporterCount === 0) return `${ran}; nobody wrote`
  const weight = formatCount(userCount + SILENT_PER_WRITER * reporterCount)
  return `${ran}, ${toldUsWords(reporterCount)}. Sorted by harmed people this counts as ${weight}: each who writes stands for ${SILENT_PER_WRITER} who do not.`
}

export interface Bar {
  readonly x: number
  readonly height: number
}

/**
 * Bars of a sparkline in a box of `width` × `height`. Buckets are joined until a bar has room; what is not zero is at
 * least 2 high, so that one event in two weeks can be seen.
 */
export function bars(
  counts: readonly number[],
  box: { readonly width: number; readonly height: number; readonly bar: number; readonly gap: number },
): readonly Bar[] {
  const room = Math.max(1, Math.floor((box.width + box.gap) / (box.bar + box.gap)))
  const joined = join(counts, room)
  const highest = Math.max(1, ...joined)
  return joined.map((count, index) => ({
    x: index * (box.bar + box.gap),
    height: count === 0 ? 0 : Math.max(2, Math.round((count / highest) * box.height)),
  }))
}

function join(counts: readonly number[], room: number): readonly number[] {
  if (counts.length <= room) return counts
  const joined = Array.from({ length: room }, () => 0)
  counts.forEach((count, index) => {
    const place = Math.floor((index * room) / counts.length)
    joined[place] = (joined[place] ?? 0) + count
  })
  return joined
}

export function countsOf(stats: Issue['stats']): readonly number[] {
  const series = stats.auto ?? Object.values(stats)[0] ?? []
  return series.map(([, count]) => count)
}

/** Loaded pages as one list. An issue that moved while one scrolled may come twice; the first place counts. */
export function uniqueIssues(pages: readonly (readonly Issue[])[]): readonly Issue[] {
  const seen = new Set<string>()
  return pages.flat().filter((issue) => !seen.has(issue.id) && seen.add(issue.id) !== undefined)
}

/** Issues of a fresh first page that the list does not show yet: what the "new issues" pill counts. */
export function arrivals(shown: readonly Issue[], fresh: readonly Issue[]): readonly string[] {
  const known = new Set(shown.map((issue) => issue.id))
  return fresh.filter((issue) => !known.has(issue.id)).map((issue) => issue.id)
}

/** The frame in which it broke, as far as events name one; else, or beside it, what the SDK calls the place. */
export function placeOf({ culprit, metadata }: Pick<Issue, 'culprit' | 'metadata'>): string {
  const parts = [metadata['function'], metadata['filename']].filter(
    (part): part is string => typeof part === 'string' && part !== '',
  )
  const isNamed = parts.length > 0 && parts.every((part) => culprit.includes(part))
  return isNamed || culprit === ''
    ? parts.join(' · ')
    : [...parts.filter((part) => part !== culprit), culprit].join(' · ')
}
