import { setImmediate } from 'node:timers/promises'
import { DAY_MS } from '../../lib/durations.ts'
import type { Ledger, RetentionPart } from '../../storage/index.ts'
import { LIMITS } from '../limits.ts'

/** Facts go by their own age, in steps between which others write. */
export const createFactRetention = ({ ledger }: { readonly ledger: Ledger }): RetentionPart => ({
  sweep: async (now, signal) => {
    let facts = 0
    for (;;) {
      signal.throwIfAborted()
      const old = await ledger.db
        .selectFrom('facts')
        .select('id')
        .where('noted_at', '<', now - LIMITS.FACT_DAYS * DAY_MS)
        .orderBy('noted_at')
        .limit(LIMITS.FACT_STEP_ROWS)
        .execute()
      if (old.length === 0) return { facts }
      const ids = old.map(({ id }) => id)
      await ledger.db.deleteFrom('facts').where('id', 'in', ids).execute()
      facts += ids.length
      await setImmediate()
    }
  },
})
