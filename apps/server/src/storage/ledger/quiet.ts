import { LIMITS } from '../limits.ts'
import type { Ledger } from './ledger.ts'

/**
 * For how long nothing has to be looked for in the ledger when this server did nothing to it. What another one does at the
 * same PostgreSQL is not heard here.
 */
export const quietMsOf = ({ dialect }: Pick<Ledger, 'dialect'>): number =>
  dialect === 'sqlite' ? LIMITS.HOUSEKEEPING_INTERVAL_MS : 0
