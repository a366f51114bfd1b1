import { promisify } from 'node:util'
import { crc32, deflateRaw } from 'node:zlib'

export interface ZipEntry {
  readonly name: string
  readonly bytes: Uint8Array
}

const deflate = promisify(deflateRaw)

/** Bit 11: names are UTF-8. Method 8: deflate. The date is 1 January 1980, so that the same files give the same archive. */
const VERSION = 20
const FLAGS = 0x0800
const METHOD = 8
const TIME = 0
const DATE = 33

/** What the archive's fields can say. */
const MOST_ENTRIES = 0xffff
const MOST_BYTES = 0xffff_ffff

/** @returns the archive in parts; null when it would be too large */
export const zipOf = async (entries: readonly ZipEntry[]): Promise<readonly Uint8Array[] | null> => {
  if (entries.length > MOST_ENTRIES) return null
  const parts: Uint8Array[] = []
  const directory: Uint8Array[] = []
  let offset = 0
  for (const { name, bytes } of entries) {
    const packed = await deflate(bytes)
    const encoded = Buffer.from(name)
    const about = aboutEntry(bytes, packed.length, encoded.length)
    const local = Buffer.concat([Buffer.from([0x50, 0x4b, 3, 4]), about, encoded])
    const central = Buffer.alloc(46)
    central.writeUInt32LE(0x02014b50, 0)
    central.writeUInt16LE(VERSION, 4)
    about.copy(central, 6)
    central.writeUInt32LE(offset, 42)
    directory.push(central, encoded)
    parts.push(local, packed)
    offset += local.length + packed.length
    if (offset > MOST_BYTES) return null
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(size, 12)
  end.writeUInt32LE(offset, 16)
  return [...parts, ...directory, end]
}

/** What stands before the file and once more in the directory. */
const aboutEntry = (bytes: Uint8Array, packedBytes: number, nameBytes: number): Buffer => {
  const about = Buffer.alloc(26)
  about.writeUInt16LE(VERSION, 0)
  about.writeUInt16LE(FLAGS, 2)
  about.writeUInt16LE(METHOD, 4)
  about.writeUInt16LE(TIME, 6)
  about.writeUInt16LE(DATE, 8)
  about.writeUInt32LE(crc32(bytes), 10)
  about.writeUInt32LE(packedBytes, 14)
  about.writeUInt32LE(bytes.length, 18)
  about.writeUInt16LE(nameBytes, 22)
  return about
}
