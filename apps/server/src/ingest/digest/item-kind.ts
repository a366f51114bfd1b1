import type { Item } from '@firsthand/protocol'
import type { ProjectSettings } from '../../accounts/settings.ts'
import type { Result } from '../../lib/result.ts'
import type { LedgerTransaction } from '../../storage/ledger/ledger.ts'
import type { DigestItem, Drop, Outcome, OutcomeRow } from '../road.ts'

/** What may be known besides the item. Equal for a repeated batch, but for settings that were changed meanwhile. */
export interface ExpandContext {
  readonly settings: ProjectSettings
  /** All items of the envelope, this one among them. */
  readonly siblings: readonly Item[]
}

/** An item that was read, in a batch that waits for the stores. */
export interface Entry<Value> {
  readonly item: DigestItem
  /** 32 hex characters, from where the item stands in the spool: the same whenever its batch is repeated. Costs a hash. */
  readonly id: () => string
  readonly value: Value
  /** Items of the same envelope that share its end, e.g. attachments. */
  readonly followers: number
}

/** What the ledger says to an entry: it is stored, or it ended in this way. */
export type Verdict<Stored = unknown> =
  | { readonly isStored: true; readonly stored: Stored }
  | { readonly isStored: false; readonly outcome: Outcome }

/** An entry that the ledger let through. */
export interface StoredEntry<Value, Ready, Stored> {
  readonly entry: Entry<Value>
  readonly ready: Ready
  readonly stored: Stored
}

/** The transaction of a batch. */
export interface LedgerWork {
  readonly transaction: LedgerTransaction
  readonly dialect: 'sqlite' | 'postgres'
  /** A number for the batch that no other batch of any spool has: rows that carry it are found again when it is repeated. */
  readonly batch: number
  /** The batch was applied before and is repeated: nothing is counted again, the verdicts follow from the rows that it left. */
  readonly isRepeated: boolean
  /** Milliseconds since the epoch. */
  readonly now: number
}

export interface RowToken {
  /** `<spool>:<batch number>`; a table that gets rows under a token that it knows ignores them. */
  readonly token: string
  /** The rows may have been written before, in whole or in part: what is missing is written again. */
  readonly again: boolean
}

/** What a batch changed for one project, for those who watch. Plain data: it is posted to the main thread. */
export interface News {
  readonly organizationId: number
  readonly projectId: number
  readonly data: unknown
}

/** Several things of an item that end otherwise than the rest of it, e.g. those in a container that cannot be read. */
export interface ItemPart {
  readonly quantity: number
  readonly outcome: Outcome
  /** When it is not the item's own. */
  readonly category?: string
}

/**
 * What becomes of the items of some types, on the digest's thread: the part of a capability that the digest knows.
 * The steps are called in this order, each with arrays in the order of the batch:
 *
 * 0. `recall`: what it must know of the batch's projects, besides their settings.
 * 1. `expand`, pure but for that: what the item says, or why it goes no further.
 * 2. `prepare`: what has to be stored before the ledger knows of it (blobs). May be called again; the result is the same.
 * 3. `apply`: all that the entries change in the ledger, in the one transaction of the batch.
 * 4. `write`: rows for telemetry, of the entries that the ledger let through.
 * 5. `announce`: what to tell those who watch.
 *
 * @typeParam Value what an item says
 * @typeParam Ready what `prepare` made of it
 * @typeParam Stored what the ledger made of it
 */
export interface ItemKind<Value = unknown, Ready = unknown, Stored = unknown> {
  readonly name: string
  /** Item types; no two kinds take the same. */
  readonly takes: readonly string[]
  /** Further types, as long as no other kind takes them. */
  readonly takesUntilOthersDo?: readonly string[]
  /** Types of which an envelope has one, that others in it belong to: they share its end (see `follows`). */
  readonly leads?: readonly string[]
  /**
   * Types that belong to the leading item of their envelope, if there is one. Items that were kept before the kind existed
   * are read by what leads and follows then: a type that the kind takes later is none of these.
   */
  readonly follows?: readonly string[]
  /** Types of which an envelope may have several: the envelope's event id belongs to the first, others get their own. */
  readonly repeats?: readonly string[]
  /** Before items of these projects are expanded: with each batch, so what is fresh enough is taken from memory. */
  recall?(projectIds: readonly number[]): Promise<void>
  /** An item that makes it throw is set aside. */
  expand(item: DigestItem, context: ExpandContext): Result<Value, Drop>
  /** Of entries with one key in a batch, all but the first are duplicates. */
  keyOf?(item: DigestItem, value: Value): string
  /** Receipts that an item carries, besides its own. */
  receiptsOf?(value: Value): readonly OutcomeRow[]
  /** How many things end with the item; without it, as many as its header says. */
  quantityOf?(value: Value): number
  /** Things of the item that ended otherwise, and are not among those that `quantityOf` counts. */
  partsOf?(value: Value): readonly ItemPart[]
  prepare?(entries: readonly Entry<Value>[]): Promise<readonly Ready[]>
  apply?(
    work: LedgerWork,
    entries: readonly Entry<Value>[],
    ready: readonly Ready[],
  ): Promise<readonly Verdict<Stored>[]>
  /** @returns what telemetry will never take, by index, with its reason; it has the rest */
  write?(stored: readonly StoredEntry<Value, Ready, Stored>[], to: RowToken): Promise<ReadonlyMap<number, string>>
  announce?(stored: readonly StoredEntry<Value, Ready, Stored>[]): readonly News[]
}

export const drop = (kind: Drop['outcome']['kind'], reason: string, detail?: string): Drop =>
  detail === undefined ? { outcome: { kind, reason } } : { outcome: { kind, reason }, detail }
