import { setTimeout as pass } from 'node:timers/promises'
import type { Clock } from '../lib/clock.ts'
import { stackOf } from '../lib/error-text.ts'
import type { Logger } from '../lib/logger.ts'
import type { Occasion } from '../lib/occasion.ts'
import { createHosts, MAIL_HOST, type Hosts } from './hosts.ts'
import type { OutboxQueue, TakenMessage, TryOutcome, TryRecord } from './ledger/outbox-queue.ts'
import type { OutboxTable } from './ledger/schema.ts'
import { LIMITS } from './limits.ts'
import { retryAt } from './retry.ts'
import { createUnderWay, type UnderWay } from './under-way.ts'
import { errorOf, type Ready, type Tried, type Way } from './ways.ts'

interface SenderParts {
  readonly queue: OutboxQueue
  readonly ways: Readonly<Record<OutboxTable['way'], Way>>
  readonly clock: Clock
  readonly logger: Logger
  readonly occasion: Occasion
  /** Told of what failed for good, once that is noted: a channel that is gone, or that nothing reaches, is switched off. */
  readonly failed: (taken: TakenMessage, verdict: Exclude<Tried['verdict'], { readonly kind: 'sent' }>) => Promise<void>
  /** Told of each message that was sent or failed, for open pages. */
  readonly changed: (organizationId: number) => void
  /** The server ends: nothing more is begun, and what is on its way is waited for. */
  readonly ending: AbortSignal
}

const recordOf = ({ request, status, answer, remoteAddress, verdict }: Tried, durationMs: number): TryRecord => ({
  durationMs,
  request: JSON.stringify(request),
  status,
  answer,
  remoteAddress,
  error: errorOf(verdict),
})

const untried = (error: string): TryRecord => ({
  durationMs: 0,
  request: '{}',
  status: null,
  answer: null,
  remoteAddress: null,
  error,
})

const outcomeOf = ({ attempt, way }: TakenMessage, { verdict }: Tried, now: number): TryOutcome => {
  if (verdict.kind === 'sent') return verdict
  const at = verdict.kind === 'again' ? retryAt(now, attempt, { way, retryAfterMs: verdict.afterMs }) : null
  return at === null ? { kind: 'failed' } : { kind: 'again', at, forgetsThread: 'forgetsThread' in verdict }
}

/** Whether whoever was called is away. A receiver of mail that takes none has the mail server say so. */
const isAway = ({ verdict, status, refused }: Tried): boolean =>
  verdict.kind === 'again' && refused === undefined && (status === null || status >= 500)

/** Notes what came of a try, and what follows from it for others. */
const createSettling = (
  { queue, clock, logger, failed, changed }: SenderParts,
  hosts: Hosts,
  underWay: Pick<UnderWay, 'pause'>,
) => {
  return async (taken: TakenMessage, { host, spacingMs, noted }: Ready, tried: Tried, ms: number): Promise<void> => {
    const now = clock.now()
    const { verdict } = tried
    if (spacingMs > 0) underWay.pause(taken.lane, now + spacingMs)
    const restsUntil = isAway(tried) ? hosts.failed(host, now) : 0
    const isBack = !isAway(tried) && hosts.answered(host)
    const outcome = outcomeOf(taken, tried, now)
    await queue.finish(taken, outcome, recordOf(tried, ms), now)
    if (restsUntil > 0 && host !== MAIL_HOST) await queue.rest(taken.lane, restsUntil)
    // Whoever was away is back: what waited for the next try need not wait longer.
    if (isBack) {
      await queue.hurry(host === MAIL_HOST ? 'way' : 'lane', host === MAIL_HOST ? 'mail' : taken.lane, now)
    }
    // Who asks for time gets it, for all that is meant for them.
    if (verdict.kind === 'again' && verdict.afterMs > 0) {
      await queue.rest(taken.lane, now + Math.min(verdict.afterMs, LIMITS.DELIVERY_RETRY_AFTER_MS))
    }
    await noted?.(tried)
    if (verdict.kind !== 'sent') {
      logger.warn('a message could not be sent', { lane: taken.lane, attempt: taken.attempt, error: verdict.error })
      if (outcome.kind === 'failed') await failed(taken, verdict)
    }
    changed(taken.organizationId)
  }
}

