import { chunks } from '../storage/ledger/chunks.ts'
import type { LedgerTransaction } from '../storage/index.ts'
import type { Fact } from './fact.ts'
import { LIMITS } from './limits.ts'

const ROWS_AT_ONCE = 100

/**
 * Writes facts, in the transaction that makes them true. Whoever writes after something was done once more, e.g. a batch of
 * the digest that is repeated, writes none: they stand there already.
 *
 * Numbers are given by counting on in a row, which others that note facts wait for until this transaction ends: they rise in
 * the order of commits, and who read one has read all before it. So facts are noted as late in a transaction as can be.
 */
export const noteFacts = async (transaction: LedgerTransaction, facts: readonly Fact[], now: number): Promise<void> => {
  if (facts.length === 0) return
  const before = await countOn(transaction, facts.length)
  const rows = facts.map((fact, index) => ({
    id: before + index + 1,
    organization_id: fact.organizationId,
    project_id: fact.projectId,
    kind: fact.kind,
    issue_id: fact.issueId,
    report_id: fact.reportId,
    actor_id: fact.actorId,
    received_at: fact.receivedAt,
    noted_at: now,
    data: encode(fact),
  }))
  for (const part of chunks(rows, ROWS_AT_ONCE)) await transaction.insertInto('facts').values(part).execute()
}

/** @returns the last number that was given before */
const countOn = async (transaction: LedgerTransaction, count: number): Promise<number> => {
  const { last } = await transaction
    .insertInto('fact_count')
    .values({ id: 1, last: count })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet((expression) => ({ last: expression('fact_count.last', '+', count) })),
    )
    .returning('last')
    .executeTakeFirstOrThrow()
  return last - count
}

const encode = ({ kind, data }: Fact): string => {
  const text = JSON.stringify(data)
  const bytes = Buffer.byteLength(text)
  if (bytes > LIMITS.FACT_BYTES) {
    throw new Error(
      `A fact of the kind "${kind}" has ${bytes} bytes, and may have ${LIMITS.FACT_BYTES}: whoever notes it has to shorten what comes from outside.`,
    )
  }
  return text
}
