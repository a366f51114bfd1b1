import { isObject, type Item } from '@firsthand/protocol'
import { readJson, readTraceId } from '../../event/index.ts'
import type { DigestItem } from '../../ingest/index.ts'
import type { ReadSpan } from '../span.ts'
import { attributesForChildren, readTransactionRoot, type SurroundedRoot } from './read-transaction.ts'

/** What the items of an envelope say about each other. */

/**
 * The id of the profile that came with a transaction. Only SDKs that profile continuously name it in the transaction
 * itself.
 */
export const profileBeside = (item: DigestItem, siblings: readonly Item[]): string | null => {
  const sibling = siblings.find(({ header }) => header.type === 'profile')
  if (sibling === undefined) return null
  const json = readJson(sibling.payload)
  if (!json.ok || !isObject(json.value.value) || !isObject(json.value.value['profile'])) return null
  return readTraceId(json.value.value['event_id']) ?? item.eventId
}

/** The transaction that came with an item, without its spans. */
export const rootBeside = (item: DigestItem, siblings: readonly Item[]): SurroundedRoot | null => {
  const sibling = siblings.find(({ header }) => header.type === 'transaction')
  if (sibling === undefined) return null
  const read = readTransactionRoot({ ...item, item: sibling })
  return read.ok ? read.value : null
}

/**
 * Spans that leave it to their transaction to say which release, environment and user they are of (calls of models by
 * Node's SDK from 10.78), with what it says. The header of an envelope is no help: it tells of the service that began the
 * trace.
 */
export const completeFrom = (root: ReadSpan, spans: readonly ReadSpan[]): readonly ReadSpan[] => {
  const own = attributesForChildren(root)
  return spans.map((span) => {
    if (span.traceId !== root.traceId || span.isSegment) return span
    const segmentId = span.segmentId === '' ? root.spanId : span.segmentId
    return segmentId === root.spanId ? { ...span, segmentId, attributes: { ...own, ...span.attributes } } : span
  })
}
