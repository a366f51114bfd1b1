import type { Ledger, LedgerTransaction } from '../../storage/index.ts'
import { LIMITS } from '../limits.ts'
import { cut } from '../message-text.ts'

/** Why nothing is sent to an address. */
export interface Pause {
  readonly since: number
  /** What its mail server said. */
  readonly reason: string
}

/** A mail that its receiver's mail server refused: `hard` for good, `soft` for now. */
export interface Refusal {
  readonly how: 'hard' | 'soft'
  /** Of the mail: a mail that is tried again and refused again is one. */
  readonly key: string
  readonly said: string
}

interface Failure {
  readonly key: string
  readonly at: number
}

export type Pauses = ReturnType<typeof createPauses>

/**
 * Addresses that refuse mail. Who goes on sending to them is taken for a sender of spam by their mail servers; so nothing is
 * sent after one mail was refused for good, or several were for now within some days, until somebody says that it works
 * again.
 */
export const createPauses = ({ ledger }: { readonly ledger: Ledger }) => ({
  of: async (address: string): Promise<Pause | null> => {
    const row = await ledger.db
      .selectFrom('notice_addresses')
      .select(['paused_at', 'said'])
      .where('address', '=', address.toLowerCase())
      .executeTakeFirst()
    return row === undefined || row.paused_at === null ? null : { since: row.paused_at, reason: row.said }
  },

  /** Members of an organisation to whom nothing is sent. */
  list: async (organizationId: number) => {
    const rows = await ledger.db
      .selectFrom('notice_addresses')
      .innerJoin('users', 'users.email', 'notice_addresses.address')
      .innerJoin('members', 'members.user_id', 'users.id')
      .select(['members.id', 'users.name', 'users.email', 'notice_addresses.paused_at', 'notice_addresses.said'])
      .where('members.organization_id', '=', organizationId)
      .where('notice_addresses.paused_at', 'is not', null)
      .orderBy('notice_addresses.paused_at', 'desc')
      .execute()
    return rows.map(({ id, name, email, paused_at: since, said }) => ({
      memberId: id,
      name,
      email,
      since: since ?? 0,
      reason: said,
    }))
  },

  /** @returns whether the address is paused by it now */
  refused: async (
    transaction: LedgerTransaction,
    address: string,
    { how, key, said }: Refusal,
    now: number,
  ): Promise<boolean> => {
    const row = await transaction
      .selectFrom('notice_addresses')
      .selectAll()
      .where('address', '=', address.toLowerCase())
      .executeTakeFirst()
    if (row !== undefined && row.paused_at !== null) return false
    const before = row === undefined ? [] : (JSON.parse(row.failures) as Failure[])
    const recent = before.filter((failure) => failure.at > now - LIMITS.NOTICE_BOUNCE_MS && failure.key !== key)
    const failures = [...recent, { key, at: now }]
    const isPaused = how === 'hard' || failures.length >= LIMITS.NOTICE_BOUNCES
    const columns = {
      failures: JSON.stringify(failures),
      paused_at: isPaused ? now : null,
      said: cut(said, LIMITS.NOTICE_DETAIL_CHARS),
    }
    await transaction
      .insertInto('notice_addresses')
      .values({ ...columns, address: address.toLowerCase() })
      .onConflict((conflict) => conflict.column('address').doUpdateSet(columns))
      .execute()
    return isPaused
  },

  /** Mail is taken there, or somebody says that it is again. */
  resume: async (address: string): Promise<void> => {
    await ledger.db.deleteFrom('notice_addresses').where('address', '=', address.toLowerCase()).execute()
  },
})
