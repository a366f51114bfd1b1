import { basename } from 'node:path'
import type { Logger } from '../../lib/logger.ts'
import { inSlices } from '../../lib/sliced-work.ts'
import { LIMITS } from '../limits.ts'
import type { SpoolPosition, SpoolRecord } from '../road.ts'
import { BacklogShares } from './backlog-shares.ts'
import { nodeDisk } from './disk.ts'
import type { SpoolDisk } from './disk.ts'
import { GroupCommit } from './group-commit.ts'
import { HeavyAdmission } from './heavy-admission.ts'
import { identify } from './identity.ts'
import { lockSpool } from './lock.ts'
import { comparePositions, formatPosition } from './position.ts'
import { crcSteps, encodeRecord, recordSeed } from './record-format.ts'
import { Segments } from './segments.ts'
import { SpoolHealth } from './spool-health.ts'
import { Staging } from './staging.ts'
import type { StagedFile } from './staging.ts'
import type { SpoolPressure } from './spool-health.ts'
import type { SpoolHandle } from './spool-reader.ts'
import { shuttingDown, unavailable } from './unavailable.ts'

/**
 * The spool: what was accepted is appended here, and acknowledged when it is on disk. One writer (this file), any number
 * of readers in other threads (spool-reader.ts), which see nothing but what was synced.
 *
 * Appends that arrive while a sync is under way wait, and are then written together with one `writev` and one
 * `fdatasync` (group commit). After a failed write nothing more is accepted until the torn tail is cut off and there is
 * room again. A group is acknowledged only if its segment still stands at its path after the sync: files of a removed
 * folder can be written as before, and are lost. After a failed sync the segment is left behind as well, because the
 * kernel may report such an error once and then call the same pages clean.
 */
export interface Spool {
  /** 32 hex characters; identifies this spool in the ledger's progress and in deduplication tokens. */
  readonly id: string
  /** For readers in other threads. */
  readonly handle: SpoolHandle
  /**
   * Resolves when the record is on disk. Its files were staged and finished before.
   *
   * @throws SpoolUnavailableError when it is not; the record may be sent again
   */
  append(record: SpoolRecord): Promise<void>
  /**
   * Begins a file for a payload that is too large for a record.
   *
   * @throws SpoolUnavailableError when nothing can be kept, also while it is written
   */
  stage(): Promise<StagedFile>
  pressure(): SpoolPressure
  /** False while an organisation has its share of the backlog waiting. */
  hasShare(organizationId: number): boolean
  /** False while a project has so much waiting that is heavy that no more of it is taken. */
  takesHeavy(projectId: number): boolean
  /** The projects for which `takesHeavy` is false from now on. */
  crowded(projects: readonly number[]): void
  /**
   * What was appended is in no segment that more is written to: it goes as soon as all of it is digested.
   *
   * @throws SpoolUnavailableError when nothing can be kept
   */
  leaveSegment(): Promise<void>
  /** Everything before it is on disk. */
  end(): SpoolPosition
  /** All that was received before, of what was given to `append` by now, is on disk. */
  receivedUntil(now: number): number
  /** Bytes of records that are not digested yet. */
  backlogBytes(): number
  /** Everything before `position` is digested: segments wholly before it are removed. */
  settled(position: SpoolPosition): void
  /**
   * Call before the first append, with the ledger's progress. When this folder is an older copy than the ledger, new
   * records must not take positions that count as digested.
   */
  startAfter(position: SpoolPosition): Promise<void>
  /** Calls it as soon as there was a heavy record, in this process or one before it. */
  whenHeavy(begin: () => void): void
  /** Writes what is waiting, then closes. Later appends are refused. */
  close(): Promise<void>
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

/**
 * Opens the spool, and creates it when the directory is empty. What follows the last whole record is cut off: a
 * write that was interrupted and never acknowledged, or damage of the disk. The bytes do not tell which.
 *
 * @throws SpoolInUseError when another process has it open; SpoolLockError when that cannot be found out; system errors when the directory cannot be written
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
  const id = await identify(directory, disk, logger)
  const seed = recordSeed(id)
  const segments = await Segments.open({ id, directory, disk, logger })
  const commits: GroupCommit = new GroupCommit({
    segments,
    segmentBytes: limits.segmentBytes,
    onFailure: (error, whileSyncing) => health.failed(error, whileSyncing),
  })
  const staging = await Staging.open({ directory, disk, logger }, segments.recordsEnd())
  const shares = new BacklogShares()
  const backlogBytes = (): number => segments.backlogBytes() + staging.bytes
  const isWriting = (): boolean => commits.isWriting
  const health = new SpoolHealth({ directory, disk, logger, segments, limits, backlogBytes, isWriting })
  await health.check()
  let closed = false
  const heavy = await HeavyAdmission.open(directory, disk)
  /** When what is on its way to the disk was received. */
  const underWay = new Set<Pick<SpoolRecord, 'receivedAt'>>()

