import type { Clock } from '../../lib/clock.ts'
import type { Logger } from '../../lib/logger.ts'
import type { ErasedPerson, PersonalData } from '../../storage/index.ts'
import type { ErasedCount, Erasure, Erasures } from '../ledger/erasures.ts'
import { LIMITS } from '../limits.ts'
import { failureWords } from './failure-words.ts'
import { chosenNames } from './names.ts'

export interface ErasingParts {
  readonly erasures: Pick<Erasures, 'begin' | 'done' | 'due' | 'note' | 'tried'>
  readonly personal: () => readonly PersonalData[]
  /** Everything that was received before can be read; null while that is not known. */
  readonly settledUntil: () => number | null
  /** Waits for those who have read of the person, and have not written down yet what follows from it. */
  readonly readersDone: () => Promise<void>
  /** What was received goes as it came, too. */
  readonly letGoReceived: () => Promise<void>
  readonly clock: Clock
  readonly logger: Logger
  /** The server ends: the next process goes on. */
  readonly ending: AbortSignal
  /** Told of each organisation in which something was erased. */
  readonly changed: (organizationId: number) => void
}

const countOf = (counts: readonly ErasedCount[], what: string): ErasedCount =>
  counts.find((one) => one.what === what) ?? { what, erased: 0, left: 0 }

/**
 * Erases all that is kept of the people for whom that is due, once all is stored that was received before it was asked for:
 * nothing of theirs comes while it looks. Everything is gone through again until a round finds nothing. All that it knows
 * stands in the ledger, so whoever is interrupted goes on.
 */
export const createEraseJob = (parts: ErasingParts): { readonly run: () => Promise<void> } => {
  const { changed, clock, ending, erasures, letGoReceived, logger, personal, readersDone, settledUntil } = parts

  /** @returns whether there was anything */
  const eraseOne = async (erasure: Erasure, person: ErasedPerson, at: { what: string }): Promise<boolean> => {
    let { counts } = erasure
    let isAny = false
    await readersDone()
    for (const { what, count, erase } of personal()) {
      ending.throwIfAborted()
      at.what = what
      const found = await count(person, LIMITS.ERASURE_COUNT_SECONDS)
      const { erased, left } = countOf(counts, what)
      // Whoever was interrupted may have left what hangs on the rows that are counted.
      if (found === 0 && left === 0) continue
      isAny = true
      const others = counts.filter((one) => one.what !== what)
      const total = erased + Math.max(0, found - left)
      await erasures.note(erasure.id, [...others, { what, erased: total, left: found }])
      await erase(person, ending)
      counts = [...others, { what, erased: total, left: 0 }]
      await erasures.note(erasure.id, counts)
    }
    return isAny
  }

  /** @param at is told of what it erases */
  const step = async (erasure: Erasure, at: { what: string }): Promise<void> => {
    const { id, organizationId, askedAt } = erasure
    const settled = settledUntil()
    if (settled === null || settled < askedAt) return
    if (!(await erasures.begin(id))) return
    const person = { organizationId, ...chosenNames(erasure.names), receivedUntil: askedAt }
    if (await eraseOne(erasure, person, at)) {
      changed(organizationId)
      return
    }
    await letGoReceived()
    await erasures.done(id, clock.now())
    logger.info('a person was erased', { erasure: id, organization: organizationId, userId: erasure.userId })
    changed(organizationId)
  }

  const noteFailure = async ({ failure, id, organizationId }: Erasure, error: string): Promise<void> => {
    const attempts = (failure?.attempts ?? 0) + 1
    const waitMs = Math.min(LIMITS.ERASURE_RETRY_MAX_MS, LIMITS.ERASURE_RETRY_MS * 2 ** Math.min(attempts - 1, 20))
    await erasures.tried(id, { attempts, error, retryAt: clock.now() + waitMs })
    changed(organizationId)
  }

  return {
    run: async () => {
      let failed: unknown
      for (const erasure of await erasures.due(clock.now())) {
        if (ending.aborted) return
        const at = { what: 'what was received' }
        try {
          await step(erasure, at)
          if (erasure.failure !== null) await erasures.tried(erasure.id, null)
        } catch (error) {
          if (ending.aborted) return
          // The others do not wait for one that fails; it comes again.
          failed ??= error
          await noteFailure(erasure, failureWords(at.what, error))
        }
      }
      if (failed !== undefined) throw failed
    },
  }
}
