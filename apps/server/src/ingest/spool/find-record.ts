import { LIMITS } from '../limits.ts'
import { readRange } from './disk.ts'
import type { SpoolDisk } from './disk.ts'
import { RECORD_BYTES_MAX, RECORD_HEADER_BYTES, RECORD_MAGIC, decodeHeader, decodeRecord } from './record-format.ts'
import type { RecordHeader } from './record-format.ts'

/** Reading single records of one segment file, also where it is damaged. */
export interface SegmentView {
  readonly disk: SpoolDisk
  readonly fd: number
  /** Nothing at or after this offset is looked at. */
  readonly limit: number
  readonly seed: number
}

/** The header at `offset`, when there is one and its record ends within the limit. */
export const headerAt = async (view: SegmentView, offset: number): Promise<RecordHeader | null> => {
  if (view.limit - offset < RECORD_HEADER_BYTES) return null
  const header = decodeHeader(await readRange(view.disk, view.fd, offset, RECORD_HEADER_BYTES), 0, view.seed)
  if (header === null || header.bytes > RECORD_BYTES_MAX || offset + header.bytes > view.limit) return null
  return header
}

/** True when the record's checksums hold. */
const isWhole = async (view: SegmentView, offset: number, header: RecordHeader): Promise<boolean> => {
  const buffer = await readRange(view.disk, view.fd, offset, header.bytes)
  return buffer.byteLength === header.bytes && decodeRecord(buffer, 0, header).kind === 'valid'
}

/** Offset of the first whole record that starts at or after `from`; null when none follows. Reads each byte once. */
export const findRecord = async (view: SegmentView, from: number): Promise<number | null> => {
  const overlap = RECORD_MAGIC.byteLength - 1
  for (let start = from; start + RECORD_HEADER_BYTES <= view.limit;) {
    const chunk = await readRange(view.disk, view.fd, start, Math.min(LIMITS.DIGEST_BATCH_BYTES, view.limit - start))
    for (let at = chunk.indexOf(RECORD_MAGIC); at !== -1; at = chunk.indexOf(RECORD_MAGIC, at + 1)) {
      const header = await headerAt(view, start + at)
      if (header !== null && (await isWhole(view, start + at, header))) return start + at
    }
    if (chunk.byteLength <= overlap) return null
    start += chunk.byteLength - overlap
  }
  return null
}

/**
 * Whose a record was that is not whole: known only when its header and what it says of the sender have their checksums.
 */
export const projectOfTorn = async (view: SegmentView, offset: number): Promise<number | null> => {
  const header = await headerAt(view, offset)
  if (header === null) return null
  const decoded = decodeRecord(await readRange(view.disk, view.fd, offset, header.bytes), 0, header)
  if (decoded.kind !== 'damaged' || decoded.record.kind !== 'outcomes') return null
  return decoded.record.outcomes[0]?.projectId ?? null
}

/**
 * Where the whole records of a segment end. What follows is the rest of a write that was interrupted, or damaged: the bytes
 * do not tell which.
 */
export const findEnd = async (view: SegmentView, from: number): Promise<number> => {
  let offset = from
  while (offset < view.limit) {
    const header = await headerAt(view, offset)
    // A damaged body in front of whole records is the reader's affair; as the last record it is a torn write.
    const next =
      header !== null && (await isWhole(view, offset, header))
        ? offset + header.bytes
        : await findRecord(view, offset + 1)
    if (next === null) break
    offset = next
  }
  return offset
}
