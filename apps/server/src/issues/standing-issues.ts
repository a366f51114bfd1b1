import type { IssueRecord } from './issues.view.ts'
import type { IssueView } from './ledger/issue-view.ts'

/**
 * The issues that events belong to now, by the ids that they were stored with: an issue may have been merged into another
 * one since. Those of deleted issues are left out.
 */
export const standingIssues = async (
  issues: Pick<IssueView, 'merges' | 'records'>,
  organizationId: number,
  stored: readonly number[],
): Promise<ReadonlyMap<number, IssueRecord>> => {
  const ids = [...new Set(stored)]
  if (ids.length === 0) return new Map()
  const merges = await issues.merges(organizationId, ids)
  const standing = (id: number): number => merges.get(id) ?? id
  const records = await issues.records(organizationId, [...new Set(ids.map(standing))])
  const byId = new Map(records.map((record) => [record.id, record]))
  return new Map(
    ids.flatMap((id) => {
      const record = byId.get(standing(id))
      return record === undefined ? [] : [[id, record] as const]
    }),
  )
}
