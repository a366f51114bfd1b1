import { sql } from 'kysely'
import type { Ledger, LedgerTransaction } from '../../storage/index.ts'

/** Any number that no other lock of the same database has. */
const POSTGRES_LOCK = 4_721_903_589

/**
 * Whoever changes many incidents, with what waits to be told of them, does so one after the other, before it changes
 * any of them: each would take them in another order, and two of them would wait for each other until one has
 * to begin again. SQLite has one who writes in any case.
 */
export const oneAtATime = async (transaction: LedgerTransaction, dialect: Ledger['dialect']): Promise<void> => {
  if (dialect === 'postgres') await sql`SELECT pg_advisory_xact_lock(${POSTGRES_LOCK})`.execute(transaction)
}
