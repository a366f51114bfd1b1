import type { Ledger } from '../../storage/index.ts'

/** Who left while the process died may still have issues: whoever is no member has none. */
export const unassignStrangers = async ({ db }: Pick<Ledger, 'db'>): Promise<number> => {
  const result = await db
    .updateTable('issues')
    .set({ assigned_user_id: null })
    .where('assigned_user_id', 'is not', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('members')
            .select('members.id')
            .whereRef('members.organization_id', '=', 'issues.organization_id')
            .whereRef('members.user_id', '=', 'issues.assigned_user_id'),
        ),
      ),
    )
    .executeTakeFirst()
  return Number(result.numUpdatedRows)
}

/** Issues that were assigned to somebody who left the organisation are nobody's. */
export const unassignMember = async (
  { db }: Pick<Ledger, 'db'>,
  organizationId: number,
  userId: number,
): Promise<void> => {
  await db
    .updateTable('issues')
    .set({ assigned_user_id: null })
    .where('organization_id', '=', organizationId)
    .where('assigned_user_id', '=', userId)
    .execute()
}
