import type { Ledger } from '../../storage/index.ts'
import { LIMITS } from '../limits.ts'

/** Why nothing is sent to an address. */
export interface Pause {
  readonly since: number
  /** What its mail server said. */
  readonly reason: string
}

/** How a mail was refused: `hard` for good, `soft` for now. */
export type Refusal = 'hard' | 'soft'

export type Pauses = ReturnType<typeof createPauses>

/**
 * Addresses that refuse mail. Who goes on sending to them is taken for a sender of spam by their mail servers; so nothing is
 * sent after it was refused for good once, or for now several times in some days, until somebody says that it works again.
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
  refused: (address: string, how: Refusal, said: string, now: number): Promise<boolean> =>
    ledger.transaction(async (transaction) => {
      const key = address.toLowerCase()
      const row = await transaction
        .selectFrom('notice_addresses')
        .selectAll()
        .where('address', '=', key)
        .executeTakeFirst()
      if (row !== undefined && row.paused_at !== null) return false
      const before = row === undefined ? [] : (JSON.parse(row.failures) as number[])
      const failures = [...before.filter((at) => at > now - LIMITS.NOTICE_BOUNCE_MS), now]
      const isPaused = how === 'hard' || failures.length >= LIMITS.NOTICE_BOUNCES
      const columns = {
        failures: JSON.stringify(failures),
        paused_at: isPaused ? now : null,
        said: said.slice(0, LIMITS.NOTICE_DETAIL_CHARS).toWellFormed(),
      }
      await transaction
        .insertInto('notice_addresses')
        .values({ ...columns, address: key })
        .onConflict((conflict) => conflict.column('address').doUpdateSet(columns))
        .execute()
      return isPaused
    }),

  /** Mail arrived, or somebody says that it does again. */
  resume: async (address: string): Promise<void> => {
    await ledger.db.deleteFrom('notice_addresses').where('address', '=', address.toLowerCase()).execute()
  },
})
