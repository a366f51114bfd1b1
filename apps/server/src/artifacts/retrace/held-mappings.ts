import type { BlobStore } from '../../storage/blobs/blobs.store.ts'
import { DamagedBlob } from '../../lib/store-fault.ts'
import { MappingText } from './mapping-index.ts'
import { OpenMapping } from './open-mapping.ts'

export interface MappingBlobs {
  readonly text: string
  readonly index: string
}

/** Mappings by the keys of their blobs: those that were asked for last are held, within a number of bytes. */
export const createHeldMappings = (blobs: Pick<BlobStore, 'get'>, mostBytes: number) => {
  const held = new Map<string, OpenMapping>()
  let bytes = 0

  return {
    /** @returns null when it is gone, or was indexed in another form */
    open: async ({ index, text }: MappingBlobs): Promise<OpenMapping | null> => {
      const key = `${text} ${index}`
      const known = held.get(key)
      if (known !== undefined) {
        // The last one of the map is the one that was asked for last.
        held.delete(key)
        held.set(key, known)
        return known
      }
      const open = await readMapping(blobs, { index, text })
      // Another event may have asked for it meanwhile.
      if (open === null || held.has(key)) return held.get(key) ?? open
      held.set(key, open)
      bytes += open.bytes
      for (const [oldest, one] of held) {
        if (bytes <= mostBytes || oldest === key) break
        bytes -= one.bytes
        held.delete(oldest)
      }
      return open
    },

    /** What is held, in bytes. */
    bytes: (): number => bytes,
  }
}

export type HeldMappings = ReturnType<typeof createHeldMappings>

/** A damaged one is none: the event can be read as it came. */
const readMapping = async (blobs: Pick<BlobStore, 'get'>, keys: MappingBlobs): Promise<OpenMapping | null> => {
  try {
    const index = await blobs.get(keys.index)
    const text = index === null ? null : await blobs.get(keys.text)
    const mapping = index === null || text === null ? null : MappingText.of(text, index)
    return mapping === null ? null : new OpenMapping(mapping)
  } catch (error) {
    if (error instanceof DamagedBlob) return null
    throw error
  }
}
