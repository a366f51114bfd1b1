import type { Ledger, LedgerTransaction } from '../../storage/ledger/ledger.ts'

/** Who wants no more mails about repairs. */
export const createLedgerUnsubscribes = ({ ledger }: { readonly ledger: Ledger }) => ({
  /** The living project that a link names; null when there is none. */
  project: async (projectId: number): Promise<{ organizationId: number; name: string; settings: string } | null> => {
    const row = await ledger.db
      .selectFrom('projects')
      .select(['organization_id', 'name', 'settings'])
      .where('id', '=', projectId)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    return row === undefined ? null : { organizationId: row.organization_id, name: row.name, settings: row.settings }
  },
  /** Said twice, it is the same. */
  add: async (organizationId: number, addressHash: string, now: number): Promise<void> => {
    await ledger.db
      .insertInto('reporter_unsubscribes')
      .values({ organization_id: organizationId, address_hash: addressHash, created_at: now })
      .onConflict((conflict) => conflict.columns(['organization_id', 'address_hash']).doNothing())
      .execute()
  },
})

export type Unsubscribes = ReturnType<typeof createLedgerUnsubscribes>

/** Of these addresses, as hashes, those that want no mails. */
export const unsubscribedAmong = async (
  db: Ledger['db'] | LedgerTransaction,
  organizationId: number,
  hashes: readonly string[],
): Promise<ReadonlySet<string>> => {
  if (hashes.length === 0) return new Set()
  const rows = await db
    .selectFrom('reporter_unsubscribes')
    .select('address_hash')
    .where('organization_id', '=', organizationId)
    .where('address_hash', 'in', [...hashes])
    .execute()
  return new Set(rows.map((row) => row.address_hash))
}
