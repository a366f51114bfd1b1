import type { Outcome } from '../road.ts'
import type { ItemKind, News, StoredEntry, Verdict } from './item-kind.ts'
import type { OutcomeTally } from './outcome-tally.ts'
import { itemOutcome } from './prepare-batch.ts'
import type { FaultyItem, PreparedBatch, PreparedEntry } from './prepare-batch.ts'

/** What a batch changed, as the main thread hears it. */
export interface Announcement extends News {
  /** Name of the kind of items. */
  readonly kind: string
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** What the stores said to a batch. Lists by kind, and in them by entry. */
export interface Answers {
  readonly ready: readonly (readonly unknown[])[]
  readonly verdicts: readonly (readonly Verdict[])[]
}

/** Rows that telemetry refused: for each kind by index among those that were written, with the reason. */
export type RefusedRows = readonly ReadonlyMap<number, string>[]

type Stored = StoredEntry<unknown, unknown, unknown>

/** How the entries of a batch ended. */
export interface SettledBatch {
  /** What telemetry is given, by kind. */
  readonly stored: readonly (readonly Stored[])[]
  readonly outcomes: OutcomeTally
  /** Items whose rows telemetry refused, with its reason. */
  readonly faulty: readonly FaultyItem[]
}

const INTERNAL_ERROR: Outcome = { kind: 'invalid', reason: 'internal_error' }

/** Joins a batch with what the stores said to it: every entry gets its one outcome. */
export const settleBatch = (batch: PreparedBatch, answers: Answers, refused: RefusedRows): SettledBatch => {
  const outcomes = batch.outcomes.copy()
  const faulty: FaultyItem[] = []
  const verdictOf = (entry: PreparedEntry, kind: number, index: number): Verdict => {
    const own = answers.verdicts[kind]?.[index]
    const verdict = entry.leader === null ? own : answers.verdicts[entry.leader.kind]?.[entry.leader.index]
    if (verdict === undefined || own === undefined) {
      throw new Error('The ledger answered for fewer entries than it was given.')
    }
    return verdict.isStored ? own : verdict
  }
  const stored = batch.entries.map((entries, kind) => {
    const rows: Stored[] = []
    entries.forEach((entry, index) => {
      const verdict = verdictOf(entry, kind, index)
      if (!verdict.isStored) {
        outcomes.add(itemOutcome(entry.item, verdict.outcome, entry.quantity))
        return
      }
      const error = refused[kind]?.get(rows.length)
      outcomes.add(itemOutcome(entry.item, error === undefined ? entry.outcome : INTERNAL_ERROR, entry.quantity))
      if (error !== undefined) faulty.push({ item: entry.item, id: entry.id(), error })
      const own = answers.verdicts[kind]?.[index]
      rows.push({
        entry,
        ready: answers.ready[kind]?.[index],
        stored: own?.isStored === true ? own.stored : undefined,
      })
    })
    return rows
  })
  return { stored, outcomes, faulty }
}

/** What there is to tell about a batch that is stored. */
export const announcementsOf = (
  kinds: readonly ItemKind[],
  { stored }: Pick<SettledBatch, 'stored'>,
  at: number,
): Announcement[] =>
  kinds.flatMap((kind, index) => {
    const entries = stored[index] ?? []
    const news = entries.length === 0 ? [] : (kind.announce?.(entries) ?? [])
    return news.map((one) => ({ ...one, kind: kind.name, at }))
  })
