import type { AlertConditions, AlertHappening } from '@firsthand/contract'

/** Words for what can happen, for times and for lengths of time. */

interface Happening {
  readonly kind: AlertHappening
  /** What it happens to. */
  readonly of: 'issue' | 'release' | 'report'
  /** After "an issue": "is new". What is of something else is a clause of its own. */
  readonly does: string
  /** In a list of choices. */
  readonly label: string
}

export const HAPPENINGS: readonly Happening[] = [
  { kind: 'issue_opened', of: 'issue', does: 'is new', label: 'An issue is new' },
  { kind: 'issue_regressed', of: 'issue', does: 'comes back', label: 'An issue comes back' },
  { kind: 'issue_escalating', of: 'issue', does: 'escalates', label: 'An issue escalates' },
  { kind: 'issue_unarchived', of: 'issue', does: 'leaves the archive', label: 'An issue leaves the archive' },
  {
    kind: 'issue_priority_raised',
    of: 'issue',
    does: 'becomes more urgent',
    label: 'The priority of an issue is raised',
  },
  { kind: 'issue_assigned', of: 'issue', does: 'is assigned', label: 'An issue is assigned' },
  { kind: 'issue_resolved', of: 'issue', does: 'is resolved', label: 'An issue is resolved' },
  { kind: 'issue_archived', of: 'issue', does: 'is archived', label: 'An issue is archived' },
  { kind: 'issue_reopened', of: 'issue', does: 'is reopened', label: 'An issue is reopened' },
  { kind: 'release_first_seen', of: 'release', does: 'a release is first seen', label: 'A release is first seen' },
  { kind: 'report_received', of: 'report', does: 'somebody sends feedback', label: 'Somebody sends feedback' },
  { kind: 'reporter_replied', of: 'report', does: 'a reporter replies', label: 'A reporter replies' },
]

/** `a, b or c`. */
export function either(words: readonly string[]): string {
  if (words.length < 2) return words[0] ?? ''
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1) ?? ''}`
}

/** "an issue is new or comes back", "somebody sends feedback". */
export function happeningText(kinds: readonly AlertHappening[]): string {
  const chosen = HAPPENINGS.filter(({ kind }) => kinds.includes(kind))
  const ofIssues = chosen.filter(({ of }) => of === 'issue').map(({ does }) => does)
  const others = chosen.filter(({ of }) => of !== 'issue').map(({ does }) => does)
  const issues = ofIssues.length === 0 ? [] : [`an issue ${either(ofIssues)}`]
  const clauses = [...issues, ...others]
  return clauses.length === 0 ? 'something happens' : either(clauses)
}

const DAY = 1440

/** 10 → "10 minutes", 60 → "1 hour", 1440 → "1 day". */
export function lengthText(minutes: number): string {
  const [count, unit] =
    minutes >= DAY && minutes % DAY === 0
      ? [minutes / DAY, 'day']
      : minutes >= 60 && minutes % 60 === 0
        ? [minutes / 60, 'hour']
        : [minutes, 'minute']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

export const AGAINST = [
  { value: 60, label: 'an hour before' },
  { value: 1440, label: 'a day before' },
  { value: 10_080, label: 'a week before' },
] as const

export const againstText = (minutes: number): string =>
  AGAINST.find(({ value }) => value === minutes)?.label ?? `${lengthText(minutes)} before`

export const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const

/** `Mon to Fri`, `Mon, Wed`. */
function daysText(days: readonly number[]): string {
  const sorted = [...new Set(days)].toSorted((a, b) => a - b)
  const [first, last] = [sorted[0], sorted.at(-1)]
  if (first === undefined || last === undefined) return 'no day'
  if (sorted.length === 7) return 'every day'
  if (sorted.length > 2 && last - first === sorted.length - 1)
    return `${DAYS[first - 1] ?? ''} to ${DAYS[last - 1] ?? ''}`
  return sorted.map((day) => DAYS[day - 1] ?? '').join(', ')
}

/** "any hour", "Mon to Fri, 09:00 to 18:00". */
export function hoursText(hours: AlertConditions['hours']): string {
  return hours === null ? 'any hour' : `${daysText(hours.days)}, ${hours.from} to ${hours.to}`
}
