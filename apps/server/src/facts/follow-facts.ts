import type { Live } from '../http/index.ts'
import type { Job } from '../jobs.ts'
import type { Clock } from '../lib/clock.ts'
import { stackOf } from '../lib/error-text.ts'
import type { Logger } from '../lib/logger.ts'
import { createOccasion } from '../lib/occasion.ts'
import { RecentMap } from '../lib/recent-map.ts'
import { isPassing } from '../lib/store-fault.ts'
import type { Ledger, LedgerTransaction } from '../storage/index.ts'
import { quietMsOf } from '../storage/ledger/quiet.ts'
import type { StoredFact } from './fact.ts'
import { createFactReader, type ReaderPositions } from './ledger/fact-reader.ts'
import { factsBetween, organizationsAfter } from './ledger/read-facts.ts'
import { LIMITS } from './limits.ts'
import { asStep } from './steps-under-way.ts'

export interface FollowFacts<Prepared> {
  readonly ledger: Ledger
  readonly live: Pick<Live, 'hear'>
  readonly clock: Clock
  readonly logger: Logger
  /** Of the follower, for ever: its position is known by it. */
  readonly name: string
  /** How many facts it takes in one transaction, at most. */
  readonly batch: number
  /** Facts wait until all that was received before they were noted can be read; null while that is not known. */
  readonly settledUntil?: () => number | null
  /**
   * Reads what `take` has to know, outside of its transaction. While a store is away, nothing of that organisation is taken.
   * Whoever dies before the position moved does it once more.
   */
  readonly prepare?: (facts: readonly StoredFact[]) => Promise<Prepared>
  /**
   * Does what follows from facts of one organisation, in the transaction that moves the position: each fact comes once, in
   * the order in which facts became true, and what is done for it is done once. It has no effects beside the ledger.
   */
  readonly take: (
    transaction: LedgerTransaction,
    facts: readonly StoredFact[],
    prepared: Prepared | undefined,
  ) => Promise<void>
}

/**
 * A job that takes the facts of each organisation one after the other, and of all of them in turns: what one of them has
 * much of, or what fails over its facts, keeps no other one waiting. A new follower begins with what is noted from now on.
 * It is woken by all that open pages are told of, and looks by itself now and then, as another server may have written.
 */
export const followFacts = <Prepared = undefined>(parts: FollowFacts<Prepared>): Job => {
  const { clock, ledger, live, name, settledUntil } = parts
  const occasion = createOccasion({ clock, quietMs: Math.max(quietMsOf(ledger), LIMITS.FACT_QUIET_MS) })
  const reader = createFactReader({ ledger, name, beginsAt: clock.now() })
  const failures = createFailures()
  const step = createStep(parts, reader, failures)
  live.hear(({ organizationId }) => {
    failures.heard(organizationId)
    occasion.wake()
  })

  /** One step of each organisation that has something. @returns false when there is nothing more that can be taken */
  const turn = async (): Promise<boolean> => {
    const positions = await reader.positions()
    const last = await organizationsAfter(
      ledger.db,
      positions.all,
      settledUntil === undefined ? null : (settledUntil() ?? 0),
    )
    const open = new Set(
      [...last].filter(([id, to]) => to > (positions.ahead.get(id) ?? 0)).map(([organizationId]) => organizationId),
    )
    const head = Math.max(...last.values())
    let isMoved = false
    for (const organizationId of open) {
      if (!failures.mayTry(organizationId)) continue
      // The others may have gone on meanwhile, and with the last of them all are as far.
      const isLast = open.size === 1
      const asked = {
        organizationId,
        positions: isMoved ? await reader.positions() : positions,
        last: last.get(organizationId) ?? 0,
        completes: isLast ? head : null,
      }
      const isDone = await asStep(ledger, () => step(asked))
      isMoved = true
      if (isDone) open.delete(organizationId)
    }
    return isMoved && (open.size === 0 || !failures.areAll(open))
  }

  return {
    name: `facts for ${name}`,
    everyMs: LIMITS.FACT_INTERVAL_MS,
    isDue: () => occasion.isDue() && failures.mayRun(),
    run: () =>
      occasion.take(async (now) => {
        failures.begin()
        while (await turn());
        failures.end()
        return now + failures.restMs()
      }),
  }
}

interface Turn {
  readonly organizationId: number
  readonly positions: ReaderPositions
  /** Number of its last fact. */
  readonly last: number
  readonly completes: number | null
}

