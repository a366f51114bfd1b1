import { StatementRefusal } from '../../lib/statement-refusal.ts'
import { StoreFault } from '../../lib/store-fault.ts'
import { isTooMuch } from '../../search/index.ts'

/** Why a deletion failed, for whoever asked for it. What else an error says may name the person: it stands in the log alone. */
export const failureWords = (what: string, error: unknown): string => {
  if (error instanceof StoreFault) return error.message
  if (isTooMuch(error) || error instanceof StatementRefusal) {
    return `There is so much of everybody’s that looking for theirs (${what}) took too long. An engine with more memory or fewer other questions gets further.`
  }
  return `Deleting ${what} ended with an error that nobody foresaw. The log of the server says which.`
}