/** A mistake of ours: nobody knows whether it went out, so it is tried again as if it had not. */
const UNKNOWN = 'This server made a mistake while it sent this; its log says which one.'

/**
 * Sends what is in the outbox. A message is taken by a lease that is committed before anything goes out, and its id is the
 * same whenever it is tried; several go at once, one to each receiver, few to one host and few of one organisation, so that
 * one that is slow or away keeps nobody else waiting.
 */
export const createSender = (parts: SenderParts) => {
  const { queue, ways, clock, logger, occasion, ending } = parts
  const hosts = createHosts()
  const underWay = createUnderWay(hosts)

  /** Organisations that have nothing on its way come first. */
  const takeNext = async (now: number): Promise<TakenMessage | null> => {
    const left = underWay.busy(now)
    const having = underWay.organizationsWith(1)
    const next = await queue.take(now, { ...left, organizations: having })
    return next !== null || having.length === left.organizations.length ? next : queue.take(now, left)
  }

  const settle = createSettling(parts, hosts, underWay)

  const sendOne = async (taken: TakenMessage): Promise<void> => {
    const ready = await ways[taken.way](taken)
    if ('refusal' in ready) {
      await queue.finish(taken, { kind: 'failed' }, untried(ready.refusal), clock.now())
      return parts.changed(taken.organizationId)
    }
    const { lane, organizationId, createdAt } = taken
    const { host } = ready
    const now = clock.now()
    underWay.goesTo(host, taken)
    if (!hosts.enter(host, organizationId, now)) {
      const restsUntil = hosts.restsUntil(host)
      await queue.putBack(taken, createdAt)
      if (restsUntil <= now) return
      underWay.pause(lane, Math.min(restsUntil, now + LIMITS.OUTBOX_INTERVAL_MS))
      return queue.rest(lane, restsUntil)
    }
    try {
      const begin = performance.now()
      const tried = await ready.send()
      await settle(taken, ready, tried, Math.round(performance.now() - begin))
    } finally {
      hosts.leave(host, organizationId)
    }
  }

  /** What was noted before stays; where nothing can be noted, the lease ends by itself. */
  const giveBack = async (taken: TakenMessage): Promise<void> => {
    const now = clock.now()
    const at = retryAt(now, taken.attempt, { way: taken.way })
    const outcome: TryOutcome = at === null ? { kind: 'failed' } : { kind: 'again', at, forgetsThread: false }
    await queue.finish(taken, outcome, untried(UNKNOWN), now)
  }

  const begin = (taken: TakenMessage): void => {
    const done = sendOne(taken)
      .catch((error: unknown) => {
        logger.warn('a message could not be tried; it is tried again', { message: taken.id, error: stackOf(error) })
        return giveBack(taken)
      })
      .catch((error: unknown) => {
        logger.warn('what came of a message could not be noted', { message: taken.id, error: stackOf(error) })
      })
    underWay.add(taken, done)
  }

  const takeAll = async (): Promise<void> => {
    while (!ending.aborted && !underWay.isFull()) {
      const taken = await takeNext(clock.now())
      if (taken === null) return
      begin(taken)
    }
  }

  const nextAt = async (now: number): Promise<number> => {
    const left = underWay.busy(now)
    const dueAt = (await queue.nextDueAt(left)) ?? Infinity
    const mailsAt = left.ways.length > 0 ? hosts.restsUntil(MAIL_HOST) : Infinity
    return Math.min(dueAt, mailsAt, underWay.pausesUntil())
  }

  return {
    /** Sends what is due, and what becomes due meanwhile; ends when nothing is on its way. */
    run: (): Promise<void> =>
      occasion.take(async (now) => {
        await takeAll()
        while (underWay.all().length > 0) {
          // What is put into the outbox meanwhile does not wait for the slowest. A wait that is broken off is over, too.
          const waiting = new AbortController()
          const moment = pass(LIMITS.OUTBOX_INTERVAL_MS, undefined, { signal: waiting.signal }).catch(() => undefined)
          await Promise.race([...underWay.all(), moment])
          waiting.abort()
          await takeAll()
        }
        return nextAt(now)
      }),
  }
}
