import type { Answer, Issue, listIssueStats } from '@firsthand/contract'
import { describe, expect, it } from 'vitest'
import { inRelease } from './in-release.ts'

const AT = '2026-11-27T12:00:00.000Z'

const issue = (id: string): Issue => ({ id, count: '900', userCount: 80, lastSeen: AT }) as Issue
const counts = (id: string, count: string, userCount: number, lastSeen: string | null) =>
  ({ id, count: '900', filtered: { count, userCount, firstSeen: lastSeen, lastSeen } }) as Answer<
    typeof listIssueStats
  >[number]

describe('issues of a release', () => {
  it('have the numbers of the release, and those with most events in it come first', () => {
    const seen = '2026-11-20T12:00:00.000Z'
    const rows = inRelease(
      [issue('1'), issue('2'), issue('3')],
      [counts('1', '2', 1, seen), counts('2', '11', 3, seen)],
    )
    expect(rows).toEqual([
      { issue: issue('2'), events: 11, users: 3, lastSeen: seen },
      { issue: issue('1'), events: 2, users: 1, lastSeen: seen },
      { issue: issue('3'), events: 0, users: 0, lastSeen: null },
    ])
  })
})
