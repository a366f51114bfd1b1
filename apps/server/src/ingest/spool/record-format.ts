import { basename } from 'node:path'
import { crc32 } from 'node:zlib'
import type { Steps } from '../../lib/sliced-work.ts'
import { LIMITS } from '../limits.ts'
import type { OutcomeRow, SpoolRecord } from '../road.ts'

/**
 * One record of a segment file, all numbers little-endian:
 *
 * ```
 *  0  u32  magic "FHR\x01"
 *  4  u8   version of this layout (1)
 *  5  u8   kind: 1 envelope, 2 outcomes
 *  6  u16  1: it is heavy (see `AcceptedEnvelope`); else 0
 *  8  u32  bytes of meta
 * 12  u32  bytes of body
 * 16  u32  CRC-32 of meta
 * 20  u32  CRC-32 of body
 * 24  u32  CRC-32 of the 24 bytes before, seeded with the identity of the spool
 * 28       meta (JSON), body
 * ```
 *
 * Large payloads of an envelope are files beside the spool (`staging.ts`); the meta names them, with their checksums.
 *
 * The header has a checksum of its own, so that a broken length never sends the reader astray, and so has the meta, so
 * that a broken body still tells whose it was. The seed is a secret: without it, an envelope that carries the bytes of a
 * record inside could pass for one, when the search for the next record after a damage comes by.
 */
export const RECORD_HEADER_BYTES = 28
export const RECORD_MAGIC = Buffer.from([0x46, 0x48, 0x52, 0x01])

const MAGIC = RECORD_MAGIC.readUInt32LE(0)
const VERSION = 1
const KIND_ENVELOPE = 1
const KIND_OUTCOMES = 2
const HEAVY = 1
const META_BYTES_MAX = 1024 * 1024

/** @param spool identity, 32 hex characters */
export const recordSeed = (spool: string): number => crc32(Buffer.from(spool, 'hex'))

export interface EncodedRecord {
  readonly parts: readonly Uint8Array[]
  readonly bytes: number
}

/**
 * The body's bytes are referenced, not copied: they must stay as they are until the append has resolved.
 *
 * @param bodyCrc of an envelope's body, where it is known already
 */
export const encodeRecord = (record: SpoolRecord, seed: number, bodyCrc?: number): EncodedRecord => {
  const envelope = record.kind === 'envelope'
  const meta = JSON.stringify(
    envelope
      ? [
          record.receivedAt,
          record.sender.organizationId,
          record.sender.projectId,
          record.sender.keyId,
          record.sender.clientAddress,
          record.sender.userAgent,
          record.sender.origin,
          record.sender.sdk,
          ...(record.files === undefined || record.files.length === 0
            ? []
            : [record.files.map(({ item, path, bytes, sha256 }) => [item, basename(path), bytes, sha256])]),
        ]
      : [record.receivedAt],
  )
  const body = envelope ? record.body : Buffer.from(JSON.stringify(record.outcomes))
  const metaBytes = Buffer.byteLength(meta)
  const head = Buffer.allocUnsafe(RECORD_HEADER_BYTES + metaBytes)
  head.write(meta, RECORD_HEADER_BYTES)
  head.writeUInt32LE(MAGIC, 0)
  head.writeUInt8(VERSION, 4)
  head.writeUInt8(envelope ? KIND_ENVELOPE : KIND_OUTCOMES, 5)
  head.writeUInt16LE(envelope && record.isHeavy === true ? HEAVY : 0, 6)
  head.writeUInt32LE(metaBytes, 8)
  head.writeUInt32LE(body.byteLength, 12)
  head.writeUInt32LE(crc32(head.subarray(RECORD_HEADER_BYTES)), 16)
  head.writeUInt32LE(bodyCrc ?? crc32(body), 20)
  head.writeUInt32LE(crc32(head.subarray(0, 24), seed), 24)
  return { parts: body.byteLength === 0 ? [head] : [head, body], bytes: head.byteLength + body.byteLength }
}

/** The CRC-32 of a large body, `stepBytes` at a time. */
export const crcSteps = function* (body: Uint8Array, stepBytes: number): Steps<number> {
  let crc = 0
  for (let from = 0; from < body.byteLength; from += stepBytes) {
    if (from > 0) yield
    crc = crc32(body.subarray(from, from + stepBytes), crc)
  }
  return crc
}

export interface RecordHeader {
  readonly kind: number
  readonly isHeavy: boolean
  readonly metaBytes: number
  readonly metaCrc: number
  readonly bodyCrc: number
  /** Header, meta and body. */
  readonly bytes: number
}

