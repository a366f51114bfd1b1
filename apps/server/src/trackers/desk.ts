import { setTimeout as pass } from 'node:timers/promises'
import { retryAt } from '../channels/index.ts'
import type { Clock } from '../lib/clock.ts'
import { stackOf } from '../lib/error-text.ts'
import type { Logger } from '../lib/logger.ts'
import type { Occasion } from '../lib/occasion.ts'
import type { Outgoing } from '../lib/outgoing.ts'
import type { LedgerTransaction } from '../storage/index.ts'
import { callTracker } from './ask-tracker.ts'
import { TicketMoved, TrackerFailure } from './kinds/failure.ts'
import type { AnyTrackerKind } from './kinds/index.ts'
import type { Ask, RemoteTicket, Target, TicketState } from './kinds/kind.ts'
import type { Busy, TakenTicket, TicketQueue } from './ledger/ticket-queue.ts'
import type { Trackers } from './ledger/trackers.ts'
import { LIMITS } from './limits.ts'
import { TrackerRests } from './rest.ts'
import type { Draft } from './writing/draft.ts'

interface DeskParts {
  readonly queue: TicketQueue
  readonly trackers: Pick<Trackers, 'find' | 'noteReach' | 'leaveAlone' | 'noteAnswer'>
  readonly outgoing: Pick<Outgoing, 'send'>
  readonly clock: Clock
  readonly logger: Logger
  readonly occasion: Occasion
  /** Changes the issue or report of a ticket that somebody closed or opened there. */
  readonly follow: (
    transaction: LedgerTransaction,
    taken: TakenTicket,
    state: TicketState,
    now: number,
  ) => Promise<void>
  /** Told of each ticket that was looked at, for open pages. */
  readonly looked: (taken: TakenTicket) => void
  /** The server ends: nothing more is begun. */
  readonly ending: AbortSignal
}

/** Clocks of two machines differ. */
const APART_MS = 10 * 60_000

/** Its link back is no other ticket's, and says nothing to a browser. */
const marked = ({ link, ...draft }: Draft, marker: string): Draft => ({
  ...draft,
  link: { ...link, url: `${link.url}#ticket-${marker}` },
})

/** Does what is to be done with a ticket. @returns how the tracker has it now; null when it has it no more */
const attend = async (
  { kind, target, ask }: { readonly kind: AnyTrackerKind; readonly target: Target; readonly ask: Ask },
  taken: TakenTicket,
  now: number,
): Promise<RemoteTicket | null> => {
  const { draft, firstTriedAt, marker, remoteId, wanted } = taken
  if (draft !== null) {
    // Whoever tried before may have made it, and died before they could note it.
    const made =
      firstTriedAt === null ? null : await kind.find(target, ask, { marker, since: firstTriedAt - APART_MS, now })
    return made ?? kind.create(target, ask, marked(draft, marker), marker)
  }
  // Messages come late and in any order: how it stands is asked.
  const remote = await kind.read(target, ask, remoteId)
  if (remote === null) {
    // A token that sees nothing any more is told the same: it is gone only where the place that it was in is seen.
    await kind.test(target, ask)
    return null
  }
  if (wanted === null || remote.state === wanted) return remote
  await kind.setState(target, ask, remoteId, wanted)
  return { ...remote, state: wanted }
}

/** Waits for the first of them, and not longer than so long. */
const firstOf = async (all: readonly Promise<void>[], ms: number): Promise<void> => {
  const over = new AbortController()
  // It fails only because it is broken off below, when nobody waits for it any more.
  const passed = pass(ms, undefined, { signal: over.signal }).catch(() => {})
  await Promise.race([...all, passed])
  over.abort()
}

/**
 * Carries out what tickets wait for: being made, being told our state, being asked for theirs. Each is taken by a lease that is
 * committed before anything is called.
 */
export const createDesk = (parts: DeskParts) => {
  const { queue, trackers, outgoing, clock, logger, occasion, follow, looked, ending } = parts
  const underWay = new Map<Promise<void>, TakenTicket>()

  /** One tracker that hangs, or an organisation with many, holds up nobody else. */
  const busy = (): Busy => {
    const taken = [...underWay.values()]
    const ofOrganization = new Map<number, number>()
    for (const { organizationId } of taken) {
      ofOrganization.set(organizationId, (ofOrganization.get(organizationId) ?? 0) + 1)
    }
    return {
      trackerIds: taken.map(({ trackerId }) => trackerId),
      organizationIds: [...ofOrganization].flatMap(([id, count]) =>
        count < LIMITS.TICKETS_OF_ORGANIZATION_AT_ONCE ? [] : [id],
      ),
    }
  }

  const lookAt = async (taken: TakenTicket): Promise<void> => {
    const tracker = await trackers.find(taken.organizationId, taken.trackerId)
    // It was deleted since: its tickets wait for it.
    if (tracker === null) return queue.fail(taken, 'The tracker was disconnected.', null, clock.now())
    try {
      const remote = await callTracker({ outgoing, now: clock.now, trackers }, tracker, (kind, target, ask) =>
        attend({ kind, target, ask }, taken, clock.now()),
      )
      const now = clock.now()
      await queue.finish(taken, { remote }, now, (transaction, state) => follow(transaction, taken, state, now))
      await trackers.noteReach(tracker.id, null)
    } catch (error) {
      if (!(error instanceof TrackerFailure)) throw error
      const now = clock.now()
      // Somebody else heard of it since this one was taken.
      if (error instanceof TrackerRests) return queue.fail(taken, error.message, error.until, now)
      if (error instanceof TicketMoved) {
        await queue.fail(taken, error.message, null, now)
        return trackers.noteReach(tracker.id, null)
      }
      // Somebody has to read what is wrong with a new one; a state is told sooner or later.
      const isOver = error.isFinal && taken.draft !== null
      const again = isOver ? null : retryAt(now, taken.attempt, { way: 'call', retryAfterMs: error.afterMs })
      await queue.fail(taken, error.message, again, now)
      await trackers.noteReach(tracker.id, error.message)
      logger.warn('an issue tracker did not do what it was asked', { tracker: tracker.id, error: error.message })
    }
  }

  const begin = (taken: TakenTicket): void => {
    const done: Promise<void> = lookAt(taken)
      .catch((error: unknown) => {
        // A mistake of ours: the lease ends, and it is tried again then.
        logger.error('a ticket could not be looked at', { ticket: taken.id, error: stackOf(error) })
      })
      .finally(() => {
        underWay.delete(done)
        looked(taken)
      })
    underWay.set(done, taken)
  }

  return {
    /** Ends when nothing is due and nothing on its way. */
    run: (): Promise<void> =>
      occasion.take(async (now) => {
        for (;;) {
          while (!ending.aborted && underWay.size < LIMITS.TICKETS_AT_ONCE) {
            const taken = await queue.take(clock.now(), busy())
            if (taken === null) break
            begin(taken)
          }
          if (underWay.size === 0) break
          await firstOf([...underWay.keys()], LIMITS.TICKET_INTERVAL_MS)
        }
        return (await queue.nextDueAt(clock.now())) ?? now + LIMITS.TICKET_QUIET_MS
      }),
  }
}
