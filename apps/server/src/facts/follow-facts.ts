import type { Live } from '../http/index.ts'
import type { Job } from '../jobs.ts'
import type { Clock } from '../lib/clock.ts'
import { stackOf } from '../lib/error-text.ts'
import type { Logger } from '../lib/logger.ts'
import { createOccasion } from '../lib/occasion.ts'
import type { Ledger, LedgerTransaction } from '../storage/index.ts'
import { quietMsOf } from '../storage/ledger/quiet.ts'
import type { StoredFact } from './fact.ts'
import { factsAfter } from './ledger/read-facts.ts'
import { createFactReader } from './ledger/fact-reader.ts'
import { LIMITS } from './limits.ts'

export interface FollowFacts<Prepared> {
  readonly ledger: Ledger
  readonly live: Pick<Live, 'hear'>
  readonly clock: Clock
  readonly logger: Logger
  /** Of the follower, for ever: its position is known by it. */
  readonly name: string
  /** How many facts it takes in one transaction. */
  readonly batch: number
  /** Reads what `take` has to know, outside of its transaction. While it fails, nothing is taken. */
  readonly prepare?: (facts: readonly StoredFact[]) => Promise<Prepared>
  /**
   * Does what follows from facts, in the transaction that moves the position: each fact comes once, in the order in which
   * facts became true, and what is done for it is done once. It has no effects beside the ledger.
   */
  readonly take: (
    transaction: LedgerTransaction,
    facts: readonly StoredFact[],
    prepared: Prepared | undefined,
  ) => Promise<void>
}

/**
 * A job that takes facts one after the other, from its own position. A new follower begins with what is noted from now on.
 * It is woken by all that open pages are told of, and looks by itself now and then, as another server may have written.
 */
export const followFacts = <Prepared = undefined>(parts: FollowFacts<Prepared>): Job => {
  const { batch, clock, ledger, logger, live, name, prepare, take } = parts
  const occasion = createOccasion({ clock, quietMs: Math.max(quietMsOf(ledger), LIMITS.FACT_QUIET_MS) })
  live.hear(() => occasion.wake())
  const reader = createFactReader({ ledger, name, beginsAt: clock.now() })
  const failures = createFailures()
  let size = batch

  /** @returns false when there is nothing more */
  const step = async (): Promise<boolean> => {
    const position = await reader.position()
    const facts = await factsAfter(ledger.db, position, size)
    const last = facts.at(-1)
    if (last === undefined) return false
    const prepared = await prepare?.(facts)
    try {
      await reader.move(position, last.id, clock.now(), (transaction) => take(transaction, facts, prepared))
    } catch (error) {
      if (facts.length > 1) {
        // One of them is the reason: the others shall not wait for it.
        size = Math.ceil(facts.length / 2)
        return true
      }
      if (failures.add(last.id) < LIMITS.FACT_ATTEMPTS) throw error
      logger.error('a fact was left out: nothing came of it, however often it was tried', {
        reader: name,
        fact: last.id,
        kind: last.kind,
        error: stackOf(error),
      })
      await reader.move(position, last.id, clock.now(), async () => {})
    }
    size = Math.min(batch, size * 2)
    return true
  }

  return {
    name: `facts for ${name}`,
    everyMs: LIMITS.FACT_INTERVAL_MS,
    isDue: () => occasion.isDue() && failures.mayTry(),
    run: () =>
      occasion.take(async () => {
        try {
          while (await step());
          failures.end()
        } catch (error) {
          failures.wait()
          throw error
        }
        return Infinity
      }),
  }
}

/** How often one fact failed, and when it may be tried again. */
const createFailures = () => {
  let waitMs = 0
  let retryAt = 0
  let failed = { id: 0, times: 0 }
  return {
    add: (id: number): number => {
      failed = { id, times: failed.id === id ? failed.times + 1 : 1 }
      return failed.times
    },
    wait: (): void => {
      waitMs = Math.min(LIMITS.FACT_RETRY_MAXIMUM_MS, Math.max(LIMITS.FACT_RETRY_MS, waitMs * 2))
      retryAt = performance.now() + waitMs
    },
    end: (): void => {
      waitMs = 0
    },
    mayTry: (): boolean => waitMs === 0 || performance.now() >= retryAt,
  }
}
