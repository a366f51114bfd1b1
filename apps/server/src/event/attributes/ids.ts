import { createHash } from 'node:crypto'
import type { DigestItem } from '../../ingest/index.ts'

/** 32 hex characters, not all zeros; null for anything else. Upper case and hyphens are normalised. */
export const readTraceId = (value: unknown): string | null => readHex(value, TRACE_ID)

/** 16 hex characters, not all zeros; null for anything else. */
export const readSpanId = (value: unknown): string | null => readHex(value, SPAN_ID)

const TRACE_ID = /^(?!0{32})[0-9a-f]{32}$/
const SPAN_ID = /^(?!0{16})[0-9a-f]{16}$/

const readHex = (value: unknown, valid: RegExp): string | null => {
  if (typeof value !== 'string') return null
  if (valid.test(value)) return value
  if (value.length > 36) return null
  const id = value.replaceAll('-', '').toLowerCase()
  return valid.test(id) ? id : null
}

/**
 * Log lines and metrics have no id of their own. It follows from the bytes of their item, and from the place in it: what a
 * client sends again after an answer was lost is the same things.
 *
 * @returns that of the first; each further one has the next
 */
export const firstIdOf = ({ item }: DigestItem): bigint =>
  createHash('sha256').update(item.payload).digest().readBigUInt64BE(0)
