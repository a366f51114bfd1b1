import type { Answer, Issue, listIssueStats } from '@firsthand/contract'

/** An issue with what it did in one release: it may have begun in another and go on in the next. */
export interface IssueInRelease {
  readonly issue: Issue
  readonly events: number
  readonly users: number
  /** Null where no event of it names the release. */
  readonly lastSeen: string | null
}

/** Most events of the release first. */
export const inRelease = (
  issues: readonly Issue[],
  counts: Answer<typeof listIssueStats>,
): readonly IssueInRelease[] => {
  const byIssue = new Map(counts.map(({ filtered, id }) => [id, filtered]))
  return issues
    .map((issue) => {
      const own = byIssue.get(issue.id)
      return { issue, events: Number(own?.count ?? 0), users: own?.userCount ?? 0, lastSeen: own?.lastSeen ?? null }
    })
    .toSorted((one, other) => other.events - one.events)
}
