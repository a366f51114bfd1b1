import { join } from 'node:path'
import { crc32 } from 'node:zlib'

/**
 * A segment file, `0000000012.spool`: a header, then records without gaps. Segments are numbered without end; a number
 * is never used twice.
 *
 * ```
 *  0  8 bytes  "FHSPOOL1"
 *  8  u32      number of the segment
 * 12  16 bytes identity of the spool
 * 28  u32      CRC-32 of the 28 bytes before
 * ```
 */
export const SEGMENT_HEADER_BYTES = 32

const MAGIC = Buffer.from('FHSPOOL1')
const NAME = /^(\d{10})\.spool$/

export const segmentPath = (directory: string, segment: number): string =>
  join(directory, `${String(segment).padStart(10, '0')}.spool`)

/** Ascending; files of other names are left alone. */
export const segmentNumbers = (names: readonly string[]): number[] =>
  names
    .flatMap((name) => {
      const digits = NAME.exec(name)?.[1]
      return digits === undefined ? [] : [Number(digits)]
    })
    .sort((left, right) => left - right)

/** @param spool 32 hex characters */
export const encodeSegmentHeader = (segment: number, spool: string): Buffer => {
  const header = Buffer.alloc(SEGMENT_HEADER_BYTES)
  MAGIC.copy(header)
  header.writeUInt32LE(segment, 8)
  header.write(spool, 12, 'hex')
  header.writeUInt32LE(crc32(header.subarray(0, 28)), 28)
  return header
}

/** The identity of the spool (32 hex characters), or null when this is not the header of that segment. */
export const decodeSegmentHeader = (header: Buffer, segment: number): string | null => {
  if (header.byteLength < SEGMENT_HEADER_BYTES || !header.subarray(0, 8).equals(MAGIC)) return null
  if (header.readUInt32LE(8) !== segment || crc32(header.subarray(0, 28)) !== header.readUInt32LE(28)) return null
  return header.toString('hex', 12, 28)
}
