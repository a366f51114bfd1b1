import { crc32, inflateRawSync } from 'node:zlib'
import { err, ok, type Result } from '../../lib/result.ts'
import { LIMITS } from '../limits.ts'

/**
 * Reads ZIP archives that somebody uploaded (PKWARE's APPNOTE 6.3). Only the list at the end counts; what stands in front
 * of each file must say the same. Synchronous: it runs on a thread of its own.
 */

/** Bytes at any place, e.g. of an open file. */
export interface Bytes {
  readonly size: number
  /** Fewer than asked for at the end only. */
  readonly read: (at: number, length: number) => Uint8Array
}

export interface ArchivedFile {
  readonly name: string
  /** Unpacked, as the archive says; counted again while it is unpacked. */
  readonly size: number
  readonly packedSize: number
  readonly isPacked: boolean
  readonly checksum: number
  /** Where its packed bytes begin. */
  readonly start: number
}

/** Why an archive is refused, as a sentence for whoever uploaded it. */
export type ArchiveFault = string

const END = 0x06054b50
const END_BYTES = 22
const LONGEST_COMMENT = 0xffff
const LARGE_END = 0x06064b50
const LARGE_END_BYTES = 56
const LARGE_LOCATOR = 0x07064b50
const LARGE_LOCATOR_BYTES = 20
const LISTED = 0x02014b50
const LISTED_BYTES = 46
const IN_FRONT = 0x04034b50
const IN_FRONT_BYTES = 30
const LARGE_FIELD = 1

const IN_LARGE = 0xffffffff
const STORED = 0
const DEFLATED = 8

const ENCRYPTED = 0x2041
const SIZES_BEHIND = 0x8
const UNIX = 3
const LINK_TYPE = 0xa000
const TYPE_BITS = 0xf000

const RATIO_FROM_BYTES = 1024 * 1024

const DAMAGED = 'The archive is damaged or was cut off. Build and upload it again.'

/** Leaves the reading; never leaves this file. */
class Refused extends Error {}

const refuse = (sentence: ArchiveFault): never => {
  throw new Refused(sentence)
}

const refusable = <Value>(work: () => Value): Result<Value, ArchiveFault> => {
  try {
    return ok(work())
  } catch (error) {
    if (error instanceof Refused) return err(error.message)
    throw error
  }
}

/** All files of an archive, folders left out. */
export const listArchive = (
  bytes: Bytes,
  mostFiles: number = LIMITS.ARCHIVE_FILES,
): Result<readonly ArchivedFile[], ArchiveFault> =>
  refusable(() => {
    const end = findEnd(bytes)
    if (end.count > mostFiles) {
      refuse(`The archive has ${end.count} files; ${mostFiles} are taken. Upload it in parts.`)
    }
    if (end.size > LIMITS.ARCHIVE_DIRECTORY_BYTES || end.start + end.size > bytes.size) refuse(DAMAGED)
    const listed = readList(view(bytes, end.start, end.size), end.count)
    const files = listed.filter(({ name }) => !name.endsWith('/'))
    refuseTotals(files)
    const placed = files.map((file) => placeOf(bytes, file, end.start))
    refuseOverlaps(placed)
    return placed.map(({ file }) => file)
  })

/** The bytes of one file, unpacked and compared with its size and checksum. */
export const readArchived = (bytes: Bytes, file: ArchivedFile): Result<Uint8Array, ArchiveFault> => {
  const packed = bytes.read(file.start, file.packedSize)
  let unpacked = packed
  if (file.isPacked) {
    try {
      unpacked = inflateRawSync(packed, { maxOutputLength: Math.max(1, file.size) })
    } catch {
      return err(`“${file.name}” of the archive cannot be unpacked, or is larger than it says. ${DAMAGED}`)
    }
  }
  if (unpacked.byteLength !== file.size || crc32(unpacked) !== file.checksum) {
    return err(`“${file.name}” of the archive is not what its list says. ${DAMAGED}`)
  }
  return ok(unpacked)
}

const view = (bytes: Bytes, at: number, length: number): DataView => {
  const read = at < 0 || at + length > bytes.size ? refuse(DAMAGED) : bytes.read(at, length)
  if (read.byteLength !== length) refuse(DAMAGED)
  return new DataView(read.buffer, read.byteOffset, read.byteLength)
}

/** Beyond what a number holds there is no such file. */
const large = (from: DataView, at: number): number => {
  const value = from.getBigUint64(at, true)
  return value > BigInt(Number.MAX_SAFE_INTEGER) ? refuse(DAMAGED) : Number(value)
}