/** Null when the 28 bytes at `at` are not the header of a record that this program could have written. */
export const decodeHeader = (buffer: Buffer, at: number, seed: number): RecordHeader | null => {
  if (buffer.byteLength - at < RECORD_HEADER_BYTES || buffer.readUInt32LE(at) !== MAGIC) return null
  if (crc32(buffer.subarray(at, at + 24), seed) !== buffer.readUInt32LE(at + 24)) return null
  const metaBytes = buffer.readUInt32LE(at + 8)
  const bodyBytes = buffer.readUInt32LE(at + 12)
  if (buffer.readUInt8(at + 4) !== VERSION || metaBytes > META_BYTES_MAX) return null
  return {
    kind: buffer.readUInt8(at + 5),
    isHeavy: buffer.readUInt16LE(at + 6) === HEAVY,
    metaBytes,
    metaCrc: buffer.readUInt32LE(at + 16),
    bodyCrc: buffer.readUInt32LE(at + 20),
    bytes: RECORD_HEADER_BYTES + metaBytes + bodyBytes,
  }
}

/** Whose an envelope is; null when its meta is damaged. */
export const decodeOwner = (
  meta: Buffer,
  header: RecordHeader,
): { readonly organizationId: number; readonly projectId: number } | null => {
  if (crc32(meta) !== header.metaCrc) return null
  const [, organizationId, projectId] = JSON.parse(meta.toString()) as [number, number, number]
  return { organizationId, projectId }
}

export type DecodedRecord =
  | { readonly kind: 'valid'; readonly record: SpoolRecord }
  /** The body is damaged, but it is known whose it was: stands for the lost record. */
  | { readonly kind: 'damaged'; readonly record: SpoolRecord }
  | { readonly kind: 'unreadable' }

/** The paths of files are their names. @param buffer holds the whole record that starts at `at` */
export const decodeRecord = (buffer: Buffer, at: number, header: RecordHeader): DecodedRecord => {
  const metaEnd = at + RECORD_HEADER_BYTES + header.metaBytes
  const meta = buffer.subarray(at + RECORD_HEADER_BYTES, metaEnd)
  const body = buffer.subarray(metaEnd, at + header.bytes)
  if (crc32(meta) !== header.metaCrc) return { kind: 'unreadable' }
  const intact = crc32(body) === header.bodyCrc
  // Past the checksums these bytes are what `encodeRecord` wrote.
  const fields = JSON.parse(meta.toString()) as [
    number,
    number,
    number,
    number,
    string | null,
    string | null,
    string | null,
    string,
    [number, string, number, string][] | undefined,
  ]
  const receivedAt = fields[0]
  if (header.kind === KIND_OUTCOMES && intact) {
    return {
      kind: 'valid',
      record: { kind: 'outcomes', receivedAt, outcomes: JSON.parse(body.toString()) as OutcomeRow[] },
    }
  }
  if (header.kind !== KIND_ENVELOPE) return { kind: 'unreadable' }
  const [, organizationId, projectId, keyId, clientAddress, userAgent, origin, sdk, files] = fields
  if (!intact) {
    return {
      kind: 'damaged',
      record: lostEnvelope({ receivedAt, organizationId, projectId, keyId, sdk, bytes: body.byteLength }),
    }
  }
  return {
    kind: 'valid',
    record: {
      kind: 'envelope',
      receivedAt,
      sender: { organizationId, projectId, keyId, clientAddress, userAgent, origin, sdk },
      body,
      ...(files !== undefined && {
        files: files.map(([item, path, bytes, sha256]) => ({ item, path, bytes, sha256 })),
      }),
    },
  }
}

/** An envelope that was accepted and cannot be read any more still ends in an outcome. How many items it held is unknown. */
const lostEnvelope = (lost: {
  receivedAt: number
  organizationId: number
  projectId: number
  keyId: number
  sdk: string
  bytes: number
}): SpoolRecord => ({
  kind: 'outcomes',
  receivedAt: lost.receivedAt,
  outcomes: [
    {
      organizationId: lost.organizationId,
      projectId: lost.projectId,
      keyId: lost.keyId,
      timestamp: lost.receivedAt,
      outcome: 'invalid',
      reason: 'damaged_on_disk',
      itemType: '',
      category: 'default',
      sdk: lost.sdk,
      quantity: 1,
      bytes: lost.bytes,
    },
  ],
})

/** No record is longer: a header that says so is damaged. */
export const RECORD_BYTES_MAX = RECORD_HEADER_BYTES + META_BYTES_MAX + LIMITS.ENVELOPE_BYTES + 1024 * 1024
