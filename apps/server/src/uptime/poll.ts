import { setTimeout as delay } from 'node:timers/promises'
import { stackOf } from '../lib/error-text.ts'
import type { Logger } from '../lib/logger.ts'
import { askedOf } from './ledger/records.ts'
import type { Results } from './ledger/results.ts'
import { LIMITS } from './limits.ts'
import { askWithPatience, type Send } from './runner.ts'
import type { Sickness } from './sick.ts'

type Due = Awaited<ReturnType<Results['take']>>[number]

/** Asks what is due, so many at the same time; what is slow keeps nobody else waiting. */
export const createPoll = ({
  logger,
  now,
  recorded,
  results,
  send,
  sickness,
  // Who ends the server breaks the wait off: it is over then, too.
  pause = (ms, signal) => delay(ms, undefined, { signal }).catch(() => undefined),
}: {
  readonly results: Pick<Results, 'take' | 'nextAt' | 'record'>
  readonly send: Send
  readonly sickness: Sickness
  readonly now: () => number
  readonly logger: Logger
  /** Told of each result. */
  readonly recorded: (organizationId: number, projectId: number, isToTell: boolean) => void
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>
}) => {
  const ending = new AbortController()
  const underWay = new Map<number, Promise<void>>()
  let nextAt = 0

  const askOne = async (row: Due): Promise<void> => {
    const asked = askedOf(row)
    const outcome = await askWithPatience(send, asked, { pause, signal: ending.signal })
    // A server that ends has not asked.
    if (ending.signal.aborted) return
    sickness.note(new URL(asked.url).host, outcome.failure)
    const isToTell = await results.record(row.id, outcome, now(), sickness.isSick())
    recorded(row.organization_id, row.project_id, isToTell)
  }

  const begin = (row: Due): void => {
    const done = askOne(row)
      .catch((error: unknown) =>
        logger.warn('an address could not be asked', { check: row.guid, error: stackOf(error) }),
      )
      .finally(() => underWay.delete(row.id))
    underWay.set(row.id, done)
  }

  return {
    isDue: (): boolean => now() >= nextAt && underWay.size < LIMITS.UPTIME_AT_ONCE,
    wake: (): void => {
      nextAt = 0
    },
    run: async (): Promise<void> => {
      const due = await results.take(now(), LIMITS.UPTIME_AT_ONCE - underWay.size, [...underWay.keys()])
      for (const row of due) begin(row)
      const next = await results.nextAt()
      nextAt = next ?? Number.POSITIVE_INFINITY
    },
    /** Resolves when all that is under way is over. */
    settled: async (): Promise<void> => {
      await Promise.all(underWay.values())
    },
    end: (): void => ending.abort(),
  }
}