  const assertWritable = (): void => {
    if (closed) throw shuttingDown()
    const { failure } = health
    if (failure !== null) throw unavailable(failure)
  }

  const append = async (record: SpoolRecord, bodyCrc?: number): Promise<void> => {
    assertWritable()
    await commits.append(encodeRecord(record, seed, bodyCrc))
  }

  return {
    id,
    handle: { id, directory, durableEnd: segments.durableEnd },
    append: async (record) => {
      const { receivedAt } = record
      const waiting = { receivedAt }
      underWay.add(waiting)
      try {
        if (record.kind === 'envelope' && record.isHeavy === true) await heavy.note()
        const isLarge = record.kind === 'envelope' && record.body.byteLength > LIMITS.DOOR_TURN_BYTES
        await append(record, isLarge ? await inSlices(crcSteps(record.body, LIMITS.DOOR_TURN_BYTES)) : undefined)
      } finally {
        underWay.delete(waiting)
      }
      if (record.kind !== 'envelope') return
      const { body, files = [], sender } = record
      const fileBytes = files.reduce((sum, { bytes }) => sum + bytes, 0)
      shares.add(sender.organizationId, body.byteLength + fileBytes, segments.end())
      if (files.length === 0) return
      staging.keep(
        files.map(({ path }) => basename(path)),
        segments.end(),
      )
    },
    stage: async () => {
      if (closed) throw shuttingDown()
      assertRoom(health)
      return staging.create(async () => {
        await health.check()
        assertRoom(health)
      })
    },
    leaveSegment: async () => {
      assertWritable()
      await commits.leaveSegment()
    },
    pressure: () => health.pressure(),
    hasShare: (organizationId) => shares.hasRoom(organizationId, limits.backlogBytes - backlogBytes()),
    takesHeavy: (projectId) => heavy.takes(projectId),
    crowded: (projects) => heavy.crowded(projects),
    end: () => segments.end(),
    receivedUntil: (now) => [...underWay].reduce((first, { receivedAt }) => Math.min(first, receivedAt), now),
    backlogBytes: () => segments.backlogBytes(),
    settled: (position) => {
      segments.settled(position)
      staging.settled(position)
      shares.settled(position)
      health.note()
    },
    startAfter: async (position) => {
      if (comparePositions(segments.end(), position) >= 0) return
      tellOlder(logger, segments.end(), position)
      await segments.rotate(position.segment + 1)
    },
    whenHeavy: (begin) => heavy.whenHeavy(begin),
    close: async () => {
      closed = true
      await health.close()
      await commits.close()
      await segments.close()
      unlock()
    },
  }
}

const tellOlder = (logger: Logger, end: SpoolPosition, digested: SpoolPosition): void =>
  logger.warn('spool: this folder is older than the ledger (restored from a copy?). Going on behind what is digested', {
    end: formatPosition(end),
    digested: formatPosition(digested),
  })

/** @throws SpoolUnavailableError */
const assertRoom = (health: SpoolHealth): void => {
  const pressure = health.pressure()
  if (pressure === 'full' || pressure === 'gone') {
    throw unavailable(health.failure ?? new Error(`the spool is ${pressure}`))
  }
}
