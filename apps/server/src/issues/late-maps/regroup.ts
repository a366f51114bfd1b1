import type { Ledger } from '../../storage/ledger/ledger.ts'
import type { GroupedEvent } from '../grouped.ts'
import { attachHashes } from '../ledger/issue-hashes.ts'
import { type IssueRow, livingIssue, loadIssues } from '../ledger/issue-assignment.ts'
import { mergeIssues } from '../ledger/issue-workflow.ts'

interface Regrouped {
  readonly organizationId: number
  readonly projectId: number
  /** The issue under which the event is stored. */
  readonly storedIssueId: number
  /** By its frames as they were written. */
  readonly grouped: GroupedEvent
  /** What the event said of itself as it came. */
  readonly was: { readonly title: string; readonly culprit: string }
  readonly now: number
}

/**
 * Lets the hashes that an event has by the maps of today lead to its issue: its id, what people wrote and decided, and links
 * to it stay. Where another issue has one of them, both are the same, and are merged as people merge.
 *
 * @returns the issues that changed
 */
export const regroup = (ledger: Ledger, request: Regrouped): Promise<readonly number[]> =>
  ledger.transaction(async (transaction) => {
    const { grouped, now, organizationId, projectId, storedIssueId } = request
    const { hashes, version } = grouped.grouping
    // The digest waits here for its turn with the project, and this for the digest's.
    await transaction
      .selectFrom('projects')
      .select('id')
      .where('id', '=', projectId)
      .$if(ledger.dialect === 'postgres', (query) => query.forUpdate())
      .execute()
    const rows = await transaction
      .selectFrom('issue_hashes')
      .select(['hash', 'issue_id'])
      .where('project_id', '=', projectId)
      .where('hash', 'in', hashes)
      .execute()
    // Somebody wants no events of it ever again; those that are here stay as they are.
    if (rows.some((row) => row.issue_id === null)) return []
    const known = new Map(rows.map((row) => [row.hash, row.issue_id ?? storedIssueId]))
    const issues = await loadIssues(transaction, ledger.dialect, [storedIssueId, ...known.values()])
    const own = livingIssue(issues, storedIssueId)
    if (own === null || own.organization_id !== organizationId) return []
    const owner = hashes
      .flatMap((hash) => known.get(hash) ?? [])
      .map((id) => livingIssue(issues, id))
      .find((issue) => issue !== null)
    const isOther = owner !== undefined && owner.id !== own.id
    const merged = isOther
      ? await mergeIssues(transaction, ledger, { organizationId, ids: [own.id, owner.id], userId: null, now })
      : null
    const target = merged?.parent ?? own.id
    const missing = hashes.filter((hash) => livingIssue(issues, known.get(hash) ?? 0) === null)
    await attachHashes(
      transaction,
      missing.map((hash) => ({
        project_id: projectId,
        hash,
        issue_id: target,
        grouping_version: version,
        created_at: now,
      })),
    )
    const renamed = target === own.id ? newName(own, request) : null
    if (renamed !== null) {
      await transaction
        .updateTable('issues')
        .set({ ...renamed, changed_at: now })
        .where('id', '=', own.id)
        .execute()
    }
    if (merged !== null) return [merged.parent, ...merged.children]
    return missing.length === 0 && renamed === null ? [] : [own.id]
  })

/** An issue is called as its newest event is; null where that is another one, or the maps say nothing else. */
const newName = (issue: IssueRow, { grouped: { title }, was }: Regrouped) => {
  if (issue.culprit !== was.culprit || issue.title !== was.title) return null
  if (title.culprit === was.culprit && title.title === was.title) return null
  return { title: title.title, culprit: title.culprit, metadata: JSON.stringify(title.metadata) }
}
