import type { SpoolPosition } from '../road.ts'

/** Where a spool that was never read starts. */
export const SPOOL_START: SpoolPosition = { segment: 0, offset: 0 }

/** Negative, zero or positive, like every comparator. */
export const comparePositions = (left: SpoolPosition, right: SpoolPosition): number =>
  left.segment - right.segment || left.offset - right.offset

export const earlier = (left: SpoolPosition, right: SpoolPosition): SpoolPosition =>
  comparePositions(left, right) <= 0 ? left : right

/** `12:3456`, for logs and file names. */
export const formatPosition = (position: SpoolPosition): string => `${position.segment}:${position.offset}`

/**
 * The end of what is on disk, shared between the thread that writes the spool and the one that reads it: a single 64-bit
 * word (segment in the upper half), so that a reader never sees half of a change.
 */
export interface DurableEnd {
  readonly buffer: SharedArrayBuffer
  get(): SpoolPosition
  set(position: SpoolPosition): void
  /** Resolves when the end is no longer `seen`, or after `timeoutMs`. */
  changed(seen: SpoolPosition, timeoutMs: number): Promise<void>
}

const pack = (position: SpoolPosition): bigint => (BigInt(position.segment) << 32n) | BigInt(position.offset)

export const createDurableEnd = (buffer: SharedArrayBuffer = new SharedArrayBuffer(8)): DurableEnd => {
  const word = new BigInt64Array(buffer)
  return {
    buffer,
    get: () => {
      const packed = Atomics.load(word, 0)
      return { segment: Number(packed >> 32n), offset: Number(packed & 0xffff_ffffn) }
    },
    set: (position) => {
      Atomics.store(word, 0, pack(position))
      Atomics.notify(word, 0)
    },
    changed: async (seen, timeoutMs) => {
      await Atomics.waitAsync(word, 0, pack(seen), timeoutMs).value
    },
  }
}
