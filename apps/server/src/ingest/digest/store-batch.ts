import type { Clock } from '../../lib/clock.ts'
import type { Logger } from '../../lib/logger.ts'
import type { SpoolPosition } from '../road.ts'
import { isDataFault } from './data-fault.ts'
import type { DigestLedger, LedgerPart } from './digest-ledger.ts'
import type { ItemKind, RowToken, Verdict } from './item-kind.ts'
import type { OutcomeStore } from './outcome-store.ts'
import { waitingTypes } from './prepare-batch.ts'
import type { FaultyItem, PreparedBatch } from './prepare-batch.ts'
import type { Quarantine } from './quarantine.ts'
import type { Retry } from './retry.ts'
import { announcementsOf, settleBatch } from './settle-batch.ts'
import type { Announcement, Answers, RefusedRows } from './settle-batch.ts'

/** Where batches are stored, and who is told. */
export interface BatchStores {
  readonly spoolId: string
  readonly ledger: DigestLedger
  /** In the order in which they change the ledger. */
  readonly kinds: readonly ItemKind[]
  readonly outcomes: OutcomeStore
  readonly quarantine: Quarantine
  readonly logger: Logger
  readonly clock: Clock
  /** At the start and after each batch, with its bytes in the spool: the spool may forget what is before. */
  readonly onSettled: (position: SpoolPosition, bytes: number) => void
  readonly onNews: (news: readonly Announcement[]) => void
}

/**
 * Blobs → ledger → telemetry → settled, as `Digest` says. Each step is tried until it succeeds.
 *
 * @param repeated It was under way when the process before this one ended.
 * @throws what the ledger says when it refuses what is in the batch; `DigestStopped`
 */
export const storeBatch = async (
  batch: PreparedBatch,
  number: number,
  stores: BatchStores,
  retry: Retry,
  repeated = false,
): Promise<void> => {
  const { spoolId, ledger, kinds } = stores
  const ready = await retry('store blobs', () => prepareEntries(kinds, batch))
  const ledgerBatch = {
    spool: spoolId,
    number,
    end: batch.end,
    waitingTypes: waitingTypes(kinds),
    parts: kinds.map((kind, index) => ledgerPart(kind, batch.entries[index] ?? [], ready[index] ?? [])),
  }
  const verdicts = await retry('write to the ledger', () => ledger.apply(ledgerBatch), isDataFault)
  const answers: Answers = { ready, verdicts }
  let again = repeated
  const refused = await retry('write to telemetry', () => {
    const writing = writeRows(batch, answers, stores, { token: `${spoolId}:${number}`, again })
    again = true
    return writing
  })
  await retry('settle in the ledger', () => ledger.settle(spoolId, number))
  const settled = settleBatch(batch, answers, refused)
  await setAside(batch.faulty, 'could not be processed', stores)
  await setAside(settled.faulty, 'is refused by telemetry', stores)
  stores.onSettled(batch.end, batch.bytes)
  const news = announcementsOf(kinds, settled, stores.clock.now())
  if (news.length > 0) stores.onNews(news)
}

const prepareEntries = (
  kinds: readonly ItemKind[],
  { entries }: PreparedBatch,
): Promise<readonly (readonly unknown[])[]> =>
  Promise.all(
    kinds.map(async (kind, index) => {
      const own = entries[index] ?? []
      return own.length === 0 ? [] : ((await kind.prepare?.(own)) ?? [])
    }),
  )

/** What a kind changes in the ledger; a kind that changes nothing has all of its entries stored. */
const ledgerPart =
  (kind: ItemKind, entries: PreparedBatch['entries'][number], ready: readonly unknown[]): LedgerPart =>
  async (work) => {
    if (entries.length === 0) return []
    const verdicts = (await kind.apply?.(work, entries, ready)) ?? entries.map(() => STORED)
    if (verdicts.length !== entries.length) {
      throw new Error(`The ledger answered for ${verdicts.length} ${kind.name}, but was given ${entries.length}.`)
    }
    return verdicts
  }

const STORED: Verdict = { isStored: true, stored: undefined }

/** The rows of all kinds side by side, and how the items ended when it is known what telemetry refused. */
const writeRows = async (
  batch: PreparedBatch,
  answers: Answers,
  { kinds, outcomes }: BatchStores,
  to: RowToken,
): Promise<RefusedRows> => {
  const { stored, outcomes: ends } = settleBatch(batch, answers, [])
  const written = await Promise.allSettled(
    kinds.map(async (kind, index) => {
      const rows = stored[index] ?? []
      return rows.length === 0 ? NONE : ((await kind.write?.(rows, to)) ?? NONE)
    }),
  )
  // All have ended before any is tried again.
  const refused = written.map((result) => {
    if (result.status === 'rejected') throw result.reason
    return result.value
  })
  const isWhole = refused.every(({ size }) => size === 0)
  const rows = (isWhole ? ends : settleBatch(batch, answers, refused).outcomes).rows()
  // They have no identity by which they could be looked up: see "Exactly once" in ARCHITECTURE.md.
  await outcomes.write(rows, to.token)
  return refused
}

const NONE: ReadonlyMap<number, string> = new Map()

const setAside = async (
  faulty: readonly FaultyItem[],
  what: string,
  { logger, quarantine }: BatchStores,
): Promise<void> => {
  for (const { item, id, error } of faulty) {
    const { type } = item.item.header
    const about = { itemType: type, project: item.sender.projectId, eventId: item.eventId, error }
    logger.error(`digest: an item ${what}. It is in quarantine; please report this`, { id, ...about })
    await quarantine.put(id, about, item.item.payload)
  }
}
