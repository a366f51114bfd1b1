import type { Served, ServerParts } from '../capability.ts'
import { createPersonalFacts } from './ledger/erase-facts.ts'
import { createFactRetention } from './ledger/expiry.ts'

export const serveFacts = ({ ledger }: Pick<ServerParts, 'ledger'>): Served => ({
  retention: createFactRetention({ ledger }),
  personal: [createPersonalFacts({ ledger })],
})
