import {
  close,
  fdatasync,
  fstat,
  fstatSync,
  fsync,
  ftruncate,
  open,
  read,
  statfs,
  statSync,
  writev,
  writevSync,
} from 'node:fs'
import { mkdir, readdir, rename, unlink } from 'node:fs/promises'
import { promisify } from 'node:util'
import { LIMITS } from '../limits.ts'

/**
 * The few calls that the spool makes of the operating system. Passed in, so that a test can fill the disk.
 * All of them reject with Node's system errors (`code` is `ENOSPC`, `EIO`, …).
 */
export interface SpoolDisk {
  makeDirectory(path: string): Promise<void>
  list(directory: string): Promise<string[]>
  open(path: string, flags: 'r' | 'r+' | 'wx'): Promise<number>
  close(fd: number): Promise<void>
  /** Bytes of the file. */
  size(fd: number): Promise<number>
  /** May read less than asked for; 0 at the end of the file. */
  read(fd: number, into: Uint8Array, position: number): Promise<number>
  /** May write less than given. */
  write(fd: number, buffers: readonly Uint8Array[], position: number): Promise<number>
  /** Returns when the file's bytes and its length are on disk. */
  sync(fd: number): Promise<void>
  truncate(fd: number, length: number): Promise<void>
  /**
   * Whether the path still leads to this open file. A file that was removed can be written and synced as before, and is
   * lost when it is closed. Answers at once: it is asked for every group.
   */
  isStillAt(path: string, fd: number): boolean
  /** Makes a created or removed directory entry durable. */
  syncDirectory(path: string): Promise<void>
  remove(path: string): Promise<void>
  rename(from: string, to: string): Promise<void>
  /** Bytes that this process may still write on the directory's volume. */
  freeBytes(directory: string): Promise<number>
}

const openFile = promisify(open)
const closeFile = promisify(close)
const syncFile = promisify(fsync)
const syncData = promisify(fdatasync)
const truncateFile = promisify(ftruncate)
const statFile = promisify(fstat)
const statVolume = promisify(statfs)

export const nodeDisk: SpoolDisk = {
  makeDirectory: async (path) => {
    await mkdir(path, { recursive: true })
  },
  list: (directory) => readdir(directory),
  open: (path, flags) => openFile(path, flags, 0o600),
  close: (fd) => closeFile(fd),
  size: async (fd) => (await statFile(fd)).size,
  read: (fd, into, position) =>
    new Promise((resolve, reject) => {
      read(fd, into, 0, into.byteLength, position, (error, bytes) => (error ? reject(error) : resolve(bytes)))
    }),
  write: async (fd, buffers, position) => {
    // A few pages go into the system's memory sooner than a thread of the pool could be woken for them.
    if (buffers.reduce((sum, buffer) => sum + buffer.byteLength, 0) <= LIMITS.SPOOL_WRITE_AT_ONCE_BYTES) {
      return writevSync(fd, buffers, position)
    }
    return new Promise((resolve, reject) => {
      writev(fd, buffers as Uint8Array[], position, (error, bytes) => (error ? reject(error) : resolve(bytes)))
    })
  },
  sync: (fd) => syncData(fd),
  truncate: (fd, length) => truncateFile(fd, length),
  isStillAt: (path, fd) => {
    try {
      const opened = fstatSync(fd)
      const found = statSync(path, { throwIfNoEntry: false })
      return found !== undefined && found.ino === opened.ino && found.dev === opened.dev
    } catch {
      // A volume that went away with the folder.
      return false
    }
  },
  syncDirectory: async (path) => {
    const fd = await openFile(path, 'r')
    try {
      await syncFile(fd)
    } finally {
      await closeFile(fd)
    }
  },
  remove: (path) => unlink(path),
  rename: (from, to) => rename(from, to),
  freeBytes: async (directory) => {
    const volume = await statVolume(directory)
    return volume.bavail * volume.bsize
  },
}

/** Reads exactly `length` bytes, or fewer when the file ends before. */
export const readRange = async (disk: SpoolDisk, fd: number, position: number, length: number): Promise<Buffer> => {
  const buffer = Buffer.allocUnsafe(length)
  let filled = 0
  while (filled < length) {
    const bytes = await disk.read(fd, buffer.subarray(filled), position + filled)
    if (bytes === 0) break
    filled += bytes
  }
  return buffer.subarray(0, filled)
}

/** Writes all of it; a full disk shows as a rejection after a part was written. */
export const writeAll = async (
  disk: SpoolDisk,
  fd: number,
  buffers: readonly Uint8Array[],
  position: number,
): Promise<number> => {
  let rest = buffers
  let at = position
  while (rest.length > 0) {
    let written = await disk.write(fd, rest, at)
    at += written
    let index = 0
    for (; index < rest.length; index += 1) {
      const size = rest[index]?.byteLength ?? 0
      if (written < size) break
      written -= size
    }
    const torn = rest[index]
    rest = torn === undefined ? [] : [torn.subarray(written), ...rest.slice(index + 1)]
  }
  return at
}
