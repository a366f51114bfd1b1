import { type LiveFact, liveFact } from '@firsthand/contract'
import { useLiveMessages } from '../../../lib/live.ts'

/** The server's live message about issues: which of a project have changed, and which of them are new. */
export const ISSUES_MESSAGE = 'issues'

/** Under a storm of events, lists and counts of issues are refreshed this often at most. Milliseconds. */
export const LIVE_INTERVAL_MS = 2000

/** Counts of views follow the first change at once, and while it goes on they are refreshed this often. Milliseconds. */
export const VIEW_COUNTS_INTERVAL_MS = 30_000

export function readLiveFact(data: unknown): LiveFact | null {
  return liveFact.safeParse(data).data ?? null
}

/** Calls back for every change of issues while the component is mounted. */
export function useLiveFacts(onFact: (fact: LiveFact) => void): void {
  useLiveMessages(ISSUES_MESSAGE, (data) => {
    const fact = readLiveFact(data)
    if (fact !== null) onFact(fact)
  })
}
