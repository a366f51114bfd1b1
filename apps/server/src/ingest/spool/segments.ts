import type { Logger } from '../../lib/logger.ts'
import type { SpoolPosition } from '../road.ts'
import { readRange, writeAll } from './disk.ts'
import type { SpoolDisk } from './disk.ts'
import { findEnd, projectOfTorn } from './find-record.ts'
import { SPOOL_START, comparePositions, createDurableEnd } from './position.ts'
import { recordSeed } from './record-format.ts'
import {
  SEGMENT_HEADER_BYTES,
  decodeSegmentHeader,
  encodeSegmentHeader,
  segmentNumbers,
  segmentPath,
} from './segment-file.ts'

/** Where a spool is. */
export interface SpoolPlace {
  /** 32 hex characters. */
  readonly id: string
  readonly directory: string
  readonly disk: SpoolDisk
  readonly logger: Logger
}

interface ActiveSegment {
  readonly number: number
  readonly fd: number
  /** Everything before it is on disk. */
  offset: number
}

/** The spool's files: the one that is written to, and those before it that are not digested yet. */
export class Segments {
  readonly #place: SpoolPlace
  readonly #durable = createDurableEnd()
  /** Bytes on disk by segment, the active one included; ascending. */
  readonly #sizes: Map<number, number>
  #active: ActiveSegment
  /** Everything before it is digested. */
  #settledAt = SPOOL_START

  private constructor(place: SpoolPlace, sizes: Map<number, number>, active: ActiveSegment) {
    this.#place = place
    this.#sizes = sizes
    this.#active = active
    this.#begin(active)
  }

  /** What follows the last whole record is cut off. */
  static async open(place: SpoolPlace): Promise<Segments> {
    const sizes = new Map<number, number>()
    return new Segments(place, sizes, await openLast(place, sizes))
  }

  /** The word that readers in other threads look at. */
  get durableEnd(): SharedArrayBuffer {
    return this.#durable.buffer
  }

  /** Everything before it is on disk. */
  end(): SpoolPosition {
    return this.#durable.get()
  }