interface List {
  readonly count: number
  readonly start: number
  readonly size: number
}

/** The end is the last place that has its mark and a comment that ends with the archive. */
const findEnd = (bytes: Bytes): List => {
  const length = Math.min(bytes.size, END_BYTES + LONGEST_COMMENT)
  const from = bytes.size - length
  const tail = view(bytes, from, length)
  for (let at = length - END_BYTES; at >= 0; at--) {
    if (tail.getUint32(at, true) !== END || at + END_BYTES + tail.getUint16(at + 20, true) !== length) continue
    const small = {
      count: tail.getUint16(at + 10, true),
      size: tail.getUint32(at + 12, true),
      start: tail.getUint32(at + 16, true),
    }
    if (tail.getUint16(at + 4, true) !== 0 && tail.getUint16(at + 4, true) !== 0xffff)
      refuse('An archive in several parts cannot be read. Upload it as one.')
    const isLarge = small.count === 0xffff || small.size === IN_LARGE || small.start === IN_LARGE
    return isLarge ? largeEnd(bytes, from + at, small) : small
  }
  return refuse('This is no ZIP archive, or it was cut off. Build and upload it again.')
}

const largeEnd = (bytes: Bytes, end: number, small: List): List => {
  const locator = end < LARGE_LOCATOR_BYTES ? null : view(bytes, end - LARGE_LOCATOR_BYTES, LARGE_LOCATOR_BYTES)
  // An archive of exactly 65,535 files needs no large end.
  if (locator === null || locator.getUint32(0, true) !== LARGE_LOCATOR) return small
  const found = view(bytes, large(locator, 8), LARGE_END_BYTES)
  if (found.getUint32(0, true) !== LARGE_END) refuse(DAMAGED)
  const list = { count: large(found, 32), size: large(found, 40), start: large(found, 48) }
  const disagrees =
    (small.count !== 0xffff && small.count !== list.count) ||
    (small.size !== IN_LARGE && small.size !== list.size) ||
    (small.start !== IN_LARGE && small.start !== list.start)
  return disagrees ? refuse('The archive says two things about its list of files. Build it with another tool.') : list
}

interface Listed extends Omit<ArchivedFile, 'start'> {
  readonly at: number
  readonly flags: number
  readonly rawName: Uint8Array
}

const readList = (list: DataView, count: number): readonly Listed[] => {
  const files: Listed[] = []
  const names = new Set<string>()
  let at = 0
  for (let index = 0; index < count; index++) {
    if (at + LISTED_BYTES > list.byteLength || list.getUint32(at, true) !== LISTED) refuse(DAMAGED)
    const nameBytes = list.getUint16(at + 28, true)
    const extraBytes = list.getUint16(at + 30, true)
    const next = at + LISTED_BYTES + nameBytes + extraBytes + list.getUint16(at + 32, true)
    if (next > list.byteLength) refuse(DAMAGED)
    const file = listedFile(list, at, nameBytes, extraBytes)
    if (names.has(file.name)) refuse(`“${file.name}” is twice in the archive. Build it with another tool.`)
    names.add(file.name)
    files.push(file)
    at = next
  }
  return files
}

const listedFile = (list: DataView, at: number, nameBytes: number, extraBytes: number): Listed => {
  const rawName = new Uint8Array(list.buffer, list.byteOffset + at + LISTED_BYTES, nameBytes)
  const name = checkedName(rawName)
  const flags = list.getUint16(at + 8, true)
  if ((flags & ENCRYPTED) !== 0) refuse(`“${name}” of the archive is encrypted. Upload it without a password.`)
  const method = list.getUint16(at + 10, true)
  if (method !== STORED && method !== DEFLATED) {
    refuse(`“${name}” of the archive is packed by method ${method}; “store” and “deflate” can be read.`)
  }
  if (
    list.getUint16(at + 4, true) >> 8 === UNIX &&
    ((list.getUint32(at + 38, true) >>> 16) & TYPE_BITS) === LINK_TYPE
  ) {
    refuse(`“${name}” of the archive is a link (zip-slip). Only files are taken.`)
  }
  const sizes = largeSizes(list, at, at + LISTED_BYTES + nameBytes, extraBytes)
  if (sizes.size > LIMITS.ARCHIVE_FILE_BYTES) {
    refuse(`“${name}” of the archive is ${sizes.size} bytes unpacked; ${LIMITS.ARCHIVE_FILE_BYTES} are taken.`)
  }
  if (sizes.size > RATIO_FROM_BYTES && sizes.size > sizes.packedSize * LIMITS.ARCHIVE_RATIO) {
    refuse(`“${name}” of the archive unpacks to more than ${LIMITS.ARCHIVE_RATIO} times its size (a ZIP bomb).`)
  }
  if (method === STORED && sizes.size !== sizes.packedSize) refuse(DAMAGED)
  return { name, rawName, flags, isPacked: method === DEFLATED, checksum: list.getUint32(at + 16, true), ...sizes }
}

