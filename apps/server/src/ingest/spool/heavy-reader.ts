import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from '../../lib/logger.ts'
import { LIMITS } from '../limits.ts'
import type { SpoolPosition, SpoolRecord } from '../road.ts'
import { nodeDisk, readRange } from './disk.ts'
import type { SpoolDisk } from './disk.ts'
import { findRecord, headerAt } from './find-record.ts'
import type { SegmentView } from './find-record.ts'
import { OrderJournal } from './order-journal.ts'
import type { OrderedRecord } from './order-journal.ts'
import { comparePositions, createDurableEnd, formatPosition } from './position.ts'
import {
  RECORD_BYTES_MAX,
  RECORD_HEADER_BYTES,
  decodeHeader,
  decodeOwner,
  decodeRecord,
  recordSeed,
} from './record-format.ts'
import { SEGMENT_HEADER_BYTES, segmentNumbers, segmentPath } from './segment-file.ts'
import type { ReadLimits, SpoolHandle, SpooledRecord, SpoolReader } from './spool-reader.ts'
import { stagedPath } from './staging.ts'
import { Turns } from './turns.ts'
import type { WaitingRecord } from './turns.ts'

/**
 * The heavy records of a spool, in an order in which organisations and projects take turns. To the digest it is a spool of
 * its own: a position in it is a place in that order, which `order-journal.ts` keeps.
 */
export interface HeavyReader extends SpoolReader {
  /** What the record at a place took, in milliseconds. */
  spent(at: SpoolPosition, ms: number): void
  /** Nothing was made of what is placed from here on: whoever comes meanwhile may be before it. */
  giveBack(from: SpoolPosition): Promise<void>
  /** Everything before this place is stored. */
  settled(until: SpoolPosition): void
  /** In the spool: every heavy record before it is stored. */
  passed(): SpoolPosition
}

/**
 * @param onPassed told when `passed()` has moved on without a batch
 * @param onCrowded told which projects may have no more waiting, whenever that has changed
 */
export const openHeavyReader = async (dependencies: {
  readonly spool: SpoolHandle
  readonly logger: Logger
  readonly onPassed: (position: SpoolPosition) => void
  readonly onCrowded?: (projects: readonly number[]) => void
  readonly disk?: SpoolDisk
}): Promise<HeavyReader> => {
  const disk = dependencies.disk ?? nodeDisk
  const journal = await OrderJournal.open(dependencies.spool.directory, disk)
  return new OrderedReader({ ...dependencies, disk }, journal)
}

const placeOf = (at: number): SpoolPosition => ({ segment: 0, offset: at })

/** What is read at once of a segment that is looked through. */
const LOOK_BYTES = 1024 * 1024

class OrderedReader implements HeavyReader {
  readonly #spool: SpoolHandle
  readonly #disk: SpoolDisk
  readonly #logger: Logger
  readonly #onPassed: (position: SpoolPosition) => void
  readonly #onCrowded: ((projects: readonly number[]) => void) | undefined
  /** Those that were told, joined by commas. */
  #crowded: string | null = null
  readonly #journal: OrderJournal
  readonly #durable: ReturnType<typeof createDurableEnd>
  readonly #seed: number
  readonly #turns = new Turns(LIMITS.HEAVY_MS_PER_MIB / (1024 * 1024))
  /** Those that are in the order and not stored yet, by their place. */
  readonly #taken = new Map<number, WaitingRecord>()
  /** Places of the records that the journal had at the start, by where they stand: they are not ordered once more. */
  readonly #known: Map<string, number>
  /** Everything before it was looked through. */
  #scanned: SpoolPosition | null = null
  #scanning: Promise<void> | null = null
  /** Where the next record is placed. */
  #next: number
  #settledAt = 0
  readonly #looked: OpenSegment
  readonly #read: OpenSegment

  constructor(
    parts: {
      readonly spool: SpoolHandle
      readonly disk: SpoolDisk
      readonly logger: Logger
      readonly onPassed: (position: SpoolPosition) => void
      readonly onCrowded?: (projects: readonly number[]) => void
    },
    journal: OrderJournal,
  ) {
    this.#spool = parts.spool
    this.#disk = parts.disk
    this.#logger = parts.logger
    this.#onPassed = parts.onPassed
    this.#onCrowded = parts.onCrowded
    this.#journal = journal
    this.#durable = createDurableEnd(parts.spool.durableEnd)
    this.#seed = recordSeed(parts.spool.id)
    this.#looked = new OpenSegment(parts.spool.directory, parts.disk)
    this.#read = new OpenSegment(parts.spool.directory, parts.disk)
    this.#known = new Map(journal.entries.map(({ at, position }) => [formatPosition(position), at]))
    const last = journal.entries.at(-1)
    this.#next = last === undefined ? 0 : last.at + last.bytes
  }

