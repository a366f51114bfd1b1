import type { Ledger } from '../../storage/index.ts'

/** Issues that were merged into one of these, each with it: what was reported of them keeps their ids. */
export const mergedIssues =
  ({ db }: Pick<Ledger, 'db'>) =>
  async (organizationId: number, issueIds: readonly number[]): Promise<ReadonlyMap<number, number>> => {
    const rows = await db
      .selectFrom('issues')
      .select(['id', 'merged_into_id'])
      .where('organization_id', '=', organizationId)
      .where('merged_into_id', 'in', issueIds)
      .execute()
    return new Map(rows.flatMap((row) => (row.merged_into_id === null ? [] : [[row.id, row.merged_into_id]])))
  }
