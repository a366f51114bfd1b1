import type { LedgerTransaction } from '../../storage/index.ts'

/** Who answered in the thread of a report, and who has the report: whom an answer of its sender concerns. */
export const peopleOfReport = async (
  db: Pick<LedgerTransaction, 'selectFrom'>,
  reportId: number,
): Promise<readonly number[]> => {
  const answered = await db
    .selectFrom('feedback_messages')
    .select('user_id')
    .distinct()
    .where('feedback_id', '=', reportId)
    .where('user_id', 'is not', null)
    .execute()
  const assigned = await db
    .selectFrom('feedback')
    .select('assigned_user_id as user_id')
    .where('id', '=', reportId)
    .where('assigned_user_id', 'is not', null)
    .execute()
  return [...new Set([...answered, ...assigned].map((row) => row.user_id))].filter((id): id is number => id !== null)
}