  end(): SpoolPosition {
    return placeOf(this.#next + this.#turns.bytes)
  }

  async changed(seen: SpoolPosition, timeoutMs: number): Promise<void> {
    await this.#scan()
    if (comparePositions(this.end(), seen) !== 0) return
    await this.#durable.changed(this.#scanned ?? placeOf(0), timeoutMs)
    // Records come by the hundreds a second: they are looked through together.
    await pause(LIMITS.HEAVY_LOOK_MS)
    await this.#scan()
  }

  async read(from: SpoolPosition, limits: ReadLimits): Promise<{ records: SpooledRecord[]; end: SpoolPosition }> {
    await this.#scan()
    const { segment } = this.passed()
    await this.#journal.shorten(({ at, position }) => at < this.#settledAt && position.segment < segment)
    const ordered = this.#journal.entries.filter(({ at }) => at >= from.offset)
    const entries = ordered.length > 0 ? within(ordered, limits) : await this.#order(from, limits)
    return this.#load(entries, from)
  }

  readUntil(from: SpoolPosition, until: SpoolPosition): Promise<{ records: SpooledRecord[]; end: SpoolPosition }> {
    const entries = this.#journal.entries.filter(({ at }) => at >= from.offset && at < until.offset)
    return this.#load(entries, until)
  }

  spent(at: SpoolPosition, ms: number): void {
    const record = this.#taken.get(at.offset)
    if (record !== undefined) this.#turns.spent(record, ms)
  }

  async giveBack(from: SpoolPosition): Promise<void> {
    const entries = await this.#journal.cut(from.offset)
    for (const { at } of entries.toReversed()) {
      const record = this.#taken.get(at)
      if (record === undefined) continue
      this.#taken.delete(at)
      this.#turns.giveBack(record)
    }
    this.#next = Math.min(this.#next, from.offset)
  }

  settled(until: SpoolPosition): void {
    this.#settledAt = until.offset
    this.#next = Math.max(this.#next, until.offset)
    for (const at of this.#taken.keys()) if (at < until.offset) this.#taken.delete(at)
    this.#turns.forget()
    this.#tellCrowded()
  }

  passed(): SpoolPosition {
    let first = this.#turns.oldest() ?? this.#scanned ?? placeOf(0)
    for (const { position } of this.#taken.values()) if (comparePositions(position, first) < 0) first = position
    return first
  }

  async close(): Promise<void> {
    await this.#scanning
    await this.#looked.close()
    await this.#read.close()
    await this.#journal.close()
  }

  /** The next records by turns, as soon as their order is on disk. */
  async #order(from: SpoolPosition, limits: ReadLimits): Promise<readonly OrderedRecord[]> {
    const start = Math.max(this.#next, from.offset)
    const records: WaitingRecord[] = []
    const entries: OrderedRecord[] = []
    let at = start
    while (records.length < limits.records && at - start < limits.bytes) {
      const record = this.#turns.take()
      if (record === null) break
      records.push(record)
      entries.push({ at, position: record.position, bytes: record.bytes })
      at += record.bytes
    }
    // Before their order is on disk: a batch that is stored meanwhile must not let their segments go.
    records.forEach((record, index) => this.#taken.set(entries[index]?.at ?? at, record))
    try {
      if (entries.length > 0) await this.#journal.append(entries)
    } catch (error) {
      for (const entry of entries) this.#taken.delete(entry.at)
      for (const record of records.toReversed()) this.#turns.giveBack(record)
      throw error
    }
    this.#next = at
    return entries
  }

  async #load(
    entries: readonly OrderedRecord[],
    end: SpoolPosition,
  ): Promise<{ records: SpooledRecord[]; end: SpoolPosition }> {
    const records: SpooledRecord[] = []
    let fileBytes = 0
    for (const { at, bytes, position } of entries) {
      if (fileBytes >= LIMITS.DIGEST_BATCH_FILE_BYTES) break
      const record = await this.#record(position, bytes)
      records.push({ position: placeOf(at), end: placeOf(at + bytes), record })
      if (record.kind === 'envelope') for (const file of record.files ?? []) fileBytes += file.bytes
    }
    return { records, end: records.at(-1)?.end ?? end }
  }

  async #record(position: SpoolPosition, bytes: number): Promise<SpoolRecord> {
    const fd = await this.#read.open(position.segment)
    const buffer = fd === null ? null : await readRange(this.#disk, fd, position.offset, bytes)
    const header = buffer === null ? null : decodeHeader(buffer, 0, this.#seed)
    const isWhole = buffer !== null && header !== null && buffer.byteLength === header.bytes
    const decoded = isWhole ? decodeRecord(buffer, 0, header) : null
    if (decoded === null || decoded.kind !== 'valid') {
      const damage = { ...position, bytes }
      this.#logger.error(
        'spool: bytes on disk are damaged; what they held is lost. Check the disk of the data folder',
        damage,
      )
    }
    if (decoded === null || decoded.kind === 'unreadable') return { kind: 'outcomes', receivedAt: 0, outcomes: [] }
    const { record } = decoded
    if (record.kind !== 'envelope' || record.files === undefined) return record
    const { directory } = this.#spool
    return { ...record, files: record.files.map((file) => ({ ...file, path: stagedPath(directory, file.path) })) }
  }

  /** Looks through what came since it was last called. */
  #scan(): Promise<void> {
    this.#scanning ??= this.#scanOn().finally(() => {
      this.#scanning = null
    })
    return this.#scanning
  }

