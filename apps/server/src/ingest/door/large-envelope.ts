import { decodeUtf8, envelopeSteps, isObject, jsonDepthWithin, type EnvelopeError } from '@firsthand/protocol'
import { err, ok, type Result } from '../../lib/result.ts'
import { inSlices } from '../../lib/sliced-work.ts'
import { withFiles, type ItemFile } from '../payload-file.ts'
import type { Limits } from './door.ts'
import type { Draft } from './draft.ts'
import type { HeldPieces } from './held-pieces.ts'
import type { PieceReader } from './piece-reader.ts'
import { refuse, type Refusal } from './refusal.ts'
import { largerItem, Refused } from './refused.ts'
import type { Stager } from './stager.ts'

export const envelopeBounds = (limits: Limits) => ({
  maxItems: limits.ITEMS_PER_ENVELOPE,
  maxHeaderBytes: limits.HEADER_LINE_BYTES,
  maxHeaderDepth: limits.JSON_DEPTH,
})

export const refuseEnvelope = ({ code, message, offset }: EnvelopeError): Refusal => {
  if (code === 'too_many_items') return refuse(413, 'too_many_items', message)
  const causes = code === 'empty_body' ? [] : [`at byte ${offset} of the envelope`]
  return refuse(400, 'invalid_envelope', code === 'empty_body' ? message : `invalid envelope: ${message}`, { causes })
}

interface Parts {
  readonly reader: PieceReader
  readonly held: HeldPieces
  readonly stager: Stager
  readonly limits: Limits
}

/**
 * Reads an envelope that comes piece by piece (protocol.md 1.1). Here only the payloads of large attachments are taken out
 * of it, as far as that needs the headers of its items; what is left is an envelope again, with empty payloads in their
 * places, and is judged like any other.
 */
export const readLargeEnvelope = async (parts: Parts): Promise<Result<Draft, Refusal>> => {
  const { held, limits } = parts
  const { files, removed, isWhole } = await takeOut(parts)
  const parsed = await inSlices(envelopeSteps(await held.join(), envelopeBounds(limits), limits.DOOR_TURN_BYTES))
  if (!parsed.ok) return err(refuseEnvelope({ ...parsed.error, offset: parsed.error.offset + removed }))
  if (!isWhole) throw new Error('What ended the reading of an envelope is no error in it.')
  return ok({ envelope: withFiles(parsed.value, files), received: null })
}

interface TakenOut {
  readonly files: readonly ItemFile[]
  /** Bytes that are missing in what is held. */
  readonly removed: number
  /** False: something is wrong with the line that is held last, and nothing behind it was read. */
  readonly isWhole: boolean
}

const LINE_FEED = Buffer.from('\n')
const CARRIAGE_RETURN = Buffer.from('\r')

const takeOut = async ({ reader, held, stager, limits }: Parts): Promise<TakenOut> => {
  const files: ItemFile[] = []
  let removed = 0
  const ended = (isWhole: boolean): TakenOut => ({ files, removed, isWhole })
  const header = await reader.before(LINE_FEED, limits.HEADER_LINE_BYTES)
  held.add(header.bytes)
  if (header.isMarked) held.add(LINE_FEED)
  if (readObject(header.bytes, limits) === null) return ended(false)
  for (let item = 0; ;) {
    removed += await reader.passBlankLines()
    if (await reader.isAtEnd()) return ended(true)
    const line = await reader.before(LINE_FEED, limits.HEADER_LINE_BYTES)
    if (line.bytes.equals(CARRIAGE_RETURN)) {
      // Its line feed was in the next piece.
      removed += line.bytes.byteLength + LINE_FEED.byteLength
      continue
    }
    const itemHeader = readItemHeader(line.bytes, limits)
    if (itemHeader === null || item >= limits.ITEMS_PER_ENVELOPE || !line.isMarked) {
      held.add(line.bytes)
      return ended(itemHeader !== null && item < limits.ITEMS_PER_ENVELOPE)
    }
    const { length } = itemHeader
    item += 1
    if (length !== null && itemHeader.type === 'attachment' && length > limits.STAGED_PAYLOAD_BYTES) {
      if (length > limits.ATTACHMENT_BYTES) throw new Refused(largerItem('attachment', limits.ATTACHMENT_BYTES))
      const file = await stager.keep(reader.take(length))
      if (file.bytes < length) {
        held.add(line.bytes)
        held.add(LINE_FEED)
        return ended(false)
      }
      const short = Buffer.from(JSON.stringify({ ...itemHeader.raw, length: 0 }))
      held.add(short)
      held.add(LINE_FEED)
      files.push({ ...file, item: item - 1 })
      removed += line.bytes.byteLength - short.byteLength + length
    } else {
      held.about(itemHeader.type)
      held.add(line.bytes)
      held.add(LINE_FEED)
      if (length === null) {
        await held.addAll(reader.until(LINE_FEED))
        held.add(LINE_FEED)
        continue
      }
      await held.addAll(reader.take(length))
    }
    // Where a payload ends by its length, a line feed follows, or nothing.
    for await (const next of reader.take(1)) {
      held.add(next)
      if (!next.equals(LINE_FEED)) return ended(false)
    }
  }
}

/** Of the header of an item, what tells where its payload ends; null when it cannot be told. */
const readItemHeader = (
  line: Buffer,
  limits: Limits,
): { readonly raw: Record<string, unknown>; readonly type: string; readonly length: number | null } | null => {
  const raw = readObject(line, limits)
  if (raw === null || typeof raw['type'] !== 'string') return null
  const length = raw['length'] ?? null
  if (length !== null && (typeof length !== 'number' || !Number.isInteger(length) || length < 0)) return null
  return { raw, type: raw['type'], length }
}

const readObject = (line: Buffer, limits: Limits): Record<string, unknown> | null => {
  if (line.byteLength > limits.HEADER_LINE_BYTES || !jsonDepthWithin(line, limits.JSON_DEPTH)) return null
  try {
    const value: unknown = JSON.parse(decodeUtf8(line))
    return isObject(value) ? value : null
  } catch {
    // What is wrong with it is said when all that is held is read.
    return null
  }
}
