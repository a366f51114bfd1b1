import type { Ledger } from '../../storage/ledger/ledger.ts'

/** Whose an issue is, deleted and merged ones too; null when there is none. The only look at issues of everybody. */
export const organizationOfIssue = async ({ db }: Ledger, issueId: number): Promise<number | null> => {
  const row = await db.selectFrom('issues').select('organization_id').where('id', '=', issueId).executeTakeFirst()
  return row?.organization_id ?? null
}
