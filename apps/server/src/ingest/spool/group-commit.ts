import { LIMITS } from '../limits.ts'
import { SEGMENT_HEADER_BYTES } from './segment-file.ts'
import type { Segments } from './segments.ts'
import { shuttingDown, unavailable } from './unavailable.ts'

/** A record as bytes. */
interface EncodedRecord {
  readonly parts: readonly Uint8Array[]
  readonly bytes: number
}

interface Waiter {
  resolve(): void
  reject(error: Error): void
}

type Waiting = EncodedRecord & Waiter

/**
 * Records that arrive while a sync is under way wait, and are then written together with one `writev` and one
 * `fdatasync`.
 */
export class GroupCommit {
  readonly #segments: Segments
  readonly #segmentBytes: number
  readonly #onFailure: (error: Error, whileSyncing: boolean) => void
  #waiting: Waiting[] = []
  /** Those who want the next group in a new segment. */
  #leaving: Waiter[] = []
  #committing: Promise<void> | null = null

  constructor(options: {
    readonly segments: Segments
    /** From so many bytes on the next group goes into a new segment. */
    readonly segmentBytes: number
    /** Before those who wait are refused. */
    readonly onFailure: (error: Error, whileSyncing: boolean) => void
  }) {
    this.#segments = options.segments
    this.#segmentBytes = options.segmentBytes
    this.#onFailure = options.onFailure
  }

  get isWriting(): boolean {
    return this.#committing !== null
  }

  /** Resolves when the record is on disk; rejects with `SpoolUnavailableError`. */
  append(record: EncodedRecord): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...record, resolve, reject })
      this.#start()
    })
  }

  /** Resolves when what is written from now on goes into another segment than what was; rejects as `append` does. */
  leaveSegment(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#leaving.push({ resolve, reject })
      this.#start()
    })
  }

  /** Resolves when what was appended is written. Nothing may be appended afterwards. */
  async close(): Promise<void> {
    // What is waiting follows the commit that is under way.
    for (let commit = this.#committing; commit !== null; commit = this.#committing) await commit
    for (const entry of [...this.#waiting.splice(0), ...this.#leaving.splice(0)]) entry.reject(shuttingDown())
  }

  #start(): void {
    if (this.#committing !== null || this.#isIdle()) return
    // Everything that this turn of the event loop appends goes into the first group.
    this.#committing = new Promise<void>((resolve) => setImmediate(resolve))
      .then(() => this.#commitWaiting())
      .finally(() => {
        this.#committing = null
        this.#start()
      })
  }

  #isIdle(): boolean {
    return this.#waiting.length === 0 && this.#leaving.length === 0
  }

  async #commitWaiting(): Promise<void> {
    const segments = this.#segments
    while (!this.#isIdle()) {
      const leaving = this.#leaving.splice(0)
      const group = this.#takeGroup()
      const most = leaving.length > 0 ? SEGMENT_HEADER_BYTES + 1 : this.#segmentBytes
      let syncing = false
      try {
        if (segments.activeBytes >= most) await segments.rotate()
        for (const waiter of leaving) waiter.resolve()
        if (group.length === 0) continue
        const end = await segments.write(group.flatMap((entry) => entry.parts))
        syncing = true
        await segments.sync(end)
      } catch (error) {
        this.#fail(error, syncing, [...leaving, ...group])
        return
      }
      for (const entry of group) entry.resolve()
    }
  }

  #takeGroup(): Waiting[] {
    let bytes = 0
    let count = 0
    for (const entry of this.#waiting) {
      if (count >= LIMITS.SPOOL_COMMIT_RECORDS || (count > 0 && bytes + entry.bytes > LIMITS.SPOOL_COMMIT_BYTES)) break
      bytes += entry.bytes
      count += 1
    }
    const group = this.#waiting.slice(0, count)
    this.#waiting = this.#waiting.slice(count)
    return group
  }

  #fail(error: unknown, whileSyncing: boolean, group: readonly Waiter[]): void {
    const cause = error instanceof Error ? error : new Error(String(error))
    const refused = [...group, ...this.#waiting.splice(0), ...this.#leaving.splice(0)]
    this.#onFailure(cause, whileSyncing)
    for (const entry of refused) entry.reject(unavailable(cause))
  }
}
