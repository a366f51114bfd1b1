import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { SpoolPosition } from '../road.ts'
import { readRange, writeAll } from './disk.ts'
import type { SpoolDisk } from './disk.ts'

/**
 * In which order heavy records are digested: a file beside the segments, on disk before anything is made of what it names.
 * So a batch that was under way when its process died is found again, though it is no stretch of the spool.
 *
 * One entry, all numbers little-endian: where the record is placed in the order (u64, the sum of the bytes of all before
 * it), its segment and offset in the spool and its bytes (u32 each), and the CRC-32 of these 20 bytes (u32).
 */
export interface OrderedRecord {
  /** Its place: bytes of all that come before it. */
  readonly at: number
  readonly position: SpoolPosition
  readonly bytes: number
}

const ENTRY_BYTES = 24
/** Whether this file is there says whether there ever was a heavy record. */
export const HEAVY_ORDER = 'heavy-order'
/** Entries that are done are left behind once the file is larger than this. */
const ROOM_BYTES = 256 * 1024

const encode = (entries: readonly OrderedRecord[]): Buffer => {
  const buffer = Buffer.alloc(entries.length * ENTRY_BYTES)
  entries.forEach(({ at, bytes, position }, index) => {
    const start = index * ENTRY_BYTES
    buffer.writeBigUInt64LE(BigInt(at), start)
    buffer.writeUInt32LE(position.segment, start + 8)
    buffer.writeUInt32LE(position.offset, start + 12)
    buffer.writeUInt32LE(bytes, start + 16)
    buffer.writeUInt32LE(crc32(buffer.subarray(start, start + 20)), start + 20)
  })
  return buffer
}

/** Up to the first that is torn: nothing was made of it, nor of what follows. */
export const decodeOrder = (buffer: Buffer): OrderedRecord[] => {
  const entries: OrderedRecord[] = []
  for (let start = 0; start + ENTRY_BYTES <= buffer.byteLength; start += ENTRY_BYTES) {
    if (crc32(buffer.subarray(start, start + 20)) !== buffer.readUInt32LE(start + 20)) break
    entries.push({
      at: Number(buffer.readBigUInt64LE(start)),
      position: { segment: buffer.readUInt32LE(start + 8), offset: buffer.readUInt32LE(start + 12) },
      bytes: buffer.readUInt32LE(start + 16),
    })
  }
  return entries
}

/** Makes the file where there is none. Two may do so at the same time. */
export const makeOrder = async (directory: string, disk: SpoolDisk): Promise<void> => {
  if ((await disk.list(directory)).includes(HEAVY_ORDER)) return
  try {
    await disk.close(await disk.open(join(directory, HEAVY_ORDER), 'wx'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  await disk.syncDirectory(directory)
}

export class OrderJournal {
  readonly #directory: string
  readonly #disk: SpoolDisk
  #fd: number
  #entries: OrderedRecord[]

  private constructor(directory: string, disk: SpoolDisk, fd: number, entries: OrderedRecord[]) {
    this.#directory = directory
    this.#disk = disk
    this.#fd = fd
    this.#entries = entries
  }

  static async open(directory: string, disk: SpoolDisk): Promise<OrderJournal> {
    await makeOrder(directory, disk)
    const fd = await disk.open(join(directory, HEAVY_ORDER), 'r+')
    const entries = decodeOrder(await readRange(disk, fd, 0, await disk.size(fd)))
    await disk.truncate(fd, entries.length * ENTRY_BYTES)
    await disk.sync(fd)
    return new OrderJournal(directory, disk, fd, entries)
  }

  /** In their order; those that are done may be missing. */
  get entries(): readonly OrderedRecord[] {
    return this.#entries
  }

  /** Resolves when they are on disk. */
  async append(entries: readonly OrderedRecord[]): Promise<void> {
    const start = this.#entries.length * ENTRY_BYTES
    await writeAll(this.#disk, this.#fd, [encode(entries)], start)
    await this.#disk.sync(this.#fd)
    this.#entries.push(...entries)
  }

  /** Nothing was made of what is placed from `at` on: another order may follow. @returns what that was */
  async cut(at: number): Promise<readonly OrderedRecord[]> {
    const index = this.#entries.findIndex((entry) => entry.at >= at)
    if (index < 0) return []
    await this.#disk.truncate(this.#fd, index * ENTRY_BYTES)
    return this.#entries.splice(index)
  }

  /** Leaves out what is done, when the file has become large. @param isDone its segment is no longer needed */
  async shorten(isDone: (entry: OrderedRecord) => boolean): Promise<void> {
    if (this.#entries.length * ENTRY_BYTES <= ROOM_BYTES) return
    const kept = this.#entries.filter((entry) => !isDone(entry))
    if (kept.length * 2 > this.#entries.length) return
    const path = join(this.#directory, HEAVY_ORDER)
    const next = `${path}.next`
    // Left by a process that died here; mostly there is none, and what cannot be removed fails right below.
    await this.#disk.remove(next).catch(() => undefined)
    const fd = await this.#disk.open(next, 'wx')
    await writeAll(this.#disk, fd, [encode(kept)], 0)
    await this.#disk.sync(fd)
    await this.#disk.rename(next, path)
    await this.#disk.syncDirectory(this.#directory)
    await this.#disk.close(this.#fd)
    this.#fd = fd
    this.#entries = kept
  }

  close(): Promise<void> {
    return this.#disk.close(this.#fd)
  }
}
