import { RecentMap } from '../../lib/recent-map.ts'
import { isWithin, type Clock } from '../../lib/clock.ts'
import { LIMITS } from '../limits.ts'
import type { EventScope, EventView, IssueCountRequest, IssueCounts } from '../events.view.ts'

/**
 * Counts and sparklines of issues, remembered until one of them gets an event. Lists are asked again with every live update,
 * while hardly any of their rows has changed; counting all of them anew is by far the most that a list costs.
 *
 * A remembered count of "the last 14 days" is as old as `maxAgeOf` allows: that much later its window would begin. New
 * events are never missing, because the digest names the issues that it stored events of.
 */
export interface CountCache {
  readonly remembering: (events: Pick<EventView, 'countIssues'>) => EventView['countIssues']
  /**
   * Which issues a search finds, remembered likewise: whether an issue matches depends on its own events alone, so only those
   * that got events since are looked at again.
   */
  readonly matching: (events: Pick<EventView, 'matchingIssues'>) => EventView['matchingIssues']
  /** These issues (as stored) got events. */
  readonly forget: (issueIds: readonly number[]) => void
}

interface Entry {
  /** Null: no event in the period. */
  readonly counts: IssueCounts | null
  readonly storedIds: readonly number[]
  /** The change that was the latest when counting began. */
  readonly tick: number
  readonly at: number
}

interface Match {
  /** As stored. */
  readonly issueIds: ReadonlySet<number>
  readonly tick: number
  /** When all issues were looked at. */
  readonly at: number
}

/** A window may be this part of its length late. */
const LATE_PART = 1440

export const createCountCache = ({
  clock,
  maxAgeMs = LIMITS.COUNTS_REMEMBERED_MS,
}: {
  readonly clock: Clock
  /** Shorter where other processes store events of which nobody tells us. */
  readonly maxAgeMs?: number
}): CountCache => {
  const entries = new RecentMap<string, Entry>(LIMITS.COUNTS_REMEMBERED)
  const matches = new RecentMap<string, Match>(LIMITS.MATCHES_REMEMBERED)
  const changedAt = new Map<number, number>()
  let tick = 0
  /** What was counted before this change is forgotten. */
  let floor = 0

  const isCurrent = (entry: Entry, maxAge: number, now: number): boolean =>
    isWithin(entry.at, maxAge, now) &&
    entry.tick >= floor &&
    entry.storedIds.every((id) => (changedAt.get(id) ?? 0) <= entry.tick)

  const keep = (key: string, match: Match): void => {
    if (match.issueIds.size > LIMITS.MATCHES_REMEMBERED_ISSUES) matches.delete(key)
    else matches.set(key, match)
  }

  return {
    remembering: (events) => async (request) => {
      const now = clock.now()
      const maxAge = maxAgeOf(request, maxAgeMs)
      const frame = frameOf(request, now)
      const began = tick
      const found = new Map<number, IssueCounts>()
      const missing = new Map<number, readonly number[]>()
      for (const [issueId, storedIds] of request.issues) {
        const key = `${issueId}:${storedIds.join(',')}|${frame}`
        const entry = entries.get(key)
        if (entry === undefined || !isCurrent(entry, maxAge, now)) {
          missing.set(issueId, storedIds)
          continue
        }
        if (entry.counts !== null) found.set(issueId, entry.counts)
      }
      if (missing.size === 0) return found
      const counted = await events.countIssues({ ...request, issues: missing })
      for (const [issueId, storedIds] of missing) {
        const counts = counted.get(issueId) ?? null
        entries.set(`${issueId}:${storedIds.join(',')}|${frame}`, { counts, storedIds, tick: began, at: now })
        if (counts !== null) found.set(issueId, counts)
      }
      return found
    },

    matching: (events) => async (scope, limit) => {
      // A search within given issues is small, and asked once.
      if (scope.issueIds !== null) return events.matchingIssues(scope, limit)
      const now = clock.now()
      const began = tick
      const key = JSON.stringify([scopeFrameOf(scope, now), limit])
      const known = matches.get(key)
      const isKnown = known !== undefined && known.tick >= floor && isWithin(known.at, maxAgeOf(scope, maxAgeMs), now)
      const changed = isKnown ? [...changedAt].flatMap(([id, at]) => (at > known.tick ? [id] : [])) : []
      if (!isKnown || changed.length > LIMITS.MATCHES_REVIEWED) {
        const found = await events.matchingIssues(scope, limit)
        keep(key, { issueIds: new Set(found), tick: began, at: now })
        return found
      }
      if (changed.length === 0) {
        keep(key, known)
        return [...known.issueIds]
      }
      const again = await events.matchingIssues({ ...scope, issueIds: changed }, limit)
      const issueIds = new Set(known.issueIds)
      for (const id of changed) issueIds.delete(id)
      for (const id of again) issueIds.add(id)
      keep(key, { issueIds, tick: began, at: known.at })
      return [...issueIds]
    },

    forget: (issueIds) => {
      tick += 1
      for (const id of issueIds) changedAt.set(id, tick)
      if (changedAt.size <= LIMITS.COUNTS_REMEMBERED) return
      changedAt.clear()
      floor = tick
    },
  }
}

const maxAgeOf = ({ period }: Pick<IssueCountRequest, 'period'>, most: number): number =>
  period === null ? most : Math.min(most, (period.to - period.from) / LATE_PART)

/** A period that ends now is its length. */
const spanOf = (period: IssueCountRequest['period'], now: number): string => {
  if (period === null) return ''
  return period.to >= now ? `${Math.round((period.to - period.from) / 1000)}` : `${period.from}-${period.to}`
}

const scopeFrameOf = ({ organizationId, projectIds, environments, period, filter }: EventScope, now: number) => [
  organizationId,
  [...projectIds].toSorted((a, b) => a - b),
  environments,
  spanOf(period, now),
  filter,
]

/** What besides the issue decides what is counted. */
const frameOf = ({ organizationId, environments, period, buckets }: IssueCountRequest, now: number): string => {
  const drawn = buckets === null ? '' : `${buckets.start},${buckets.interval},${buckets.count}`
  return JSON.stringify([organizationId, spanOf(period, now), drawn, ...environments])
}
