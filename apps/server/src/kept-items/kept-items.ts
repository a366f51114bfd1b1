import type { ItemKind, Verdict } from '../ingest/index.ts'
import type { Logger } from '../lib/logger.ts'
import { ok } from '../lib/result.ts'
import type { BlobStore } from '../storage/blobs/blobs.store.ts'
import { noteBlobs } from '../storage/ledger/note-blobs.ts'
import type { RowWriter } from '../storage/telemetry/row-writer.ts'
import { keepItems } from './keep.ts'
import type { ReadyItem } from './keep.ts'
import { KEPT_ITEMS } from './kept-item-row.ts'

/** Types of which the capability that shows them comes later: their items wait here for it. */
export const AWAITED: readonly string[] = [
  'transaction',
  'span',
  'otel_span',
  'otel_traces_data',
  'log',
  'otel_log',
  'trace_metric',
  'session',
  'sessions',
  'check_in',
  'replay_event',
  'replay_recording',
  'replay_video',
  'form_data',
  'security',
  'unreal_report',
  'profile',
  'profile_chunk',
]

const LOST: Verdict<null> = { isStored: false, outcome: { kind: 'invalid', reason: 'damaged_on_disk' } }

/** Items that are kept whole: not parsed, not scrubbed, nothing missing later. Attachments are never anything else. */
export const createKeptItems = (parts: {
  readonly blobs: BlobStore
  readonly writer: RowWriter
  readonly logger: Logger
}): ItemKind<null, ReadyItem, null> => ({
  name: 'kept items',
  takes: ['attachment'],
  takesUntilOthersDo: AWAITED,
  follows: ['attachment'],
  expand: () => ok(null),
  prepare: (entries) => keepItems(entries, parts),
  apply: async ({ transaction, isRepeated }, _entries, ready) => {
    if (!isRepeated) {
      const blobs = new Map(ready.flatMap(({ blob }) => (blob === null ? [] : [[blob.key, blob] as const])))
      await noteBlobs(transaction, [...blobs.values()])
    }
    return ready.map(({ isLost }) => (isLost ? LOST : { isStored: true, stored: null }))
  },
  write: (stored, to) =>
    parts.writer.insertRows(
      KEPT_ITEMS,
      stored.map(({ ready }) => ready.row),
      to,
    ),
})
