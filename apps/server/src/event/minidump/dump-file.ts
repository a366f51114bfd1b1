import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { err, ok, type Result } from '../../lib/result.ts'
import { LIMITS } from '../limits.ts'
import { MinidumpFault } from './dump-bytes.ts'
import type { DumpSource } from './dump-bytes.ts'

/** A dump that stays where it is: only the pieces that are looked at are read, and few of them are held. */
export interface DumpFile extends DumpSource {
  close(): void
}

/** Its bytes that cannot be read are a `MinidumpFault` when they are asked for. */
export const openDump = (path: string): Result<DumpFile, MinidumpFault> => {
  try {
    return ok(readFrom(openSync(path, 'r')))
  } catch {
    return err(unreadable())
  }
}

const unreadable = (): MinidumpFault => new MinidumpFault('its file cannot be read')

const readFrom = (fd: number): DumpFile => {
  /** By where they begin; the one that was looked at last is the last. */
  const pieces = new Map<number, DataView>()

  const load = (begin: number, size: number): DataView => {
    const bytes = Buffer.alloc(size)
    let filled = 0
    while (filled < size) {
      const read = orFault(() => readSync(fd, bytes, filled, size - filled, begin + filled))
      if (read === 0) break
      filled += read
    }
    return new DataView(bytes.buffer, bytes.byteOffset, size)
  }

  return {
    length: fstatSync(fd).size,
    read: (at, size) => {
      const begin = at - (at % LIMITS.MINIDUMP_PIECE_BYTES)
      const offset = at - begin
      const known = pieces.get(begin)
      pieces.delete(begin)
      const isEnough = known !== undefined && offset + size <= known.byteLength
      const view = isEnough ? known : load(begin, Math.max(LIMITS.MINIDUMP_PIECE_BYTES, offset + size))
      pieces.set(begin, view)
      for (const oldest of pieces.keys()) {
        if (pieces.size <= LIMITS.MINIDUMP_PIECES) break
        pieces.delete(oldest)
      }
      return { view, offset }
    },
    close: () => closeSync(fd),
  }
}

const orFault = <Value>(work: () => Value): Value => {
  try {
    return work()
  } catch {
    throw unreadable()
  }
}