  /** Of the last record when the spool was opened: nothing was written since. */
  recordsEnd(): SpoolPosition {
    const [segment, offset] = [...this.#sizes].findLast(([, size]) => size > SEGMENT_HEADER_BYTES) ?? [0, 0]
    return { segment, offset }
  }

  /** Of the segment that is written to. */
  get activeBytes(): number {
    return this.#active.offset
  }

  /** Bytes of records that are not digested yet. The header of a segment waits for nobody. */
  backlogBytes(): number {
    const settledAt = this.#settledAt
    let bytes = 0
    for (const [segment, size] of this.#sizes) {
      if (segment < settledAt.segment) continue
      const done = segment === settledAt.segment ? settledAt.offset : 0
      bytes += Math.max(0, size - Math.max(done, SEGMENT_HEADER_BYTES))
    }
    return bytes
  }

  /**
   * Writes behind what is there. It counts, and readers see it, only after `sync`.
   *
   * @returns where it ends
   */
  write(parts: readonly Uint8Array[]): Promise<number> {
    return writeAll(this.#place.disk, this.#active.fd, parts, this.#active.offset)
  }

  /** @throws when what was written up to `end` would not be found again */
  async sync(end: number): Promise<void> {
    const active = this.#active
    await this.#place.disk.sync(active.fd)
    if (!this.isInPlace()) throw new Error('the data folder was removed or replaced')
    active.offset = end
    this.#sizes.set(active.number, end)
    this.#durable.set({ segment: active.number, offset: end })
  }

  /** False when the folder was removed or replaced: what is written now is lost. */
  isInPlace(): boolean {
    return this.#place.disk.isStillAt(segmentPath(this.#place.directory, this.#active.number), this.#active.fd)
  }

  /** Goes on in a new segment, with the next number when none is given. */
  async rotate(number = this.#active.number + 1): Promise<void> {
    const old = this.#active
    const created = await createSegment(this.#place, number)
    this.#begin(created)
    // All of it is synced; a failing close loses nothing.
    await this.#place.disk.close(old.fd).catch(() => undefined)
  }

  /** Cuts the torn tail off after a failed write; after a failed sync the whole segment is left behind. */
  async repair(leaveSegment: boolean): Promise<void> {
    const { directory, disk } = this.#place
    const { fd, number, offset } = this.#active
    await disk.truncate(fd, offset)
    if (leaveSegment) {
      // An attempt that failed may have left its file, which holds nothing.
      await disk.remove(segmentPath(directory, number + 1)).catch(() => undefined)
      await this.rotate()
    } else {
      await disk.sync(fd)
    }
  }

  /** Everything before `position` is digested: segments wholly before it are removed. */
  settled(position: SpoolPosition): void {
    if (comparePositions(position, this.#settledAt) <= 0) return
    this.#settledAt = position
    const { directory, disk, logger } = this.#place
    for (const segment of this.#sizes.keys()) {
      if (segment >= position.segment || segment === this.#active.number) break
      this.#sizes.delete(segment)
      disk.remove(segmentPath(directory, segment)).catch((error: unknown) => {
        logger.warn('spool: a digested segment could not be removed; it takes room until the next start', {
          segment,
          error: String(error),
        })
      })
    }
  }

  close(): Promise<void> {
    return this.#place.disk.close(this.#active.fd)
  }

  #begin(active: ActiveSegment): void {
    this.#active = active
    this.#sizes.set(active.number, active.offset)
    this.#durable.set({ segment: active.number, offset: active.offset })
  }
}

const createSegment = async ({ directory, disk, id }: SpoolPlace, number: number): Promise<ActiveSegment> => {
  const path = segmentPath(directory, number)
  const fd = await disk.open(path, 'wx')
  try {
    await writeAll(disk, fd, [encodeSegmentHeader(number, id)], 0)
    await disk.sync(fd)
    await disk.syncDirectory(directory)
  } catch (error) {
    // A half-made segment would be in the way of the next attempt.
    await disk.close(fd).catch(() => undefined)
    await disk.remove(path).catch(() => undefined)
    throw error
  }
  return { number, fd, offset: SEGMENT_HEADER_BYTES }
}

/**
 * Makes the last segment sound and returns the one to append to: a last one without records, else a new one.
 *
 * @param sizes takes those of the segments before it
 */
const openLast = async (place: SpoolPlace, sizes: Map<number, number>): Promise<ActiveSegment> => {
  const { directory, disk, id, logger } = place
  const seed = recordSeed(id)
  const numbers = segmentNumbers(await disk.list(directory))
  for (const number of numbers.slice(0, -1)) {
    const fd = await disk.open(segmentPath(directory, number), 'r')
    sizes.set(number, await disk.size(fd))
    await disk.close(fd)
  }
  const last = numbers.at(-1)
  if (last === undefined) return createSegment(place, 0)

  const path = segmentPath(directory, last)
  const fd = await disk.open(path, 'r+')
  const size = await disk.size(fd)
  const header = decodeSegmentHeader(await readRange(disk, fd, 0, SEGMENT_HEADER_BYTES), last)
  if (header === null && size <= SEGMENT_HEADER_BYTES) {
    // The process died while it created this segment: nothing in it was ever acknowledged.
    await disk.close(fd)
    await disk.remove(path)
    return createSegment(place, last)
  }
  const end = await findEnd({ disk, fd, limit: size, seed }, SEGMENT_HEADER_BYTES)
  if (end < size) {
    logger.warn(
      'spool: what follows the last whole record is torn and is cut off. A write that was interrupted was never acknowledged; if the disk is damaged, something that was may be lost',
      {
        segment: last,
        offset: end,
        bytes: size - end,
        project: await projectOfTorn({ disk, fd, limit: size, seed }, end),
      },
    )
    await disk.truncate(fd, end)
  }
  // What a killed process wrote and did not sync is whole, but not yet safe from a power cut.
  await disk.sync(fd)
  sizes.set(last, end)
  if (end === SEGMENT_HEADER_BYTES && header !== null) return { number: last, fd, offset: end }
  await disk.close(fd)
  return createSegment(place, last + 1)
}
