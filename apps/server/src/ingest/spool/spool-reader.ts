import type { Logger } from '../../lib/logger.ts'
import { LIMITS } from '../limits.ts'
import type { SpoolPosition, SpoolRecord } from '../road.ts'
import { nodeDisk, readRange } from './disk.ts'
import type { SpoolDisk } from './disk.ts'
import { findRecord, headerAt } from './find-record.ts'
import type { SegmentView } from './find-record.ts'
import { comparePositions, createDurableEnd } from './position.ts'
import { RECORD_BYTES_MAX, decodeHeader, decodeRecord, recordSeed } from './record-format.ts'
import { SEGMENT_HEADER_BYTES, segmentNumbers, segmentPath } from './segment-file.ts'
import { stagedPath } from './staging.ts'

/** What a reader in another thread needs to know of a spool. Can be posted. */
export interface SpoolHandle {
  /** 32 hex characters. */
  readonly id: string
  readonly directory: string
  readonly durableEnd: SharedArrayBuffer
}

export interface SpooledRecord {
  readonly position: SpoolPosition
  readonly end: SpoolPosition
  readonly record: SpoolRecord
}

export interface SpoolRead {
  readonly records: readonly SpooledRecord[]
  /** Where to go on. May be beyond the last record, when damaged bytes or the end of a segment were passed. */
  readonly end: SpoolPosition
}

export interface ReadLimits {
  /** A single record that is longer is still read, alone. */
  readonly bytes: number
  readonly records: number
}

export interface SpoolReader {
  /** Nothing is ever added: whoever has read up to `end()` is done. */
  readonly isFinite?: true
  /** At most so many of the records after `from`, all of one segment and none heavy. Empty when nothing is there. */
  read(from: SpoolPosition, limits: ReadLimits): Promise<SpoolRead>
  /** Exactly the records between the two positions: the same ones as when the batch was first read. */
  readUntil(from: SpoolPosition, until: SpoolPosition): Promise<SpoolRead>
  /** Everything before it is on disk. */
  end(): SpoolPosition
  /** Resolves when `end()` is no longer `seen`, at the latest after `timeoutMs`. */
  changed(seen: SpoolPosition, timeoutMs: number): Promise<void>
  /** What it took to read what is in the record that starts here, in milliseconds. */
  spent?(position: SpoolPosition, ms: number): void
  /** Nothing was made of what was read from here on: something else may come before it. */
  giveBack?(from: SpoolPosition): Promise<void>
  close(): Promise<void>
}

export const createSpoolReader = (dependencies: {
  readonly spool: SpoolHandle
  readonly logger: Logger
  readonly disk?: SpoolDisk
}): SpoolReader => {
  const { spool, logger } = dependencies
  const disk = dependencies.disk ?? nodeDisk
  const durable = createDurableEnd(spool.durableEnd)
  const seed = recordSeed(spool.id)
  let current: { readonly segment: number; readonly fd: number } | null = null

  const close = async (): Promise<void> => {
    const open = current
    current = null
    if (open !== null) await disk.close(open.fd)
  }

  /** The segment's file, or null when it does not exist. */
  const openSegment = async (segment: number): Promise<number | null> => {
    if (current?.segment === segment) return current.fd
    await close()
    try {
      current = { segment, fd: await disk.open(segmentPath(spool.directory, segment), 'r') }
      return current.fd
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
      throw error
    }
  }

  const nextSegment = async (after: number): Promise<number | null> =>
    segmentNumbers(await disk.list(spool.directory)).find((segment) => segment > after) ?? null

  const withPaths = (spooled: SpooledRecord): SpooledRecord => {
    const { record } = spooled
    if (record.kind !== 'envelope' || record.files === undefined) return spooled
    const files = record.files.map((file) => ({ ...file, path: stagedPath(spool.directory, file.path) }))
    return { ...spooled, record: { ...record, files } }
  }

  const readBetween = async (from: SpoolPosition, until: SpoolPosition, limits: ReadLimits): Promise<SpoolRead> => {
    let at = from
    while (comparePositions(at, until) < 0) {
      const fd = await openSegment(at.segment)
      const offset = Math.max(at.offset, SEGMENT_HEADER_BYTES)
      if (fd !== null) {
        const limit = at.segment === until.segment ? until.offset : await disk.size(fd)
        if (offset < limit) {
          const read = await readSegment({ disk, fd, limit, seed }, at.segment, offset, limits, logger)
          if (read.records.length > 0 || at.segment === until.segment) {
            return { ...read, records: read.records.map(withPaths) }
          }
        } else if (at.segment === until.segment) {
          return { records: [], end: until }
        }
      } else if (at.offset > 0) {
        logger.error('spool: a segment is missing that was not digested yet; what it held is lost', { ...at })
      }
      const next = await nextSegment(at.segment)
      if (next === null || next > until.segment) return { records: [], end: until }
      at = { segment: next, offset: SEGMENT_HEADER_BYTES }
    }
    return { records: [], end: at }
  }

  return {
    read: (from, limits) => readBetween(from, durable.get(), limits),
    readUntil: async (from, until) => {
      const records: SpooledRecord[] = []
      let end = from
      while (comparePositions(end, until) < 0) {
        const read = await readBetween(end, until, {
          bytes: LIMITS.SPOOL_SEGMENT_BYTES,
          records: Number.MAX_SAFE_INTEGER,
        })
        records.push(...read.records)
        end = read.end
      }
      return { records, end: until }
    },
    end: () => durable.get(),
    changed: (seen, timeoutMs) => durable.changed(seen, timeoutMs),
    close,
  }
}

