import { setTimeout as delay } from 'node:timers/promises'
import { stackOf } from '../lib/error-text.ts'
import type { Logger } from '../lib/logger.ts'
import { UNREACHABLE } from './check.ts'
import { askedOf } from './ledger/records.ts'
import type { Results } from './ledger/results.ts'
import { createPlaces } from './places.ts'
import { askWithPatience, type Send } from './runner.ts'
import type { Secrets } from './secrets.ts'
import type { Sickness } from './sick.ts'
import type { Witnesses } from './witnesses.ts'

const SECOND_MS = 1000

type Due = Awaited<ReturnType<Results['take']>>[number]

/**
 * Asks what is due, so many at the same time; what is slow keeps nobody else waiting, and what hangs for one organisation
 * keeps no other one from being asked.
 */
export const createPoll = ({
  logger,
  now,
  open,
  recorded,
  results,
  send,
  sickness,
  witnessesOf,
  // Who ends the server breaks the wait off: it is over then, too.
  pause = (ms, signal) => delay(ms, undefined, { signal }).catch(() => undefined),
  elapsed = () => performance.now(),
}: {
  readonly results: Pick<Results, 'take' | 'nextAt' | 'record' | 'askAgain'>
  readonly send: Send
  readonly open: Secrets['open']
  readonly sickness: Pick<Sickness, 'cutOffUntil' | 'note'>
  readonly witnessesOf: Witnesses
  readonly now: () => number
  readonly logger: Logger
  /** Told of each result. */
  readonly recorded: (organizationId: number, projectId: number, isToTell: boolean) => void
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>
  readonly elapsed?: () => number
}) => {
  const ending = new AbortController()
  const underWay = new Map<number, Promise<void>>()
  const places = createPlaces()
  let nextAt = 0
  // Nobody knows what the clock was before the start.
  let lookedAt = Number.POSITIVE_INFINITY

  const askOne = async (row: Due): Promise<void> => {
    const { interval_seconds: seconds, organization_id: organizationId } = row
    const asked = open(organizationId, askedOf(row))
    const { host } = new URL(asked.url)
    const wasUp = row.status === 'up'
    const witnesses = witnessesOf({ organizationId, host, check: row.id })
    const outcome = await askWithPatience(send, asked, {
      pause: (ms, signal) => places.outside(organizationId, () => pause(ms, signal)),
      signal: ending.signal,
      withinMs: seconds * SECOND_MS,
      elapsed,
      failed: (failure) => {
        if (wasUp && UNREACHABLE.has(failure.kind)) witnesses.call()
      },
    })
    // A server that ends has not asked.
    if (ending.signal.aborted) return
    const { failure } = outcome
    sickness.note({ check: row.id, organizationId, host, wasUp, failure })
    const isAway = failure !== null && UNREACHABLE.has(failure.kind)
    const unknownUntil = isAway ? (sickness.cutOffUntil(row.id) ?? (await witnesses.silentUntil())) : null
    const isToTell = await results.record(row.id, outcome, now(), unknownUntil !== null)
    if (unknownUntil !== null) {
      await results.askAgain(row.id, unknownUntil)
      nextAt = Math.min(nextAt, unknownUntil)
    }
    recorded(row.organization_id, row.project_id, isToTell)
  }

  const begin = (row: Due): void => {
    // There is room: `take` asked for no more than that.
    const done = places
      .take(row.organization_id)
      .then(() => askOne(row))
      .catch((error: unknown) =>
        logger.warn('an address could not be asked', { check: row.guid, error: stackOf(error) }),
      )
      .finally(() => {
        underWay.delete(row.id)
        places.give(row.organization_id)
      })
    underWay.set(row.id, done)
  }

  return {
    // A clock that was set back says nothing of what is due.
    isDue: (): boolean => (now() >= nextAt || now() < lookedAt) && places.free() > 0,
    wake: (): void => {
      nextAt = 0
    },
    run: async (): Promise<void> => {
      const at = now()
      const room = { limit: places.free(), busy: [...underWay.keys()], counts: places.counts() }
      const due = await results.take(at, { ...room, isClockBack: at < lookedAt })
      lookedAt = at
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
