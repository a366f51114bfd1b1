import { describe, expect, it } from 'vitest'
import { LIMITS } from './limits.ts'
import { createReceiptBounds } from './receipt-bounds.ts'
import type { OutcomeRow } from './road.ts'

const MINUTE = 60_000
const NOON = 1_795_000_020_000

const row = (more: Partial<OutcomeRow> = {}): OutcomeRow => ({
  organizationId: 1,
  projectId: 7,
  keyId: 3,
  timestamp: NOON,
  outcome: 'client_discard',
  reason: 'before_send',
  itemType: 'event',
  category: 'error',
  sdk: 'sentry.javascript.browser/11.0.0',
  quantity: 1,
  bytes: 0,
  ...more,
})

const invented = (number: number): OutcomeRow[] =>
  Array.from({ length: number }, (_, index) => row({ reason: `invented_${index}` }))

const namesOf = (rows: readonly OutcomeRow[]): Set<string> => new Set(rows.map(({ reason }) => reason))

describe('words of senders in the receipts', () => {
  it('are shown by name up to the bound of their key; the rest is other, and no sum is lost', () => {
    const bounds = createReceiptBounds()
    const rows = invented(1400).map(bounds.words)
    expect(namesOf(rows).size).toBe(LIMITS.RECEIPT_WORDS + 1)
    expect(rows.filter(({ reason }) => reason === 'other').length).toBe(1400 - LIMITS.RECEIPT_WORDS)
  })

  it('take no name from the protocol, from another key, or from a word that was there before', () => {
    const bounds = createReceiptBounds()
    bounds.words(row({ reason: 'our_own_reason', sdk: 'true/1' }))
    for (const flood of invented(100)) bounds.words({ ...flood, sdk: `lie/${flood.reason}`, itemType: flood.reason })
    expect(bounds.words(row({ sdk: 'true/1' }))).toMatchObject({ reason: 'before_send', sdk: 'true/1' })
    expect(bounds.words(row({ reason: 'our_own_reason' })).reason).toBe('our_own_reason')
    expect(bounds.words(row({ keyId: 4, reason: 'theirs', sdk: 'theirs/1' }))).toMatchObject({
      reason: 'theirs',
      sdk: 'theirs/1',
    })
    expect(bounds.words(row({ outcome: 'accepted', reason: '', itemType: 'session' })).itemType).toBe('session')
  })

  it('a known SDK keeps its name when strangers have taken every place', () => {
    const bounds = createReceiptBounds()
    for (const flood of invented(100)) bounds.words({ ...flood, sdk: `lie/${flood.reason}` })
    const sdkOf = (sdk: string): string => bounds.words(row({ sdk })).sdk
    expect(sdkOf('sentry.javascript.browser/11.0.0')).toBe('sentry.javascript.browser')
    expect(sdkOf('sentry.python.django/3.0.0')).toBe('sentry.python.django')
    expect(sdkOf('sentry.go')).toBe('sentry.go')
    expect(sdkOf('sentry.invented/1')).toBe('other')
  })

  it('our own reasons are no words of senders', () => {
    const bounds = createReceiptBounds()
    for (const flood of invented(100)) bounds.words(flood)
    expect(bounds.words(row({ outcome: 'invalid', reason: 'invalid_json' })).reason).toBe('invalid_json')
  })

  it('make room once they are not used any more, whichever way the clock was set', () => {
    for (const distance of [LIMITS.RECEIPT_WORDS_KEPT_MS + MINUTE, -2 * LIMITS.RECEIPT_WORDS_KEPT_MS]) {
      const bounds = createReceiptBounds()
      for (const flood of invented(100)) bounds.words(flood)
      const later = row({ timestamp: NOON + distance, reason: 'new_word' })
      expect(bounds.words(row({ reason: 'new_word' })).reason).toBe('other')
      expect(bounds.words(later).reason).toBe('new_word')
    }
  })

  it('of heavy records and of all others are together no more than the bound of their key', () => {
    const heavy = 1 / LIMITS.HEAVY_RECEIPT_PARTS
    const parts = [createReceiptBounds(heavy), createReceiptBounds(1 - heavy)]
    const rows = parts.flatMap((bounds, part) =>
      invented(50).map((one) => bounds.words({ ...one, reason: `${one.reason}_${part}` })),
    )
    expect(namesOf(rows).size).toBe(LIMITS.RECEIPT_WORDS + 1)
    const told = parts.flatMap((bounds) => bounds.discards([row({ quantity: 1e15 })]))
    const counted = told.filter(({ reason }) => reason === 'before_send').map(({ quantity }) => quantity)
    expect(counted.reduce((sum, one) => sum + one, 0)).toBe(LIMITS.CLIENT_REPORT_QUANTITY)
  })

  it('are the same when a batch is repeated', () => {
    const bounds = createReceiptBounds()
    const first = invented(50).map(bounds.words)
    expect(invented(50).map(bounds.words)).toEqual(first)
  })
})

