import type { OutcomeRow } from '../road.ts'

/** PORT: how items ended, for the receipts. Append only; rows under a token that was written before are ignored. */
export interface OutcomeStore {
  write(rows: readonly OutcomeRow[], token: string): Promise<void>
}
