import { crc32, deflateRawSync } from 'node:zlib'
import type { Bytes } from './zip.ts'

/** One file of an archive that a test makes, with what is to be wrong about it. */
export interface FileToZip {
  readonly name: string
  readonly content: string | Uint8Array
  readonly stored?: boolean
  readonly flags?: number
  readonly method?: number
  readonly attributes?: number
  /** What the list says instead of the truth. */
  readonly size?: number
  readonly checksum?: number
  /** What stands in front says instead of the list. */
  readonly frontName?: string
  readonly frontSize?: number
  /** Begins where the file of this number does, without bytes of its own. */
  readonly sameAs?: number
}

export const zipOf = (files: readonly FileToZip[], { prefix = '', comment = '' } = {}): Buffer => {
  const parts: Buffer[] = [Buffer.from(prefix, 'latin1')]
  const listed: Buffer[] = []
  const places: number[] = []
  let at = parts[0]?.length ?? 0
  for (const file of files) {
    const content = Buffer.from(file.content)
    const packed = file.stored === true ? content : deflateRawSync(content)
    const method = file.method ?? (file.stored === true ? 0 : 8)
    const size = file.size ?? content.length
    const checksum = file.checksum ?? crc32(content)
    const place = file.sameAs === undefined ? at : (places[file.sameAs] ?? 0)
    places.push(place)
    if (file.sameAs === undefined) {
      const name = Buffer.from(file.frontName ?? file.name)
      const front = Buffer.alloc(30)
      front.writeUInt32LE(0x04034b50, 0)
      front.writeUInt16LE(file.flags ?? 0, 6)
      front.writeUInt16LE(method, 8)
      front.writeUInt32LE(checksum, 14)
      front.writeUInt32LE(packed.length, 18)
      front.writeUInt32LE(file.frontSize ?? size, 22)
      front.writeUInt16LE(name.length, 26)
      parts.push(front, name, packed)
      at += front.length + name.length + packed.length
    }
    const name = Buffer.from(file.name)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(file.attributes === undefined ? 20 : 0x0314, 4)
    entry.writeUInt16LE(file.flags ?? 0, 8)
    entry.writeUInt16LE(method, 10)
    entry.writeUInt32LE(checksum, 16)
    entry.writeUInt32LE(packed.length, 20)
    entry.writeUInt32LE(size, 24)
    entry.writeUInt16LE(name.length, 28)
    entry.writeUInt32LE(file.attributes ?? 0, 38)
    entry.writeUInt32LE(place, 42)
    listed.push(entry, name)
  }
  const list = Buffer.concat(listed)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(list.length, 12)
  end.writeUInt32LE(at, 16)
  end.writeUInt16LE(comment.length, 20)
  return Buffer.concat([...parts, list, end, Buffer.from(comment, 'latin1')])
}

export const bytesOf = (buffer: Uint8Array): Bytes => ({
  size: buffer.byteLength,
  read: (at, length) => buffer.subarray(at, at + length),
})
