import type { LedgerTransaction } from '../../storage/index.ts'

/** An issue, as far as it matters to those who open and end it by themselves. */
export interface IssueOfHash {
  readonly id: number
  readonly isUnresolved: boolean
  /** It is somebody’s, or it was decided before whose it is or is not. */
  readonly wasAssigned: boolean
}

/** The living issue of a hash, or the one it was merged into; null while there is none. */
export const issueOfHash = async (
  { db }: { readonly db: Pick<LedgerTransaction, 'selectFrom'> },
  projectId: number,
  hash: string,
): Promise<IssueOfHash | null> => {
  const row = await db
    .selectFrom('issue_hashes')
    .innerJoin('issues as own', 'own.id', 'issue_hashes.issue_id')
    .innerJoin('issues', (join) =>
      join.on((eb) => eb('issues.id', '=', eb.fn.coalesce('own.merged_into_id', 'own.id'))),
    )
    .select(['issues.id', 'issues.status', 'issues.assigned_user_id', 'issues.assigned_team_id'])
    .where('issue_hashes.project_id', '=', projectId)
    .where('issue_hashes.hash', '=', hash)
    .where('issues.deleted_at', 'is', null)
    .executeTakeFirst()
  if (row === undefined) return null
  const decided = await db
    .selectFrom('issue_activity')
    .select('id')
    .where('issue_id', '=', row.id)
    .where('type', 'in', ['assigned', 'unassigned'])
    .limit(1)
    .executeTakeFirst()
  return {
    id: row.id,
    isUnresolved: row.status === 'unresolved',
    wasAssigned: row.assigned_user_id !== null || row.assigned_team_id !== null || decided !== undefined,
  }
}