/** Records of one segment from `offset` on, until the limits or the end of the segment's durable part. */
const readSegment = async (
  view: SegmentView,
  segment: number,
  offset: number,
  limits: ReadLimits,
  logger: Logger,
): Promise<SpoolRead> => {
  const records: SpooledRecord[] = []
  const start = offset
  const bytes = shareOf(view.limit - start, limits.bytes)
  const buffer = await readRange(view.disk, view.fd, start, bytes)
  let at = offset
  let fileBytes = 0
  while (at < view.limit && records.length < limits.records) {
    let source = buffer
    let index = at - start
    let header = decodeHeader(buffer, index, view.seed)
    if (header === null || header.bytes > RECORD_BYTES_MAX || at + header.bytes > view.limit) {
      // Either the header is cut by the end of what was read, or it is damaged.
      header = await headerAt(view, at)
    }
    if (header?.isHeavy === true) {
      at += header.bytes
      if (at - start >= bytes) break
      continue
    }
    if (header !== null && index + header.bytes > buffer.byteLength) {
      if (records.length > 0) break
      source = await readRange(view.disk, view.fd, at, header.bytes)
      index = 0
    }
    const decoded = header === null ? null : decodeRecord(source, index, header)
    if (header === null || decoded === null || decoded.kind === 'unreadable') {
      const next = (await findRecord(view, at + 1)) ?? view.limit
      reportDamage(logger, segment, at, next - at, null)
      at = next
      continue
    }
    const end = at + header.bytes
    if (decoded.kind === 'damaged') {
      const row = decoded.record.kind === 'outcomes' ? decoded.record.outcomes[0] : undefined
      reportDamage(logger, segment, at, header.bytes, row?.projectId ?? null)
    }
    records.push({ position: { segment, offset: at }, end: { segment, offset: end }, record: decoded.record })
    at = end
    fileBytes += fileBytesOf(decoded.record)
    if (at - start >= bytes || fileBytes >= LIMITS.DIGEST_BATCH_FILE_BYTES) break
  }
  return { records, end: { segment, offset: at } }
}

/**
 * What is there in equal parts: one part is stored while the next is made ready, so a small one behind a large one has both
 * wait for each other.
 */
const shareOf = (bytes: number, most: number): number => Math.ceil(bytes / Math.max(1, Math.ceil(bytes / most)))

const fileBytesOf = (record: SpoolRecord): number =>
  record.kind === 'envelope' ? (record.files ?? []).reduce((sum, { bytes }) => sum + bytes, 0) : 0

/** What was read over; `project` is known when the record's header is whole. */
const reportDamage = (logger: Logger, segment: number, offset: number, bytes: number, project: number | null): void => {
  logger.error('spool: bytes on disk are damaged; what they held is lost. Check the disk of the data folder', {
    segment,
    offset,
    bytes,
    project,
  })
}
