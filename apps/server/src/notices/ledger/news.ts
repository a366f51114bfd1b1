import type { Ledger } from '../../storage/index.ts'

/**
 * In which organisations something was put into an inbox since the last time. Whoever tells people does so in transactions
 * of their own, wherever they are; so it is looked for.
 */
export const createInboxNews = ({ ledger: { db } }: { readonly ledger: Ledger }) => {
  let seen: number | null = null
  return {
    since: async (): Promise<readonly number[]> => {
      const newest = await db
        .selectFrom('notice_items')
        .select((eb) => eb.fn.max('id').as('id'))
        .executeTakeFirst()
      const before = seen
      seen = newest?.id ?? 0
      if (before === null || before === seen) return []
      const rows = await db
        .selectFrom('notice_items')
        .select('organization_id')
        .distinct()
        .where('id', '>', before)
        .execute()
      return rows.map((row) => row.organization_id)
    },
  }
}
