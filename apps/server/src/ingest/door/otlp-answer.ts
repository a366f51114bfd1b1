import type { Item } from '@firsthand/protocol'
import type { Success } from './answer.ts'
import { LIMITS } from '../limits.ts'
import { mediaType } from './read-reports.ts'

/** What the sender of an export of OpenTelemetry is told of things in it that cannot be read: it must not send them again. */
export interface ExportCheck {
  /** The key of their number in JSON: `rejected` and what the things are called. */
  readonly field: string
  /** Looks at every thing. Null when the item is no export: receipts say why. */
  readonly countRejected: (item: Item) => number | null
  /** A sentence about those that are rejected. */
  readonly message: string
}

/** The answer to an export, in its own encoding. In protobuf the messages of all exports are alike. */
export const otlpAnswer = (
  contentType: string | undefined,
  item: Item | undefined,
  checks: ReadonlyMap<string, ExportCheck> | undefined,
): Pick<Success, 'body' | 'contentType'> => {
  const check = item === undefined ? undefined : checks?.get(item.header.type)
  const isChecked = item !== undefined && item.payload.byteLength <= LIMITS.EXPORT_CHECKED_BYTES
  const rejected = check !== undefined && isChecked ? (check.countRejected(item) ?? 0) : 0
  const media = mediaType(contentType)
  const isJson = media === 'application/json'
  if (check === undefined || rejected === 0) {
    return { contentType: media, body: isJson ? '{}' : '' }
  }
  const { field, message } = check
  if (isJson) {
    const partialSuccess = { [field]: String(rejected), errorMessage: message }
    return { contentType: media, body: JSON.stringify({ partialSuccess }) }
  }
  const text = Buffer.from(message)
  const partial = Buffer.concat([
    Buffer.from([0x08, ...varint(rejected)]),
    Buffer.from([0x12, ...varint(text.byteLength)]),
    text,
  ])
  return { contentType: media, body: Buffer.concat([Buffer.from([0x0a, ...varint(partial.byteLength)]), partial]) }
}

/** A number as protobuf writes it: seven bits a byte, the lowest first. */
const varint = (value: number): number[] => {
  const bytes: number[] = []
  let rest = value
  while (rest > 0x7f) {
    bytes.push((rest & 0x7f) | 0x80)
    rest >>>= 7
  }
  bytes.push(rest)
  return bytes
}