/** Names are keys and never paths; those that are made to be paths elsewhere are refused by their name. */
const checkedName = (raw: Uint8Array): string => {
  if (raw.byteLength > LIMITS.ARCHIVE_FILE_NAME_BYTES) {
    refuse(`A name in the archive has ${raw.byteLength} bytes; ${LIMITS.ARCHIVE_FILE_NAME_BYTES} are taken.`)
  }
  const name = Buffer.from(raw).toString('utf8')
  const isPath = /^(?:\/|[a-z]:)|(?:^|\/)\.\.(?:\/|$)|\\|\0/i.test(name)
  return isPath || name === ''
    ? refuse(`“${name.slice(0, 200)}” cannot be the name of a file in an archive (zip-slip).`)
    : name
}

const largeSizes = (
  list: DataView,
  at: number,
  extraAt: number,
  extraBytes: number,
): { readonly packedSize: number; readonly size: number; readonly at: number } => {
  const found = {
    size: list.getUint32(at + 24, true),
    packedSize: list.getUint32(at + 20, true),
    at: list.getUint32(at + 42, true),
  }
  const asked = (['size', 'packedSize', 'at'] as const).filter((name) => found[name] === IN_LARGE)
  if (asked.length === 0) return found
  let field = extraAt
  const end = extraAt + extraBytes
  while (field + 4 <= end && list.getUint16(field, true) !== LARGE_FIELD) field += 4 + list.getUint16(field + 2, true)
  if (field + 4 + asked.length * 8 > end || list.getUint16(field + 2, true) < asked.length * 8) return refuse(DAMAGED)
  for (const [index, name] of asked.entries()) found[name] = large(list, field + 4 + index * 8)
  return found
}

const refuseTotals = (files: readonly Listed[]): void => {
  const total = files.reduce((sum, { size }) => sum + size, 0)
  if (total > LIMITS.ARCHIVE_BYTES) {
    refuse(`The archive is ${total} bytes unpacked; ${LIMITS.ARCHIVE_BYTES} are taken. Upload it in parts.`)
  }
}

interface Placed {
  readonly file: ArchivedFile
  /** With what stands in front of it. */
  readonly from: number
  readonly to: number
}

/** Compares what stands in front of a file with the list. */
const placeOf = (bytes: Bytes, listed: Listed, listStart: number): Placed => {
  const { name, size, packedSize, isPacked, checksum, at, rawName, flags } = listed
  const front = view(bytes, at, IN_FRONT_BYTES)
  if (front.getUint32(0, true) !== IN_FRONT) refuse(DAMAGED)
  const nameBytes = front.getUint16(26, true)
  const start = at + IN_FRONT_BYTES + nameBytes + front.getUint16(28, true)
  const sizesBehind = (flags & SIZES_BEHIND) !== 0
  const says = (place: number, value: number): boolean => {
    const found = front.getUint32(place, true)
    return found === value || found === IN_LARGE || (sizesBehind && found === 0)
  }
  const sameName =
    nameBytes === rawName.byteLength && Buffer.compare(bytes.read(at + IN_FRONT_BYTES, nameBytes), rawName) === 0
  const sameMethod = front.getUint16(8, true) === (isPacked ? DEFLATED : STORED)
  const sameFlags = (front.getUint16(6, true) & ENCRYPTED) === 0
  if (!sameName || !sameMethod || !sameFlags || !says(18, packedSize) || !says(22, size)) {
    refuse(`The archive says two things about “${name}”. Build it with another tool.`)
  }
  if (start + packedSize > listStart) refuse(DAMAGED)
  return { file: { name, size, packedSize, isPacked, checksum, start }, from: at, to: start + packedSize }
}

/** Files that share bytes make a small archive huge. */
const refuseOverlaps = (placed: readonly Placed[]): void => {
  let end = 0
  for (const { file, from, to } of placed.toSorted((a, b) => a.from - b.from)) {
    if (from < end) refuse(`“${file.name}” of the archive shares its bytes with another file (a ZIP bomb).`)
    end = to
  }
}
