import { decodeUtf8 } from '@firsthand/protocol'

/**
 * Reads MessagePack, in which native SDKs write their event and breadcrumbs beside a minidump. Read tolerantly: binary
 * and extension values become null, 64-bit integers become numbers, map keys become strings.
 */
const UNREADABLE = Symbol('unreadable')

interface Cursor {
  readonly bytes: Uint8Array
  readonly view: DataView
  at: number
}

/** All values of a stream, one after the other. Null when the bytes are not MessagePack or nested deeper than `maxDepth`. */
export const readMessagePack = (bytes: Uint8Array, maxDepth: number): unknown[] | null => {
  const cursor: Cursor = { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), at: 0 }
  const values: unknown[] = []
  try {
    while (cursor.at < bytes.byteLength) {
      const value = readValue(cursor, maxDepth)
      if (value === UNREADABLE) return null
      values.push(value)
    }
  } catch (error) {
    // A read beyond the end: the stream is cut off.
    if (error instanceof RangeError) return null
    throw error
  }
  return values
}

const readValue = (cursor: Cursor, depth: number): unknown => {
  if (depth < 0) return UNREADABLE
  const tag = readNumber(cursor, 1, (at) => cursor.view.getUint8(at))
  if (tag < 0x80) return tag
  if (tag < 0x90) return readMap(cursor, tag & 0x0f, depth)
  if (tag < 0xa0) return readArray(cursor, tag & 0x0f, depth)
  if (tag < 0xc0) return readText(cursor, tag & 0x1f)
  if (tag >= 0xe0) return tag - 0x100
  return readTagged(cursor, tag, depth)
}

const readTagged = (cursor: Cursor, tag: number, depth: number): unknown => {
  const { view } = cursor
  switch (tag) {
    case 0xc0:
      return null
    case 0xc2:
      return false
    case 0xc3:
      return true
    case 0xc4:
    case 0xc5:
    case 0xc6:
      return skip(cursor, readSize(cursor, tag - 0xc4))
    case 0xc7:
    case 0xc8:
    case 0xc9:
      return skip(cursor, readSize(cursor, tag - 0xc7) + 1)
    case 0xca:
      return readNumber(cursor, 4, (at) => view.getFloat32(at))
    case 0xcb:
      return readNumber(cursor, 8, (at) => view.getFloat64(at))
    case 0xcc:
    case 0xcd:
    case 0xce:
      return readSize(cursor, tag - 0xcc)
    case 0xcf:
      return readNumber(cursor, 8, (at) => Number(view.getBigUint64(at)))
    case 0xd0:
      return readNumber(cursor, 1, (at) => view.getInt8(at))
    case 0xd1:
      return readNumber(cursor, 2, (at) => view.getInt16(at))
    case 0xd2:
      return readNumber(cursor, 4, (at) => view.getInt32(at))
    case 0xd3:
      return readNumber(cursor, 8, (at) => Number(view.getBigInt64(at)))
    case 0xd4:
    case 0xd5:
    case 0xd6:
    case 0xd7:
    case 0xd8:
      return skip(cursor, 2 ** (tag - 0xd4) + 1)
    case 0xd9:
    case 0xda:
    case 0xdb:
      return readText(cursor, readSize(cursor, tag - 0xd9))
    case 0xdc:
    case 0xdd:
      return readArray(cursor, readSize(cursor, tag - 0xdc + 1), depth)
    case 0xde:
    case 0xdf:
      return readMap(cursor, readSize(cursor, tag - 0xde + 1), depth)
    default:
      return UNREADABLE
  }
}

const readNumber = (cursor: Cursor, width: number, read: (at: number) => number): number => {
  const value = read(cursor.at)
  cursor.at += width
  return value
}

/** A size of 1, 2 or 4 bytes. */
const readSize = (cursor: Cursor, power: number): number => {
  const { view } = cursor
  if (power === 0) return readNumber(cursor, 1, (at) => view.getUint8(at))
  if (power === 1) return readNumber(cursor, 2, (at) => view.getUint16(at))
  return readNumber(cursor, 4, (at) => view.getUint32(at))
}

const skip = (cursor: Cursor, length: number): null | typeof UNREADABLE => {
  cursor.at += length
  return cursor.at > cursor.bytes.byteLength ? UNREADABLE : null
}

const readText = (cursor: Cursor, length: number): string | typeof UNREADABLE => {
  const end = cursor.at + length
  if (end > cursor.bytes.byteLength) return UNREADABLE
  const text = decodeUtf8(cursor.bytes.subarray(cursor.at, end))
  cursor.at = end
  return text
}

/** Elements are read one by one, so a size that is a lie ends at the end of the bytes. */
const readArray = (cursor: Cursor, length: number, depth: number): unknown => {
  const values: unknown[] = []
  for (let index = 0; index < length; index++) {
    const value = readValue(cursor, depth - 1)
    if (value === UNREADABLE) return UNREADABLE
    values.push(value)
  }
  return values
}

/** No SDK names a value by a map or a list; a map without prototype has no text either. */
const isContainer = (key: unknown): boolean => typeof key === 'object' && key !== null

const readMap = (cursor: Cursor, length: number, depth: number): unknown => {
  const map: Record<string, unknown> = Object.create(null)
  for (let index = 0; index < length; index++) {
    const key = readValue(cursor, 0)
    const value = readValue(cursor, depth - 1)
    if (key === UNREADABLE || value === UNREADABLE || isContainer(key)) return UNREADABLE
    map[String(key)] = value
  }
  return map
}
