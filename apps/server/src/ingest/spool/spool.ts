import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from '../../lib/logger.ts'
import { LIMITS } from '../../limits.ts'
import type { SpoolPosition, SpoolRecord } from '../road.ts'
import { nodeDisk, readRange, writeAll } from './disk.ts'
import type { SpoolDisk } from './disk.ts'
import { findEnd } from './find-record.ts'
import { comparePositions, createDurableEnd, formatPosition } from './position.ts'
import { lockSpool } from './lock.ts'
import { encodeRecord, recordSeed } from './record-format.ts'
import {
  SEGMENT_HEADER_BYTES,
  decodeSegmentHeader,
  encodeSegmentHeader,
  segmentNumbers,
  segmentPath,
} from './segment-file.ts'
import type { SpoolHandle } from './spool-reader.ts'

/**
 * The spool: what was accepted is appended here, and acknowledged when it is on disk. One writer (this file), any number
 * of readers in other threads (spool-reader.ts), which see nothing but what was synced.
 *
 * Appends that arrive while a sync is under way wait, and are then written together with one `writev` and one
 * `fdatasync` (group commit). After a failed write nothing more is accepted until the torn tail is cut off and there is
 * room again; after a failed sync the segment is left behind as well, because the kernel may report such an error once
 * and then call the same pages clean.
 */
export interface Spool {
  /** 32 hex characters; identifies this spool in the ledger's progress and in deduplication tokens. */
  readonly id: string
  /** For readers in other threads. */
  readonly handle: SpoolHandle
  /**
   * Resolves when the record is on disk.
   *
   * @throws SpoolUnavailableError when it is not; the record may be sent again
   */
  append(record: SpoolRecord): Promise<void>
  /** `full`: no room, or the last write failed. `behind`: the digest has more than `SPOOL_BACKLOG_BYTES` to do. */
  pressure(): SpoolPressure
  /** Everything before it is on disk. */
  end(): SpoolPosition
  /** Bytes that are not digested yet. */
  backlogBytes(): number
  /** Everything before `position` is digested: segments wholly before it are removed. */
  settled(position: SpoolPosition): void
  /**
   * Call before the first append, with the ledger's progress. When this folder is an older copy than the ledger, new
   * records must not take positions that count as digested.
   */
  startAfter(position: SpoolPosition): Promise<void>
  /** Writes what is waiting, then closes. Later appends are refused. */
  close(): Promise<void>
}

export type SpoolPressure = 'ok' | 'behind' | 'full'

/** The record is not on disk and was not accepted. */
export class SpoolUnavailableError extends Error {
  override readonly name = 'SpoolUnavailableError'
}

export interface SpoolLimits {
  readonly segmentBytes: number
  readonly backlogBytes: number
  readonly reserveBytes: number
  readonly checkMs: number
}

const DEFAULT_LIMITS: SpoolLimits = {
  segmentBytes: LIMITS.SPOOL_SEGMENT_BYTES,
  backlogBytes: LIMITS.SPOOL_BACKLOG_BYTES,
  reserveBytes: LIMITS.DISK_RESERVE_BYTES,
  checkMs: LIMITS.SPOOL_DISK_CHECK_MS,
}

export interface SpoolOptions {
  readonly directory: string
  readonly logger: Logger
  readonly disk?: SpoolDisk
  readonly limits?: Partial<SpoolLimits>
}

interface Waiting {
  readonly parts: readonly Uint8Array[]
  readonly bytes: number
  resolve(): void
  reject(error: Error): void
}

interface ActiveSegment {
  readonly number: number
  readonly fd: number
  /** Everything before it is on disk. */
  offset: number
}

/**
 * Opens the spool, and creates it when the directory is empty. A torn last record is cut off; it was never acknowledged.
 *
 * @throws SpoolInUseError when another process has it open; system errors when the directory cannot be written
 */
export const openSpool = async (options: SpoolOptions): Promise<Spool> => {
  const disk = options.disk ?? nodeDisk
  await disk.makeDirectory(options.directory)
  const unlock = lockSpool(options.directory)
  try {
    return await openLocked(options, disk, unlock)
  } catch (error) {
    unlock()
    throw error
  }
}

