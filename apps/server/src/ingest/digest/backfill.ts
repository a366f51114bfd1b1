import { stackOf } from '../../lib/error-text.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Logger } from '../../lib/logger.ts'
import { LIMITS } from '../limits.ts'
import type { OutcomeRow, SpoolPosition } from '../road.ts'
import type { SpoolReader } from '../spool/spool-reader.ts'
import type { BackfillProgress } from './backfill-board.ts'
import { createDigest } from './digest.ts'
import type { DigestDependencies } from './digest.ts'
import { DigestStopped, createRetry, pause } from './retry.ts'

/**
 * Items that were accepted and kept before anything could be made of them, and can be digested now. They go down the same
 * road as if they came from a spool of their own, and so exactly once, however often the process dies meanwhile.
 */
export interface Backfill {
  readonly organizationId: number
  readonly projectId: number
  /** Of one envelope; the one that leads the others first. */
  readonly itemTypes: readonly string[]
  /** The same at each start: the digest's progress is noted under it. */
  readonly spoolId: string
  /** How many items there were when it was made. */
  readonly items: number
  /** Finite. */
  readonly reader: SpoolReader
  /** How many of them lie before a position; all of them when it lies within the last millisecond. */
  readonly itemsBefore: (position: SpoolPosition) => Promise<number>
}

type Parts = Pick<
  DigestDependencies,
  'ledger' | 'kinds' | 'projects' | 'quarantine' | 'underWay' | 'followsDeath' | 'onNews'
> & {
  readonly logger: Logger
  readonly clock: Clock
  /** Before it resolves, a batch that was under way may still add to them. */
  readonly begun: Promise<void>
  /** What arrives is waiting to be digested. */
  readonly isBehind: () => boolean
  /** Told once, before the first begins: all that have something to do. */
  readonly onFound: (waiting: readonly BackfillProgress[]) => void
  readonly onProgress: (progress: BackfillProgress) => void
}

/** One after the other, beside the digest of what arrives. One that fails is tried again at the next start. */
export const runBackfills = async (
  find: () => Promise<readonly Backfill[]>,
  parts: Parts,
  signal: AbortSignal,
): Promise<void> => {
  const { logger, clock, ledger } = parts
  const retry = createRetry({ logger, clock, signal, onState: () => undefined })
  const survey = async (): Promise<readonly Found[]> => {
    const all: Found[] = []
    for (const backfill of await find()) {
      const { position } = await ledger.progress(backfill.spoolId)
      all.push({ backfill, ended: await backfill.itemsBefore(position) })
    }
    return all
  }
  try {
    await parts.begun
    const found = await retry('look for items that were kept before', survey)
    const waiting = found.filter(({ backfill, ended }) => ended < backfill.items)
    parts.onFound(waiting.map((one) => progressOf(one, 'queued', clock.now())))
    // Those that seem finished are read from their end as well: that they are is only known when nothing follows.
    for (const one of found) {
      if (signal.aborted) return
      await runBackfill(one, parts, signal)
    }
  } catch (error) {
    if (!(error instanceof DigestStopped)) throw error
  }
}

interface Found {
  readonly backfill: Backfill
  /** How many of its items ended before this start. */
  readonly ended: number
}

const progressOf = (
  { backfill: { spoolId, organizationId, projectId, itemTypes, items }, ended }: Found,
  state: BackfillProgress['state'],
  since: number,
): BackfillProgress => ({ id: spoolId, organizationId, projectId, itemTypes, items, ended, state, since })

/** What arrives comes first; but what was kept shall come to an end, too, however much arrives. */
const giveWay = async (isBehind: () => boolean, signal: AbortSignal): Promise<void> => {
  const until = performance.now() + LIMITS.BACKFILL_GIVE_WAY_MS
  while (isBehind() && performance.now() < until && !signal.aborted) await pause(LIMITS.BACKFILL_LOOK_MS, signal)
}

const runBackfill = async (found: Found, parts: Parts, signal: AbortSignal): Promise<void> => {
  const { items, itemTypes, itemsBefore, projectId, reader, spoolId } = found.backfill
  const { logger, clock, onProgress } = parts
  const name = `${itemTypes.join(' and ')} of project ${projectId}`
  const before = found.ended
  let ended = before
  let hasMore = false
  let toldAt: number | null = null
  let state: BackfillProgress['state'] = 'queued'
  let since = clock.now()
  /** One that ended at an earlier start is not told again. */
  const isOpen = (): boolean => before < items || hasMore
  const tell = (next: BackfillProgress['state']): void => {
    if (!isOpen()) return
    if (next !== state) since = clock.now()
    state = next
    onProgress(progressOf({ ...found, ended }, state, since))
  }
  const others = new Map<string, number>()
  /** How they ended was counted when they were accepted; here it is only told. */
  const outcomes = {
    write: async (rows: readonly OutcomeRow[]): Promise<void> => {
      for (const { outcome, reason, quantity } of rows) {
        if (outcome !== 'accepted') others.set(reason, (others.get(reason) ?? 0) + quantity)
      }
    },
  }
  /** Where it is, when that has not been counted yet: a count that takes long leaves positions out. */
  let uncounted: SpoolPosition | null = null
  let counted: Promise<void> = Promise.resolve()
  const countAll = async (): Promise<void> => {
    while (uncounted !== null) {
      const position = uncounted
      uncounted = null
      ended = await itemsBefore(position)
      tell('running')
      if (toldAt !== null && clock.now() - toldAt < LIMITS.BACKFILL_LOG_MS) continue
      toldAt = clock.now()
      logger.info('digest: items that were kept before are digested now', { name, ended, items })
    }
  }
  const count = (position: SpoolPosition): void => {
    hasMore = true
    uncounted = position
    // A number that is missing now is there with the next batch.
    counted = counted.then(countAll).catch(() => undefined)
  }
  const digest = createDigest({
    ...parts,
    spoolId,
    reader: {
      ...reader,
      read: async (from, limits) => (await giveWay(parts.isBehind, signal), reader.read(from, limits)),
    },
    outcomes,
    onSettled: (position, bytes) => {
      if (bytes > 0) count(position)
    },
    onState: (next) => {
      if (next.status === 'retrying' && state !== 'waiting') {
        logger.warn('digest: items that were kept before have to wait', { name, reason: next.detail })
        tell('waiting')
      }
      if (next.status === 'running') tell('running')
    },
  })
  try {
    await digest.run(signal)
  } catch (error) {
    await counted
    tell('failed')
    logger.error('digest: items that were kept before could not be digested; the next start goes on with them', {
      name,
      error: stackOf(error),
    })
    return
  }
  await counted
  if (signal.aborted || !isOpen()) return
  ended = items
  tell('done')
  logger.info('digest: all items that were kept before are digested', {
    name,
    ended,
    notStored: [...others].map(([reason, count]) => `${reason}: ${count}`).join(', '),
  })
}
