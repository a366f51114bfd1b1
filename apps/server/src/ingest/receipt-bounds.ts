import { CLIENT_REPORT_REASONS, isInBytes, isKnownItemType } from '@firsthand/protocol'
import { MINUTE_MS } from '../lib/durations.ts'
import { RecentMap } from '../lib/recent-map.ts'
import { LIMITS } from './limits.ts'
import { KNOWN_SDKS } from './known-sdks.ts'
import type { OutcomeRow } from './road.ts'

/**
 * Keeps what a sender can invent from crowding out the receipts of others. Free words of senders (SDK, unknown item
 * type, reason of a client report) become columns by which receipts are grouped: of each, a key has at most
 * `RECEIPT_WORDS` that are shown by name, the rest is `other`. A word keeps its place while it is used, so a flood of
 * new words takes no name away from those that were there before; and a known SDK that comes too late for a place keeps
 * its name and loses only its version.
 *
 * The state is memory of one thread of one process; the digest's two threads share the limits (`HEAVY_RECEIPT_PARTS`). What a batch becomes after a restart may differ in which words are shown, and its
 * client reports count from nothing again; rows are written under the token of their batch, so that a repeated batch is
 * stored as it was the first time or as it is the second, never as both.
 */
export interface ReceiptBounds {
  /** The row with words that may be shown. Idempotent. */
  readonly words: (row: OutcomeRow) => OutcomeRow
  /**
   * Discards that one key reports: each reason counts up to `CLIENT_REPORT_QUANTITY` a minute in each category, or
   * `CLIENT_REPORT_BYTE_QUANTITY` where SDKs count bytes, so that neither a lie nor a large attachment hides anything else.
   * What is cut is told as `client_report_limit`, whose quantity is the number of entries that were cut.
   *
   * @param counted gets what this counts against the limits, for `giveBack`
   */
  readonly discards: (rows: readonly OutcomeRow[], counted?: CountedDiscards) => OutcomeRow[]
  /** Takes back what was counted for a batch that is prepared again. */
  readonly giveBack: (counted: CountedDiscards) => void
}

/** Sums by key, minute and counter. */
export type CountedDiscards = Map<string, CountedDiscard>

interface CountedDiscard {
  readonly keyId: number
  readonly minute: number
  readonly counter: string
  quantity: number
}

/** Stands for every word that is not shown. */
const OTHER = 'other'

/** They always keep their names. */
const NAMED_REASONS: ReadonlySet<string> = new Set([...CLIENT_REPORT_REASONS, 'client_report_limit', OTHER])

/** Words of one column, each with the time (milliseconds) of its last use. */
type Words = Map<string, number>

interface KeyState {
  readonly sdks: Words
  readonly itemTypes: Words
  readonly reasons: Words
  minute: number
  /** Reported in that minute, by shown reason and category. */
  readonly quantities: Map<string, number>
}

const cut = (word: string): string =>
  word.length <= LIMITS.OUTCOME_WORD_LENGTH ? word : word.slice(0, LIMITS.OUTCOME_WORD_LENGTH).toWellFormed()

/** Of `name/version`, when it is one that everybody knows. */
const sdkFamily = (sdk: string): string => {
  const name = sdk.split('/', 1)[0] ?? ''
  return KNOWN_SDKS.has(name) ? name : OTHER
}

/** The word, or what stands for it when there is no place for one more. */
const shown = (words: Words, most: number, word: string, at: number, instead = OTHER): string => {
  if (!words.has(word) && words.size >= most) {
    // A clock that was set back must not keep words for ever, hence the distance.
    for (const [known, usedAt] of words) if (Math.abs(at - usedAt) > LIMITS.RECEIPT_WORDS_KEPT_MS) words.delete(known)
    if (words.size >= most) return instead
  }
  words.set(word, at)
  return word
}

/** @param share of the limits: where several count side by side, their shares make one */
export const createReceiptBounds = (share = 1): ReceiptBounds => {
  const mostWords = LIMITS.RECEIPT_WORDS * share
  const keys = new RecentMap<number, KeyState>(LIMITS.RECEIPT_WORDS_KEYS)

  const stateOf = (keyId: number): KeyState => {
    const known = keys.get(keyId)
    if (known !== undefined) return known
    const state: KeyState = {
      sdks: new Map(),
      itemTypes: new Map(),
      reasons: new Map(),
      minute: 0,
      quantities: new Map(),
    }
    keys.set(keyId, state)
    return state
  }

  const words = (row: OutcomeRow): OutcomeRow => {
    const state = stateOf(row.keyId)
    const sdk = cut(row.sdk)
    const itemType = cut(row.itemType)
    const isOurs = itemType === '' || itemType === 'envelope' || itemType === OTHER || isKnownItemType(itemType)
    const isFree = row.outcome === 'client_discard' && !NAMED_REASONS.has(row.reason)
    return {
      ...row,
      sdk:
        sdk === '' || sdk === OTHER || KNOWN_SDKS.has(sdk)
          ? sdk
          : shown(state.sdks, mostWords, sdk, row.timestamp, sdkFamily(sdk)),
      itemType: isOurs ? itemType : shown(state.itemTypes, mostWords, itemType, row.timestamp),
      reason: isFree ? shown(state.reasons, mostWords, row.reason, row.timestamp) : row.reason,
    }
  }

  const note = (counted: CountedDiscards, keyId: number, minute: number, counter: string, quantity: number): void => {
    const name = `${keyId} ${minute} ${counter}`
    const known = counted.get(name)
    if (known === undefined) counted.set(name, { keyId, minute, counter, quantity })
    else known.quantity += quantity
  }

  const discards: ReceiptBounds['discards'] = (rows, counted) => {
    const kept: OutcomeRow[] = []
    for (const given of rows) {
      const row = words(given)
      const state = stateOf(row.keyId)
      const minute = Math.floor(row.timestamp / MINUTE_MS)
      if (state.minute !== minute) {
        state.minute = minute
        state.quantities.clear()
      }
      const counter = `${row.reason} ${row.category}`
      const before = state.quantities.get(counter) ?? 0
      const whole = isInBytes(row.category) ? LIMITS.CLIENT_REPORT_BYTE_QUANTITY : LIMITS.CLIENT_REPORT_QUANTITY
      const limit = whole * share
      const quantity = Math.min(row.quantity, limit - before)
      state.quantities.set(counter, before + quantity)
      if (counted !== undefined) note(counted, row.keyId, minute, counter, quantity)
      if (quantity > 0) kept.push({ ...row, quantity })
      if (quantity < row.quantity) {
        kept.push({ ...row, outcome: 'client_discard', reason: 'client_report_limit', quantity: 1 })
      }
    }
    return kept
  }

  const giveBack = (counted: CountedDiscards): void => {
    for (const { keyId, minute, counter, quantity } of counted.values()) {
      const state = keys.get(keyId)
      // Of a minute that is over nothing is remembered.
      if (state?.minute !== minute) continue
      state.quantities.set(counter, Math.max(0, (state.quantities.get(counter) ?? 0) - quantity))
    }
  }

  return { words, discards, giveBack }
}
