import type { Ledger } from '../storage/index.ts'
import { findKnownOwners } from './ledger/known-owners.ts'
import { readOwnership, type Ownership } from './ledger/ownership-store.ts'
import { unknownOwners } from './ownership-json.ts'

export type Understand = ReturnType<typeof createUnderstand>

/** What is written, what it comes to, and whom the organisation knows of those that are named. */
export const createUnderstand =
  (ledger: Pick<Ledger, 'db'>) =>
  async (organizationId: number, ownership: Pick<Ownership, 'rules' | 'codeowners'>) => {
    const read = readOwnership(ownership)
    const known = await findKnownOwners(ledger, organizationId, read.lines, ownership.codeowners?.names ?? {})
    return { known, read, problems: [...read.problems, ...unknownOwners(read.lines, known)] }
  }
