import type { FileHandle } from 'node:fs/promises'
import { LIMITS } from '../../limits.ts'

/** Bytes of a file at any place. */
export interface FileBytes {
  readonly size: number
  /** Null where they lie outside of the file, or where too much of it was read already. */
  readonly read: (at: number, length: number) => Promise<Buffer | null>
}

/** What a file says of itself is read within so many bytes, however large it says that is. */
export const boundedBytes = (file: Pick<FileHandle, 'read'>, size: number): FileBytes => {
  let left: number = LIMITS.DEBUG_FILE_READ_BYTES
  let reads: number = LIMITS.DEBUG_FILE_READS
  return {
    size,
    read: async (at, length) => {
      const isInside = Number.isSafeInteger(at) && at >= 0 && length >= 0 && at + length <= size
      if (!isInside || length > left || reads === 0) return null
      left -= length
      reads -= 1
      const bytes = Buffer.alloc(length)
      let filled = 0
      while (filled < length) {
        const { bytesRead } = await file.read(bytes, filled, length - filled, at + filled)
        if (bytesRead === 0) return null
        filled += bytesRead
      }
      return bytes
    },
  }
}

/** Numbers of a machine in the order of its bytes. */
export const numbersOf = (bytes: Buffer, isLittleEndian: boolean) => ({
  u16: (at: number): number => (isLittleEndian ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at)),
  u32: (at: number): number => (isLittleEndian ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at)),
  /** Beyond what a number holds exactly, no file has such a place. */
  u64: (at: number): number => Number(isLittleEndian ? bytes.readBigUInt64LE(at) : bytes.readBigUInt64BE(at)),
})
