import type { PersonDetail } from '@firsthand/contract'

export interface PersonDay {
  /** Milliseconds since the epoch: its beginning in UTC, by which the server divides. */
  readonly at: number
  readonly errors: number
  readonly reports: number
  readonly all: number
}

const DAY_MS = 86_400_000

/** The shortest stretch that is drawn: five bars alone say nothing of when. */
const FEWEST_DAYS = 30

/** Every day until today, those on which nothing happened among them. */
export function everyDay(days: PersonDetail['days'], now: number): readonly PersonDay[] {
  const today = Math.floor(now / DAY_MS)
  const known = new Map(days.map((day) => [Math.floor((day[0] * 1000) / DAY_MS), day]))
  const first = Math.min(today - FEWEST_DAYS + 1, ...known.keys())
  return Array.from({ length: today - first + 1 }, (_, index) => {
    const [, errors = 0, reports = 0, all = 0] = known.get(first + index) ?? []
    return { at: (first + index) * DAY_MS, errors, reports, all }
  })
}
