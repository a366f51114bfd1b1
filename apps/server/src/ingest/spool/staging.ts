import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Logger } from '../../lib/logger.ts'
import { LIMITS } from '../limits.ts'
import type { PayloadFile } from '../payload-file.ts'
import type { SpoolPosition } from '../road.ts'
import { writeAll } from './disk.ts'
import type { SpoolDisk } from './disk.ts'
import { comparePositions } from './position.ts'

/** A payload on its way to the disk. */
export interface StagedFile {
  /** The bytes may change afterwards. @throws system errors, e.g. of a full disk */
  write(bytes: Uint8Array): Promise<void>
  /** Resolves when all of it is on disk, under its name. */
  finish(): Promise<PayloadFile>
  /** Removes it, unless a record refers to it: then it goes when the record is digested. */
  discard(): Promise<void>
}

/** Where the files of a spool's records are. */
const stagedFolder = (directory: string): string => join(directory, 'staged')

/** @param name as a record has it */
export const stagedPath = (directory: string, name: string): string => join(stagedFolder(directory), name)

/** A file that is being written: no record ever refers to it. */
const UNFINISHED = '.part'

/**
 * Large payloads that wait for the digest, each in a file of its own. A file is on disk before the record that refers to
 * it, and goes after the digest has settled that record.
 */
export class Staging {
  readonly #directory: string
  readonly #disk: SpoolDisk
  readonly #logger: Logger
  /** Bytes of all files by name. */
  readonly #sizes = new Map<string, number>()
  /** Files that records refer to, with a position that those records end before. */
  readonly #kept = new Map<string, SpoolPosition>()
  #bytes = 0
  #settledAt: SpoolPosition | null = null

  private constructor(directory: string, disk: SpoolDisk, logger: Logger) {
    this.#directory = directory
    this.#disk = disk
    this.#logger = logger
  }

  /**
   * What a killed process did not finish goes at once. Of the other files nobody knows which of them have a record: they
   * go when all records that were there are digested.
   *
   * @param end of those records
   */
  static async open(
    { directory, disk, logger }: { readonly directory: string; readonly disk: SpoolDisk; readonly logger: Logger },
    end: SpoolPosition,
  ): Promise<Staging> {
    const staging = new Staging(directory, disk, logger)
    await disk.makeDirectory(stagedFolder(directory))
    for (const name of await disk.list(stagedFolder(directory))) {
      if (name.endsWith(UNFINISHED)) {
        await disk.remove(stagedPath(directory, name))
        continue
      }
      const fd = await disk.open(stagedPath(directory, name), 'r')
      staging.#grow(name, await disk.size(fd))
      await disk.close(fd)
      staging.#kept.set(name, end)
    }
    return staging
  }

  /** Of all files. */
  get bytes(): number {
    return this.#bytes
  }

  #grow(name: string, bytes: number): void {
    this.#sizes.set(name, (this.#sizes.get(name) ?? 0) + bytes)
    this.#bytes += bytes
  }

  /** @param look called now and then while the file grows; what it throws ends the writing */
  async create(look: () => Promise<void>): Promise<StagedFile> {
    const name = randomBytes(16).toString('hex')
    const path = stagedPath(this.#directory, name)
    const unfinished = `${path}${UNFINISHED}`
    const disk = this.#disk
    const sum = createHash('sha256')
    let fd: number | null = await disk.open(unfinished, 'wx')
    let isFinished = false
    let bytes = 0
    let looked = 0
    this.#grow(name, 0)
    const close = async (): Promise<void> => {
      const open = fd
      fd = null
      if (open !== null) await disk.close(open)
    }
    return {
      write: async (more) => {
        if (fd === null) throw new Error('The staged file is closed.')
        if (bytes >= looked + LIMITS.STAGED_LOOK_BYTES) {
          looked = bytes
          await look()
        }
        sum.update(more)
        await writeAll(disk, fd, [more], bytes)
        bytes += more.byteLength
        this.#grow(name, more.byteLength)
      },
      finish: async () => {
        if (fd === null) throw new Error('The staged file is closed.')
        await disk.sync(fd)
        await close()
        await disk.rename(unfinished, path)
        isFinished = true
        await disk.syncDirectory(stagedFolder(this.#directory))
        return { path, bytes, sha256: sum.digest('hex') }
      },
      discard: async () => {
        if (this.#kept.has(name) || !this.#sizes.has(name)) return
        await close().catch(() => undefined)
        await this.#remove(name, isFinished ? path : unfinished)
      },
    }
  }

  /** A record that ends at or before `end` refers to these files, and is on disk. */
  keep(names: readonly string[], end: SpoolPosition): void {
    for (const name of names) this.#kept.set(name, end)
    if (this.#settledAt !== null) this.settled(this.#settledAt)
  }

  /** Everything before `position` is digested. */
  settled(position: SpoolPosition): void {
    this.#settledAt = position
    for (const [name, end] of this.#kept) {
      if (comparePositions(end, position) > 0) continue
      this.#kept.delete(name)
      void this.#remove(name, stagedPath(this.#directory, name))
    }
  }

  async #remove(name: string, path: string): Promise<void> {
    try {
      await this.#disk.remove(path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
        this.#logger.warn(
          'spool: a file is not needed any more and could not be removed; it takes room until a start',
          {
            path,
            error: String(error),
          },
        )
      }
    }
    this.#grow(name, -(this.#sizes.get(name) ?? 0))
    this.#sizes.delete(name)
  }
}
