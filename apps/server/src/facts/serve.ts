import type { Served, ServerParts } from '../capability.ts'
import { createFactRetention } from './ledger/expiry.ts'

export const serveFacts = ({ ledger }: Pick<ServerParts, 'ledger'>): Served => ({
  retention: createFactRetention({ ledger }),
})
