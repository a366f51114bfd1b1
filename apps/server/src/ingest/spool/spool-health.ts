import type { Logger } from '../../lib/logger.ts'
import type { SpoolDisk } from './disk.ts'
import type { Segments } from './segments.ts'

/**
 * `gone`: the folder was removed or replaced, so that nothing written would be found again. `full`: no room, or the last
 * write failed. `behind`: the digest has more than `SPOOL_BACKLOG_BYTES` to do.
 */
export type SpoolPressure = 'ok' | 'behind' | 'full' | 'gone'

export interface SpoolHealthOptions {
  readonly directory: string
  readonly disk: SpoolDisk
  readonly logger: Logger
  readonly segments: Segments
  readonly limits: { readonly backlogBytes: number; readonly reserveBytes: number; readonly checkMs: number }
  /** What waits for the digest, records and files. */
  readonly backlogBytes: () => number
  /** While something is being written, nothing is repaired. */
  readonly isWriting: () => boolean
}

/** Whether the spool can take more, and what brings it back when it could not. Every change is logged once. */
export class SpoolHealth {
  readonly #options: SpoolHealthOptions
  readonly #timer: NodeJS.Timeout
  #failure: { readonly error: Error; readonly leaveSegment: boolean } | null = null
  #isLow = false
  #isGone = false
  #isClosed = false
  #noted: SpoolPressure = 'ok'
  #checking: Promise<void> | null = null

  constructor(options: SpoolHealthOptions) {
    this.#options = options
    this.#timer = setInterval(() => void this.check(), options.limits.checkMs)
    this.#timer.unref()
  }

  /** Why the last write failed; null when it did not, or when the spool was repaired since. */
  get failure(): Error | null {
    return this.#failure?.error ?? null
  }

  pressure(): SpoolPressure {
    if (this.#isGone) return 'gone'
    if (this.#failure !== null || this.#isLow) return 'full'
    return this.#options.backlogBytes() > this.#options.limits.backlogBytes ? 'behind' : 'ok'
  }

  /** @param leaveSegment The kernel may report a failed sync once and then call the same pages clean. */
  failed(error: Error, leaveSegment: boolean): void {
    this.#lookForFolder()
    this.#failure = { error, leaveSegment: leaveSegment || this.#failure?.leaveSegment === true }
    this.note()
  }

  /** Looks at the disk, and repairs what failed when there is room again. */
  check(): Promise<void> {
    this.#checking ??= this.#checkDisk().finally(() => {
      this.#checking = null
    })
    return this.#checking
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    if (this.#checking !== null) await this.#checking
  }

  /** Logs when the pressure is another than before. */
  note(): void {
    const now = this.pressure()
    if (now === this.#noted) return
    this.#noted = now
    const { backlogBytes, directory, logger } = this.#options
    if (now === 'gone') {
      logger.error(
        'spool: nothing is accepted (503) because the data folder was removed or replaced while the server runs. Put it back, or stop the server and start it on the folder it is to have',
        { directory },
      )
    } else if (now === 'full') {
      logger.error(
        'spool: nothing is accepted (503) because the disk is full or failed. Free space on the data volume',
        { directory, error: this.#failure?.error.message },
      )
    } else if (now === 'behind') {
      logger.error(
        'spool: nothing is accepted (429) because the digest is too far behind. Look for store errors above',
        { backlogBytes: backlogBytes() },
      )
    } else {
      logger.info('spool: accepting again', { backlogBytes: backlogBytes() })
    }
  }

  async #checkDisk(): Promise<void> {
    const { directory, disk, limits } = this.#options
    try {
      // A second time: a folder that was away for a moment says nothing about the room on the disk.
      const free = await disk.freeBytes(directory).catch(() => disk.freeBytes(directory))
      this.#isLow = free < limits.reserveBytes
    } catch {
      // What cannot be asked cannot be trusted with anything, either.
      this.#isLow = true
    }
    // A folder that is back in its place, with this very file in it, is as good as before.
    if (!this.#isClosed) this.#lookForFolder()
    if (!this.#isLow && !this.#isGone && !this.#isClosed) await this.#repair()
    this.note()
  }

  async #repair(): Promise<void> {
    if (this.#failure === null || this.#options.isWriting()) return
    try {
      await this.#options.segments.repair(this.#failure.leaveSegment)
      this.#failure = null
    } catch (error) {
      this.#failure = { error: error instanceof Error ? error : new Error(String(error)), leaveSegment: true }
    }
  }

  #lookForFolder(): void {
    this.#isGone = !this.#options.segments.isInPlace()
  }
}
