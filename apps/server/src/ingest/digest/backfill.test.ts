import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createLogger } from '../../lib/logger.ts'
import { LIMITS } from '../limits.ts'
import type { SpoolReader } from '../spool/spool-reader.ts'
import { createBackfillBoard } from './backfill-board.ts'
import type { BackfillProgress } from './backfill-board.ts'
import { runBackfills } from './backfill.ts'
import type { Backfill } from './backfill.ts'

const NOW = 1_795_000_000_000
const logger = createLogger(
  'error',
  () => undefined,
  () => NOW,
)

const nothingMore: SpoolReader = {
  isFinite: true,
  end: () => ({ segment: 0, offset: 0 }),
  read: async (from) => ({ records: [], end: from }),
  readUntil: async (_from, end) => ({ records: [], end }),
  changed: async () => undefined,
  close: async () => undefined,
}

const backfill = (itemType: string, fields: Partial<Backfill> = {}): Backfill => ({
  organizationId: 1,
  projectId: 7,
  itemTypes: [itemType],
  spoolId: `kept:7:${itemType}`,
  items: 40,
  reader: nothingMore,
  itemsBefore: async () => 12,
  ...fields,
})

/** Every state of every backfill, as it was told. */
const run = async (backfills: readonly Backfill[]): Promise<readonly string[]> => {
  const told: string[] = []
  const note = ({ itemTypes, state, ended, items }: BackfillProgress): number =>
    told.push(`${itemTypes.join()} ${state} ${ended}/${items}`)
  await runBackfills(
    async () => backfills,
    {
      ledger: {
        // As one that another thread writes to at the moment.
        apply: async () => {
          await setImmediate()
          return []
        },
        settle: async () => undefined,
        progress: async () => ({ batch: 0, position: { segment: 0, offset: 0 }, pending: null, waitingTypes: null }),
      },
      kinds: [],
      begun: Promise.resolve(),
      isBehind: () => false,
      projects: { byProjectId: async () => null },
      quarantine: { put: async () => undefined },
      underWay: { get: () => null, set: () => undefined },
      followsDeath: false,
      onNews: () => undefined,
      onFound: (waiting) => {
        for (const one of waiting) note(one)
      },
      onProgress: note,
      logger,
      clock: { now: () => NOW },
    },
    new AbortController().signal,
  )
  return told
}

describe('items that were kept before', () => {
  it('are told of: those that wait, the one under way, the end; what ended at an earlier start is not', async () => {
    const told = await run([
      backfill('log'),
      backfill('span', { itemsBefore: async () => 40 }),
      backfill('profile', { itemsBefore: async () => 0 }),
    ])
    expect(told).toEqual([
      'log queued 12/40',
      'profile queued 0/40',
      'log running 12/40',
      'log done 40/40',
      'profile running 0/40',
      'profile done 40/40',
    ])
  })

  it('come to an end also while the ledger waits for its turn to note that nothing follows', async () => {
    const end = { segment: 1, offset: 0 }
    const reader = { ...nothingMore, end: () => end, read: async () => ({ records: [], end }) }
    expect(await run([backfill('log', { reader })])).toEqual([
      'log queued 12/40',
      'log running 12/40',
      'log done 40/40',
    ])
  })

  it('do not hold up the others when one of them fails', async () => {
    const broken = (): never => {
      throw new Error('a fault of ours')
    }
    const told = await run([backfill('log', { reader: { ...nothingMore, end: broken } }), backfill('profile')])
    expect(told.slice(2)).toEqual([
      'log running 12/40',
      'log failed 12/40',
      'profile running 12/40',
      'profile done 40/40',
    ])
  })
})

describe('what is shown of them', () => {
  const progress = (itemType: string, state: BackfillProgress['state'], organizationId = 1): BackfillProgress => ({
    id: `kept:7:${itemType}`,
    organizationId,
    projectId: 7,
    itemTypes: [itemType],
    items: 40,
    ended: 12,
    state,
    since: NOW,
  })

  it('is the last that was told, to the organisation that they belong to, finished ones for a while', () => {
    let now = NOW
    const board = createBackfillBoard({ clock: { now: () => now } })
    board.found([progress('log', 'queued'), progress('span', 'queued', 2)])
    board.note(progress('log', 'done'))
    expect(board.of(1)).toEqual([progress('log', 'done')])
    expect(board.of(2)).toEqual([progress('span', 'queued', 2)])
    now += LIMITS.BACKFILL_DONE_SHOWN_MS
    expect(board.of(1)).toEqual([])
    expect(board.of(2)).toHaveLength(1)
  })

  it('ends with a thread that died before it could say that one was finished', () => {
    const board = createBackfillBoard({ clock: { now: () => NOW } })
    board.found([progress('log', 'queued'), progress('span', 'queued')])
    board.note(progress('log', 'running'))
    board.found([progress('span', 'queued')])
    expect(board.of(1).map(({ itemTypes, state, ended }) => `${itemTypes.join()} ${state} ${ended}`)).toEqual([
      'log done 40',
      'span queued 12',
    ])
  })
})