  async #scanOn(): Promise<void> {
    const end = this.#durable.get()
    let at = this.#scanned ?? placeOf(0)
    while (comparePositions(at, end) < 0 && this.#turns.size < LIMITS.HEAVY_WAITING_RECORDS) {
      const fd = await this.#looked.open(at.segment)
      const offset = Math.max(at.offset, SEGMENT_HEADER_BYTES)
      const limit = fd === null ? 0 : at.segment === end.segment ? end.offset : await this.#disk.size(fd)
      if (fd !== null && offset < limit) {
        at = { segment: at.segment, offset: await this.#scanSegment({ fd, limit }, at.segment, offset) }
      } else {
        const next = at.segment < end.segment ? await this.#segmentAfter(at.segment) : null
        at = next === null || next > end.segment ? end : { segment: next, offset: SEGMENT_HEADER_BYTES }
      }
      this.#scanned = at
    }
    this.#scanned = at
    this.#onPassed(this.passed())
    this.#tellCrowded()
  }

  #tellCrowded(): void {
    const projects = this.#turns.crowded(
      { ms: LIMITS.HEAVY_BACKLOG_MS, records: LIMITS.HEAVY_BACKLOG_RECORDS },
      { ms: LIMITS.HEAVY_ORGANIZATION_BACKLOG_MS, records: LIMITS.HEAVY_ORGANIZATION_BACKLOG_RECORDS },
    )
    const crowded = projects.join(',')
    if (crowded === this.#crowded) return
    this.#crowded = crowded
    this.#onCrowded?.(projects)
  }

  /** Headers alone are read, and of heavy records whose they are. @returns how far it came */
  async #scanSegment(
    { fd, limit }: { readonly fd: number; readonly limit: number },
    segment: number,
    start: number,
  ): Promise<number> {
    const view: SegmentView = { disk: this.#disk, fd, limit, seed: this.#seed }
    const buffer = await readRange(this.#disk, fd, start, Math.min(LOOK_BYTES, limit - start))
    let at = start
    while (at < limit && at - start < buffer.byteLength) {
      const inside = decodeHeader(buffer, at - start, this.#seed)
      const isPossible = inside !== null && inside.bytes <= RECORD_BYTES_MAX && at + inside.bytes <= limit
      const header = isPossible ? inside : await headerAt(view, at)
      if (header === null) {
        // Whoever reads the rest of the spool tells of the damage.
        at = (await findRecord(view, at + 1)) ?? limit
        continue
      }
      if (header.isHeavy) {
        const meta = await readRange(this.#disk, fd, at + RECORD_HEADER_BYTES, header.metaBytes)
        const owner = decodeOwner(meta, header)
        const position = { segment, offset: at }
        if (owner !== null) this.#found({ ...owner, position, bytes: header.bytes })
        else
          this.#logger.error(
            'spool: bytes on disk are damaged; what they held is lost. Check the disk of the data folder',
            { ...position },
          )
      }
      at += header.bytes
    }
    return at
  }

  #found(record: WaitingRecord): void {
    const key = formatPosition(record.position)
    const at = this.#known.get(key)
    this.#known.delete(key)
    if (at === undefined) this.#turns.add(record)
    else if (at >= this.#settledAt) this.#taken.set(at, record)
  }

  async #segmentAfter(segment: number): Promise<number | null> {
    return segmentNumbers(await this.#disk.list(this.#spool.directory)).find((number) => number > segment) ?? null
  }
}

/** One segment's file at a time. */
class OpenSegment {
  readonly #directory: string
  readonly #disk: SpoolDisk
  #open: { readonly segment: number; readonly fd: number } | null = null

  constructor(directory: string, disk: SpoolDisk) {
    this.#directory = directory
    this.#disk = disk
  }

  /** The segment's file, or null when it does not exist. */
  async open(segment: number): Promise<number | null> {
    if (this.#open?.segment === segment) return this.#open.fd
    await this.close()
    try {
      this.#open = { segment, fd: await this.#disk.open(segmentPath(this.#directory, segment), 'r') }
      return this.#open.fd
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
      throw error
    }
  }

  async close(): Promise<void> {
    const open = this.#open
    this.#open = null
    if (open !== null) await this.#disk.close(open.fd)
  }
}

const within = (entries: readonly OrderedRecord[], limits: ReadLimits): readonly OrderedRecord[] => {
  const start = entries[0]?.at ?? 0
  return entries.slice(0, limits.records).filter(({ at }) => at === start || at - start < limits.bytes)
}
