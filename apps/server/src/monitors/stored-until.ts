import type { Ledger } from '../storage/index.ts'

/**
 * Up to when how runs ended can be counted: what is decided as of an earlier moment is decided already, and telemetry has
 * it. Later looks decide as of later moments.
 *
 * @param decidingUntil as of when runs are being decided; null while they are not
 */
export const createStoredUntil =
  ({ decidingUntil, ledger }: { readonly ledger: Ledger; readonly decidingUntil: () => number | null }) =>
  async (): Promise<number> => {
    const deciding = decidingUntil() ?? Infinity
    const { oldest } = await ledger.db
      .selectFrom('monitor_results')
      .select(({ fn }) => fn.min('decided_at').as('oldest'))
      .executeTakeFirstOrThrow()
    return Math.min(deciding, oldest ?? Infinity)
  }