/** Takes a few facts of one organisation, fewer where they take long. @returns whether those were all of it */
const createStep = <Prepared>(
  { batch, clock, ledger, logger, name, prepare, take }: FollowFacts<Prepared>,
  reader: ReturnType<typeof createFactReader>,
  failures: Failures,
) => {
  const sizes = new RecentMap<number, number>(ORGANIZATIONS_REMEMBERED)
  const first = Math.min(batch, LIMITS.FACT_TURN_FACTS)

  return async ({ completes, last, organizationId, positions }: Turn): Promise<boolean> => {
    const size = sizes.get(organizationId) ?? first
    const from = Math.max(positions.all, positions.ahead.get(organizationId) ?? 0)
    const facts = await factsBetween(ledger.db, organizationId, { from, until: last }, size)
    const to = facts.at(-1)?.id ?? last
    const isDone = to >= last
    const move = { organizationId, positions, to, completes: isDone ? completes : null }
    const begunAt = performance.now()
    try {
      try {
        const prepared = facts.length === 0 ? undefined : await prepare?.(facts)
        await reader.move(move, clock.now(), async (transaction) => {
          if (facts.length > 0) await take(transaction, facts, prepared)
        })
      } catch (error) {
        // What is away is waited for, however long it takes: no fact is the reason.
        if (isPassing(error)) throw error
        // One of them is the reason: the others shall not wait for it.
        const isOneOfSeveral = facts.length > 1
        if (isOneOfSeveral) sizes.set(organizationId, Math.ceil(facts.length / 2))
        if (isOneOfSeveral) return false
        if (failures.add(organizationId, to) < LIMITS.FACT_ATTEMPTS) throw error
        logger.error('a fact was left out: nothing came of it, however often it was tried', {
          reader: name,
          fact: to,
          kind: facts[0]?.kind,
          error: stackOf(error),
        })
        await reader.move(move, clock.now(), async () => {})
      }
    } catch (error) {
      failures.wait(organizationId, error)
      return false
    }
    failures.over(organizationId)
    const isLong = performance.now() - begunAt > LIMITS.FACT_TURN_MS
    sizes.set(organizationId, isLong ? Math.ceil(size / 2) : Math.min(batch, size * 2))
    return isDone
  }
}

const ORGANIZATIONS_REMEMBERED = 10_000

type Failures = ReturnType<typeof createFailures>

/** Over which organisations one who follows failed, how often over one fact, and when they may be tried again. */
const createFailures = () => {
  const failing = new Map<number, { waitMs: number; retryAt: number; fact: number; times: number }>()
  let first: unknown
  /** Nothing but what fails is left: whoever runs now tries it. */
  let isAlone = false
  const isResting = ({ retryAt }: { readonly retryAt: number }): boolean => performance.now() < retryAt
  const tried = new Set<number>()
  const of = (organizationId: number) => failing.get(organizationId) ?? { waitMs: 0, retryAt: 0, fact: 0, times: 0 }

  return {
    add: (organizationId: number, fact: number): number => {
      const known = of(organizationId)
      const times = known.fact === fact ? known.times + 1 : 1
      failing.set(organizationId, { ...known, fact, times })
      return times
    },
    wait: (organizationId: number, error: unknown): void => {
      const known = of(organizationId)
      const waitMs = Math.min(LIMITS.FACT_RETRY_MAXIMUM_MS, Math.max(LIMITS.FACT_RETRY_MS, known.waitMs * 2))
      failing.set(organizationId, { ...known, waitMs, retryAt: performance.now() + waitMs })
      tried.add(organizationId)
      first ??= error
    },
    over: (organizationId: number): void => {
      failing.delete(organizationId)
    },
    /** Something happened to an organisation, which may be one over which nothing fails. */
    heard: (organizationId: number): void => {
      if (!failing.has(organizationId)) isAlone = false
    },
    mayTry: (organizationId: number): boolean => {
      const known = failing.get(organizationId)
      return !tried.has(organizationId) && (known === undefined || isAlone || !isResting(known))
    },
    mayRun: (): boolean => !isAlone || [...failing.values()].some((one) => !isResting(one)),
    /** Whether over all of these something failed. */
    areAll: (organizationIds: ReadonlySet<number>): boolean => {
      for (const organizationId of organizationIds) if (!tried.has(organizationId)) return false
      return true
    },
    begin: (): void => {
      tried.clear()
      first = undefined
    },
    /** @throws what failed first, so that it is told */
    end: (): void => {
      isAlone = failing.size > 0
      if (first !== undefined) throw first
    },
    /** Until the next one may be tried. */
    restMs: (): number =>
      Math.min(Infinity, ...[...failing.values()].map(({ retryAt }) => Math.max(0, retryAt - performance.now()))),
  }
}
