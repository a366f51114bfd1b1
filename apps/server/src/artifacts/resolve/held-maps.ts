import type { BlobStore } from '../../storage/blobs/blobs.store.ts'
import { DamagedBlob } from '../../lib/store-fault.ts'
import { LIMITS } from '../limits.ts'
import { PreparedMap } from '../maps/prepared-map.ts'
import { OpenMap } from './open-map.ts'

/** Prepared maps by the keys of their blobs: those that were asked for last are held, within a number of bytes. */
export const createHeldMaps = (blobs: Pick<BlobStore, 'get'>, mostBytes: number = LIMITS.PREPARED_HELD_BYTES) => {
  const held = new Map<string, OpenMap>()
  let bytes = 0

  const forget = (key: string): void => {
    bytes -= held.get(key)?.map.bytes ?? 0
    held.delete(key)
  }

  return {
    /** @returns null when it is gone, or was prepared in another form */
    open: async (key: string): Promise<OpenMap | null> => {
      const known = held.get(key)
      if (known !== undefined) {
        // The last one of the map is the one that was asked for last.
        held.delete(key)
        held.set(key, known)
        return known
      }
      const map = await readMap(blobs, key)
      if (map === null) return null
      const open = new OpenMap(map)
      held.set(key, open)
      bytes += map.bytes
      for (const oldest of held.keys()) {
        if (bytes <= mostBytes || oldest === key) break
        forget(oldest)
      }
      return open
    },

    /** What is held, in bytes. */
    bytes: (): number => bytes,
  }
}

/** A damaged one is none: what it was made of is there, and no event waits for it. */
const readMap = async (blobs: Pick<BlobStore, 'get'>, key: string): Promise<PreparedMap | null> => {
  try {
    const content = await blobs.get(key)
    return content === null ? null : PreparedMap.of(content)
  } catch (error) {
    if (error instanceof DamagedBlob) return null
    throw error
  }
}

export type HeldMaps = ReturnType<typeof createHeldMaps>