const openLocked = async (options: SpoolOptions, disk: SpoolDisk, unlock: () => void): Promise<Spool> => {
  const { directory, logger } = options
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const durable = createDurableEnd()
  /** Bytes on disk by segment, the active one included; ascending. */
  const sizes = new Map<number, number>()

  const id = await identify(directory, disk, logger)
  const seed = recordSeed(id)

  const createSegment = async (number: number): Promise<ActiveSegment> => {
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
    sizes.set(number, SEGMENT_HEADER_BYTES)
    return { number, fd, offset: SEGMENT_HEADER_BYTES }
  }

  let active = await openLast({ directory, disk, logger, seed, id, sizes, createSegment })
  durable.set({ segment: active.number, offset: active.offset })

  let waiting: Waiting[] = []
  let committing: Promise<void> | null = null
  let failure: { readonly error: Error; readonly leaveSegment: boolean } | null = null
  let lowDisk = false
  let closed = false
  let settledAt: SpoolPosition = { segment: 0, offset: 0 }
  let totalBytes = [...sizes.values()].reduce((sum, size) => sum + size, 0)
  let lastPressure: SpoolPressure = 'ok'

  const backlogBytes = (): number =>
    Math.max(0, totalBytes - (sizes.has(settledAt.segment) ? settledAt.offset : 0) - removableBytes())

  const removableBytes = (): number => {
    let bytes = 0
    for (const [segment, size] of sizes) {
      if (segment >= settledAt.segment) break
      bytes += size
    }
    return bytes
  }

  const pressure = (): SpoolPressure => {
    if (failure !== null || lowDisk) return 'full'
    return backlogBytes() > limits.backlogBytes ? 'behind' : 'ok'
  }

  const notePressure = (): void => {
    const now = pressure()
    if (now === lastPressure) return
    lastPressure = now
    if (now === 'full') {
      logger.error(
        'spool: nothing is accepted (503) because the disk is full or failed. Free space on the data volume',
        {
          directory,
          error: failure?.error.message,
        },
      )
    } else if (now === 'behind') {
      logger.error(
        'spool: nothing is accepted (429) because the digest is too far behind. Look for store errors above',
        {
          backlogBytes: backlogBytes(),
        },
      )
    } else {
      logger.info('spool: accepting again', { backlogBytes: backlogBytes() })
    }
  }

  const takeGroup = (): Waiting[] => {
    let bytes = 0
    let count = 0
    for (const entry of waiting) {
      if (count >= LIMITS.SPOOL_COMMIT_RECORDS || (count > 0 && bytes + entry.bytes > LIMITS.SPOOL_COMMIT_BYTES)) break
      bytes += entry.bytes
      count += 1
    }
    const group = waiting.slice(0, count)
    waiting = waiting.slice(count)
    return group
  }

  const rotate = async (number: number): Promise<void> => {
    const created = await createSegment(number)
    const old = active
    active = created
    totalBytes += created.offset
    durable.set({ segment: created.number, offset: created.offset })
    // All of it is synced; a failing close loses nothing.
    await disk.close(old.fd).catch(() => undefined)
  }

  const fail = (error: unknown, leaveSegment: boolean, group: readonly Waiting[]): void => {
    const cause = error instanceof Error ? error : new Error(String(error))
    failure = { error: cause, leaveSegment: leaveSegment || failure?.leaveSegment === true }
    const refused = [...group, ...waiting]
    waiting = []
    notePressure()
    for (const entry of refused) entry.reject(unavailable(cause))
  }

  const unavailable = (cause: Error): SpoolUnavailableError =>
    new SpoolUnavailableError(`The record could not be written to disk (${cause.message}). It was not accepted.`, {
      cause,
    })

  const commitWaiting = async (): Promise<void> => {
    while (waiting.length > 0) {
      const group = takeGroup()
      let syncing = false
      try {
        if (active.offset >= limits.segmentBytes) await rotate(active.number + 1)
        const parts = group.flatMap((entry) => entry.parts)
        const end = await writeAll(disk, active.fd, parts, active.offset)
        syncing = true
        await disk.sync(active.fd)
        totalBytes += end - active.offset
        active.offset = end
        sizes.set(active.number, end)
      } catch (error) {
        fail(error, syncing, group)
        return
      }
      durable.set({ segment: active.number, offset: active.offset })
      for (const entry of group) entry.resolve()
    }
  }

  const startCommit = (): void => {
    if (committing !== null || waiting.length === 0) return
    // Everything that this turn of the event loop appends goes into the first group.
    committing = new Promise<void>((resolve) => setImmediate(resolve)).then(commitWaiting).finally(() => {
      committing = null
      startCommit()
    })
  }

  /** Cuts the torn tail off and goes on, when there is room again. */
  const recover = async (): Promise<void> => {
    if (failure === null || committing !== null) return
    try {
      await disk.truncate(active.fd, active.offset)
      if (failure.leaveSegment) {
        // An attempt that failed may have left its file, which holds nothing.
        await disk.remove(segmentPath(directory, active.number + 1)).catch(() => undefined)
        await rotate(active.number + 1)
      } else {
        await disk.sync(active.fd)
      }
      failure = null
    } catch (error) {
      failure = { error: error instanceof Error ? error : new Error(String(error)), leaveSegment: true }
    }
  }

  const checkDisk = async (): Promise<void> => {
    try {
      lowDisk = (await disk.freeBytes(directory)) < limits.reserveBytes
    } catch {
      lowDisk = true
    }
    if (!lowDisk && !closed) await recover()
    notePressure()
  }
  let checking: Promise<void> | null = null
  const check = (): Promise<void> => {
    checking ??= checkDisk().finally(() => {
      checking = null
    })
    return checking
  }
  await check()
  const timer = setInterval(() => void check(), limits.checkMs)
  timer.unref()

  return {
    id,
    handle: { id, directory, durableEnd: durable.buffer },
    append: (record) => {
      if (closed)
        return Promise.reject(new SpoolUnavailableError('The server is shutting down. Send the record again.'))
      if (failure !== null) return Promise.reject(unavailable(failure.error))
      const encoded = encodeRecord(record, seed)
      return new Promise((resolve, reject) => {
        waiting.push({ ...encoded, resolve, reject })
        startCommit()
      })
    },
    pressure,
    end: () => durable.get(),
    backlogBytes,
    settled: (position) => {
      if (comparePositions(position, settledAt) <= 0) return
      settledAt = position
      for (const [segment, size] of sizes) {
        if (segment >= position.segment || segment === active.number) break
        sizes.delete(segment)
        totalBytes -= size
        disk.remove(segmentPath(directory, segment)).catch((error: unknown) => {
          logger.warn('spool: a digested segment could not be removed; it takes room until the next start', {
            segment,
            error: String(error),
          })
        })
      }
      notePressure()
    },
    startAfter: async (position) => {
      if (comparePositions(durable.get(), position) >= 0) return
      logger.warn(
        'spool: this folder is older than the ledger (restored from a copy?). Going on behind what is digested',
        {
          end: formatPosition(durable.get()),
          digested: formatPosition(position),
        },
      )
      await rotate(position.segment + 1)
    },
    close: async () => {
      closed = true
      clearInterval(timer)
      if (checking !== null) await checking
      // What is waiting follows the commit that is under way.
      for (let commit = committing; commit !== null; commit = committing) await commit
      for (const entry of waiting.splice(0)) {
        entry.reject(new SpoolUnavailableError('The server is shutting down. Send the record again.'))
      }
      await disk.close(active.fd)
      unlock()
    },
  }
}

