import type { LineSource } from '../line.ts'
import { chunks, ROWS_PER_STATEMENT } from '../../storage/ledger/chunks.ts'
import type { Ledger, LedgerTransaction } from '../../storage/index.ts'

/** Whose an issue was found to be, in the order of the line. */
export interface FoundOwner {
  readonly type: 'user' | 'team'
  readonly id: number
  readonly source: LineSource
  /** The line that decided. */
  readonly rule: string
  readonly foundAt: number
}

export const ownersOfIssues = async (
  { db }: Pick<Ledger, 'db'>,
  issueIds: readonly number[],
): Promise<ReadonlyMap<number, readonly FoundOwner[]>> => {
  const found = new Map<number, FoundOwner[]>()
  for (const part of chunks([...new Set(issueIds)], ROWS_PER_STATEMENT)) {
    const rows = await db
      .selectFrom('issue_owners')
      .selectAll()
      .where('issue_id', 'in', part)
      .orderBy('issue_id')
      .orderBy('place')
      .execute()
    for (const { issue_id: issueId, owner, rule, source, found_at: foundAt } of rows) {
      const [type, id] = owner.split(':')
      const read: FoundOwner = { type: type === 'team' ? 'team' : 'user', id: Number(id), source, rule, foundAt }
      found.set(issueId, [...(found.get(issueId) ?? []), read])
    }
  }
  return found
}

/** In the place of those that were found before. */
export const noteOwners = async (
  transaction: LedgerTransaction,
  issueId: number,
  owners: readonly FoundOwner[],
): Promise<void> => {
  await transaction.deleteFrom('issue_owners').where('issue_id', '=', issueId).execute()
  const rows = new Map(
    owners.map(({ foundAt, id, rule, source, type }, place) => [
      `${type}:${id}`,
      { issue_id: issueId, owner: `${type}:${id}`, place, source, rule, found_at: foundAt },
    ]),
  )
  if (rows.size > 0)
    await transaction
      .insertInto('issue_owners')
      .values([...rows.values()])
      .execute()
}