describe('quantities of client reports', () => {
  it('count up to the limit of a minute, for each reason; what is cut is told', () => {
    const bounds = createReceiptBounds()
    const cut = bounds.discards([row({ quantity: 5 }), row({ quantity: 1e15 }), row({ quantity: 7 })])
    expect(cut.map(({ reason, quantity }) => [reason, quantity])).toEqual([
      ['before_send', 5],
      ['before_send', LIMITS.CLIENT_REPORT_QUANTITY - 5],
      ['client_report_limit', 1],
      ['client_report_limit', 1],
    ])
    expect(bounds.discards([row({ reason: 'sample_rate', quantity: 9 })])).toMatchObject([{ quantity: 9 }])
    expect(bounds.discards([row({ keyId: 4, quantity: 9 })])).toMatchObject([{ quantity: 9 }])
    expect(bounds.discards([row({ timestamp: NOON + MINUTE, quantity: 9 })])).toMatchObject([{ quantity: 9 }])
  })

  it('an attachment that is counted in bytes hides no lost errors, nor does one category another', () => {
    const bounds = createReceiptBounds()
    const attachment = { category: 'attachment', itemType: 'attachment' }
    const told = bounds.discards([
      row({ ...attachment, quantity: 1_800_000 }),
      row({ category: 'log_byte', itemType: '', quantity: 5_000_000 }),
      row({ quantity: 5 }),
      row({ category: 'transaction', itemType: 'transaction', quantity: 1e9 }),
      row({ quantity: 6 }),
      row({ ...attachment, quantity: 1e15 }),
    ])
    expect(told.map(({ reason, category, quantity }) => [reason, category, quantity])).toEqual([
      ['before_send', 'attachment', 1_800_000],
      ['before_send', 'log_byte', 5_000_000],
      ['before_send', 'error', 5],
      ['before_send', 'transaction', LIMITS.CLIENT_REPORT_QUANTITY],
      ['client_report_limit', 'transaction', 1],
      ['before_send', 'error', 6],
      ['before_send', 'attachment', LIMITS.CLIENT_REPORT_BYTE_QUANTITY - 1_800_000],
      ['client_report_limit', 'attachment', 1],
    ])
    expect(told.at(-1)).toMatchObject({ itemType: 'attachment' })
  })

  it('are given back for a batch that is prepared again, in its minute alone', () => {
    const bounds = createReceiptBounds()
    bounds.discards([row({ quantity: 9 })])
    const counted = new Map()
    const first = bounds.discards([row({ quantity: 5 }), row({ quantity: 1e15 })], counted)
    bounds.giveBack(counted)
    expect(bounds.discards([row({ quantity: 5 }), row({ quantity: 1e15 })])).toEqual(first)
    expect(bounds.discards([row({ timestamp: NOON + MINUTE, quantity: 1e15 })])).toHaveLength(2)
    bounds.giveBack(counted)
    expect(bounds.discards([row({ timestamp: NOON + MINUTE })])).toMatchObject([{ reason: 'client_report_limit' }])
  })
})
