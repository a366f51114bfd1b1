import type { PayloadFile } from '../payload-file.ts'
import type { StagedFile } from '../spool/staging.ts'
import { busy } from './body.ts'
import type { ByteReservation } from './byte-budget.ts'
import type { DoorContext, RequestState } from './request-state.ts'
import { isTooMuchStaged, tooInflated } from './large-body.ts'
import { Refused } from './refused.ts'
import { storageFull, storageGone } from './refusals.ts'

/** Puts large payloads of one request into files beside the spool. */
export interface Stager {
  /**
   * Resolves when all of it is on disk.
   *
   * @throws Refused when there is no room; what `pieces` throws
   */
  keep(pieces: AsyncIterable<Buffer>): Promise<PayloadFile>
  /** Of all files so far. */
  stagedBytes(): number
  /** Removes the files that no record refers to. */
  end(): Promise<void>
}

/**
 * @param room of bytes that are being staged, of all requests
 * @param key for whom; asked when the first file begins
 */
export const createStager = (
  room: ByteReservation,
  key: () => RequestState['key'],
  { complain, parts: { limits, spool } }: DoorContext,
): Stager => {
  const files: StagedFile[] = []
  let stagedBytes = 0

  const begin = async (): Promise<StagedFile> => {
    const owner = key()
    if (owner === null || (files.length === 0 && !room.belongTo(owner))) throw new Refused(busy(limits))
    const file = await orFull(() => spool.stage())
    files.push(file)
    return file
  }

  const fill = async (file: StagedFile, pieces: AsyncIterable<Buffer>): Promise<PayloadFile> => {
    let waiting: Buffer[] = []
    let bytes = 0
    const write = async (): Promise<void> => {
      const together = Buffer.concat(waiting, bytes)
      waiting = []
      bytes = 0
      await orFull(() => file.write(together))
    }
    for await (const piece of pieces) {
      if (!room.take(piece.byteLength)) {
        // Now, not when its files are gone: of many that come to the bound together, the others would be refused as well.
        room.release()
        throw new Refused(busy(limits))
      }
      stagedBytes += piece.byteLength
      waiting.push(piece)
      bytes += piece.byteLength
      if (bytes >= limits.STAGED_WRITE_BYTES) await write()
    }
    if (bytes > 0) await write()
    return orFull(() => file.finish())
  }

  /** What the disk does not take is said as if the spool had said it. */
  const orFull = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    try {
      return await work()
    } catch (error) {
      complain(error)
      throw new Refused(spool.pressure() === 'gone' ? storageGone(limits) : storageFull(limits))
    }
  }

  return {
    keep: async (pieces) => fill(await begin(), pieces),
    stagedBytes: () => stagedBytes,
    end: async () => {
      for (const file of files) await file.discard()
      room.release()
    },
  }
}

/**
 * The same within the ratio, whatever was packed how often: a body, and a dump in it.
 *
 * @param wireBytes null while more is to come: a file may begin with what is more regular than its rest
 */
export const withinRatio = (
  stager: Stager,
  wireBytes: () => number | null,
  limits: DoorContext['parts']['limits'],
): Stager => {
  const bounded = async function* (pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      yield piece
      const wire = wireBytes()
      if (wire !== null && isTooMuchStaged(stager.stagedBytes(), wire, limits)) throw new Refused(tooInflated(limits))
    }
  }
  return { ...stager, keep: (pieces) => stager.keep(bounded(pieces)) }
}
