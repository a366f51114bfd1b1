import { DATA_CATEGORIES, isObject } from '@firsthand/protocol'
import { err, ok } from '../lib/result.ts'
import { LIMITS as INGEST_LIMITS } from '../ingest/limits.ts'
import { LIMITS } from './limits.ts'
import { drop } from '../ingest/index.ts'
import type { DigestItem, ItemKind, OutcomeRow } from '../ingest/index.ts'

/** Lists of a client report (protocol.md 3.9); relays add the last three. */
const LISTS = ['discarded_events', 'rate_limited_events', 'filtered_events', 'filtered_sampling_events'] as const

const KNOWN_CATEGORIES: ReadonlySet<string> = new Set(DATA_CATEGORIES)
const REASON = /^[a-z0-9_.:-]+$/i

/** Under which item type a discard stands in the receipts, beside what arrived. */
const ITEM_TYPE_OF_CATEGORY: ReadonlyMap<string, string> = new Map([
  ['error', 'event'],
  ['transaction', 'transaction'],
  ['security', 'raw_security'],
  ['attachment', 'attachment'],
  ['session', 'session'],
  ['profile', 'profile'],
  ['profile_chunk', 'profile_chunk'],
  ['replay', 'replay_event'],
  ['monitor', 'check_in'],
  ['span', 'span'],
  ['feedback', 'feedback'],
  ['log_item', 'log'],
  ['trace_metric', 'trace_metric'],
])

/** What an SDK discarded before sending, merged into the receipts. */
export const createClientReports = (): ItemKind<readonly OutcomeRow[]> => ({
  name: 'client reports',
  takes: ['client_report'],
  expand: (item) => {
    const report = parse(item.item.payload)
    if (report === null) return err(drop('invalid', 'invalid_json', 'the client report is not a JSON object'))
    const rows: OutcomeRow[] = []
    for (const list of LISTS) {
      const entries = report[list]
      if (!Array.isArray(entries)) continue
      for (const entry of entries) {
        if (rows.length >= LIMITS.CLIENT_REPORT_ROWS) break
        const row = discard(entry, item)
        if (row !== null) rows.push(row)
      }
    }
    return ok(rows)
  },
  receiptsOf: (rows) => rows,
})

const parse = (payload: Uint8Array): Record<string, unknown> | null => {
  try {
    const value: unknown = JSON.parse(Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength).toString())
    return isObject(value) ? value : null
  } catch {
    // The caller counts it as `invalid_json`.
    return null
  }
}

/** Null when the entry counts nothing. */
const discard = (entry: unknown, { sender, receivedAt }: DigestItem): OutcomeRow | null => {
  if (!isObject(entry)) return null
  const { quantity, category, reason } = entry
  if (typeof quantity !== 'number' || !(quantity >= 1)) return null
  // Free words become columns that are grouped by: only known categories and plain words get in.
  const known = typeof category === 'string' && KNOWN_CATEGORIES.has(category) ? category : 'default'
  return {
    organizationId: sender.organizationId,
    projectId: sender.projectId,
    keyId: sender.keyId,
    timestamp: receivedAt,
    outcome: 'client_discard',
    reason:
      typeof reason === 'string' && reason.length <= INGEST_LIMITS.OUTCOME_WORD_LENGTH && REASON.test(reason)
        ? reason
        : 'other',
    itemType: ITEM_TYPE_OF_CATEGORY.get(known) ?? '',
    category: known,
    sdk: sender.sdk,
    quantity: Math.floor(Math.min(quantity, Number.MAX_SAFE_INTEGER)),
    bytes: 0,
  }
}
