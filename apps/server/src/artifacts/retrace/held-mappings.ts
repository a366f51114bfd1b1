import type { BlobStore } from '../../storage/blobs/blobs.store.ts'
import { createLine } from '../../lib/in-line.ts'
import { DamagedBlob } from '../../lib/store-fault.ts'
import { LIMITS } from '../limits.ts'
import { OpenMapping } from './open-mapping.ts'
import { PreparedMapping } from './prepared-mapping.ts'

/** Where a prepared mapping is kept. */
export interface MappingPlace {
  readonly key: string
  /** That are read there. */
  readonly bytes: number
}

/**
 * Mappings by the keys of their blobs: those that were asked for last are held, within a number of bytes; the one that is
 * asked for is held in any case. One is read at a time, once for all who ask for it, and what has to go for it goes before.
 *
 * @param ofClasses bytes of what was read of each, which count as well
 */
export const createHeldMappings = (
  blobs: Pick<BlobStore, 'get'>,
  mostBytes: number,
  ofClasses: number = LIMITS.PROGUARD_CLASSES_HELD_BYTES,
) => {
  const held = new Map<string, OpenMapping>()
  const underWay = new Map<string, Promise<OpenMapping | null>>()
  const inLine = createLine()
  let bytes = 0

  const makeRoom = (needed: number): void => {
    for (const [oldest, one] of held) {
      if (bytes + needed <= mostBytes) return
      bytes -= one.bytes
      held.delete(oldest)
    }
  }

  const read = async ({ bytes: expected, key }: MappingPlace): Promise<OpenMapping | null> => {
    makeRoom(expected)
    const mapping = await readMapping(blobs, key)
    const open = mapping === null ? null : new OpenMapping(mapping, ofClasses)
    if (open === null) return null
    makeRoom(open.bytes)
    held.set(key, open)
    bytes += open.bytes
    return open
  }

  return {
    /** @returns null when it is gone, or was prepared in another form */
    open: (place: MappingPlace): Promise<OpenMapping | null> => {
      const { key } = place
      const known = held.get(key)
      if (known !== undefined) {
        // The last one of the map is the one that was asked for last.
        held.delete(key)
        held.set(key, known)
        return Promise.resolve(known)
      }
      const begun = underWay.get(key)
      if (begun !== undefined) return begun
      const reading = inLine(() => read(place)).finally(() => underWay.delete(key))
      underWay.set(key, reading)
      return reading
    },

    /** What is held, in bytes. */
    bytes: (): number => bytes,
  }
}

export type HeldMappings = ReturnType<typeof createHeldMappings>

/** A damaged one is none: the event can be read as it came. */
const readMapping = async (blobs: Pick<BlobStore, 'get'>, key: string): Promise<PreparedMapping | null> => {
  try {
    const content = await blobs.get(key)
    return content === null ? null : PreparedMapping.of(content)
  } catch (error) {
    if (error instanceof DamagedBlob) return null
    throw error
  }
}
