import type { Clock } from '../../lib/clock.ts'
import { LIMITS } from '../../limits.ts'
import type { EventView, IssueCountRequest, IssueCounts } from '../events.view.ts'

/**
 * Counts and sparklines of issues, remembered until one of them gets an event. Lists are asked again with every live update,
 * while hardly any of their rows has changed; counting all of them anew is by far the most that a list costs.
 *
 * A remembered count of "the last 14 days" is as old as `maxAgeOf` allows: that much later its window would begin. New
 * events are never missing, because the digest names the issues that it stored events of.
 */
export interface CountMemory {
  readonly remembering: (events: Pick<EventView, 'countIssues'>) => EventView['countIssues']
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

/** A window may be this part of its length late. */
const LATE_PART = 1440

export const createCountMemory = ({
  clock,
  maxAgeMs = LIMITS.COUNTS_REMEMBERED_MS,
}: {
  readonly clock: Clock
  /** Shorter where other processes store events of which nobody tells us. */
  readonly maxAgeMs?: number
}): CountMemory => {
  const entries = new Map<string, Entry>()
  const changedAt = new Map<number, number>()
  let tick = 0
  /** What was counted before this change is forgotten. */
  let floor = 0

  const isCurrent = (entry: Entry, maxAge: number, now: number): boolean =>
    now - entry.at <= maxAge &&
    entry.tick >= floor &&
    entry.storedIds.every((id) => (changedAt.get(id) ?? 0) <= entry.tick)

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
        // Used again: the longest unused go first.
        entries.delete(key)
        entries.set(key, entry)
        if (entry.counts !== null) found.set(issueId, entry.counts)
      }
      if (missing.size === 0) return found
      const counted = await events.countIssues({ ...request, issues: missing })
      for (const [issueId, storedIds] of missing) {
        const counts = counted.get(issueId) ?? null
        entries.set(`${issueId}:${storedIds.join(',')}|${frame}`, { counts, storedIds, tick: began, at: now })
        if (counts !== null) found.set(issueId, counts)
      }
      for (const key of entries.keys()) {
        if (entries.size <= LIMITS.COUNTS_REMEMBERED) break
        entries.delete(key)
      }
      return found
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

const maxAgeOf = ({ period }: IssueCountRequest, most: number): number =>
  period === null ? most : Math.min(most, (period.to - period.from) / LATE_PART)

/** What besides the issue decides what is counted. A period that ends now is its length. */
const frameOf = ({ organizationId, environments, period, buckets }: IssueCountRequest, now: number): string => {
  const span =
    period === null
      ? ''
      : period.to >= now
        ? `${Math.round((period.to - period.from) / 1000)}`
        : `${period.from}-${period.to}`
  const drawn = buckets === null ? '' : `${buckets.start},${buckets.interval},${buckets.count}`
  return JSON.stringify([organizationId, span, drawn, ...environments])
}
