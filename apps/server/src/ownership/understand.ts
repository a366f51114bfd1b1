import type { Ledger } from '../storage/index.ts'
import { findKnownOwners } from './ledger/known-owners.ts'
import type { LineProblem } from './line.ts'
import { readOwnership, type Ownership } from './ledger/ownership-store.ts'
import { unknownOwners } from './ownership-json.ts'

export type Understand = ReturnType<typeof createUnderstand>

/** What is written, what it comes to, and whom the organisation knows of those that are named. */
export const createUnderstand =
  (ledger: Pick<Ledger, 'db'>) =>
  async (organizationId: number, ownership: Pick<Ownership, 'rules' | 'codeowners'>) => {
    const read = readOwnership(ownership)
    const known = await findKnownOwners(ledger, organizationId, read.lines, ownership.codeowners?.names ?? {})
    return { known, read, problems: inOrder([...read.problems, ...unknownOwners(read.lines, known)]) }
  }

/** As one reads them: the rules first, then the file, each from the top. */
const inOrder = (problems: readonly LineProblem[]): readonly LineProblem[] =>
  problems.toSorted(
    (a, b) => Number(a.source === 'codeowners') - Number(b.source === 'codeowners') || a.number - b.number,
  )