/** The spool's identity: from its file, else from a segment that carries it, else a new one. */
const identify = async (directory: string, disk: SpoolDisk, logger: Logger): Promise<string> => {
  const path = join(directory, 'identity')
  const stored = await readFile(path, 'latin1').catch(() => '')
  if (/^[0-9a-f]{32}\n$/.test(stored)) return stored.trim()
  for (const segment of segmentNumbers(await disk.list(directory))) {
    const fd = await disk.open(segmentPath(directory, segment), 'r')
    const id = decodeSegmentHeader(await readRange(disk, fd, 0, SEGMENT_HEADER_BYTES), segment)
    await disk.close(fd)
    if (id === null) continue
    logger.warn('spool: its identity file was missing and is written again', { directory })
    await writeIdentity(path, id, directory, disk)
    return id
  }
  const id = randomBytes(16).toString('hex')
  await writeIdentity(path, id, directory, disk)
  return id
}

const writeIdentity = async (path: string, id: string, directory: string, disk: SpoolDisk): Promise<void> => {
  await writeFile(path, `${id}\n`, { mode: 0o600, flush: true })
  await disk.syncDirectory(directory)
}

/** Makes the last segment sound and returns the one to append to: a last one without records, else a new one. */
const openLast = async (spool: {
  readonly directory: string
  readonly disk: SpoolDisk
  readonly logger: Logger
  readonly seed: number
  readonly id: string
  readonly sizes: Map<number, number>
  createSegment(number: number): Promise<ActiveSegment>
}): Promise<ActiveSegment> => {
  const { directory, disk, logger, seed, sizes } = spool
  const numbers = segmentNumbers(await disk.list(directory))
  for (const number of numbers.slice(0, -1)) {
    const fd = await disk.open(segmentPath(directory, number), 'r')
    sizes.set(number, await disk.size(fd))
    await disk.close(fd)
  }
  const last = numbers.at(-1)
  if (last === undefined) return spool.createSegment(0)

  const path = segmentPath(directory, last)
  const fd = await disk.open(path, 'r+')
  const size = await disk.size(fd)
  const header = decodeSegmentHeader(await readRange(disk, fd, 0, SEGMENT_HEADER_BYTES), last)
  if (header === null && size <= SEGMENT_HEADER_BYTES) {
    // The process died while it created this segment: nothing in it was ever acknowledged.
    await disk.close(fd)
    await disk.remove(path)
    return spool.createSegment(last)
  }
  const end = await findEnd({ disk, fd, limit: size, seed }, SEGMENT_HEADER_BYTES)
  if (end < size) {
    logger.warn('spool: the last write was torn and is cut off; it was never acknowledged', {
      segment: last,
      offset: end,
      bytes: size - end,
    })
    await disk.truncate(fd, end)
  }
  // What a killed process wrote and did not sync is whole, but not yet safe from a power cut.
  await disk.sync(fd)
  sizes.set(last, end)
  if (end === SEGMENT_HEADER_BYTES && header !== null) return { number: last, fd, offset: end }
  await disk.close(fd)
  return spool.createSegment(last + 1)
}
