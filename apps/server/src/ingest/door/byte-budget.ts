import { inSlices, joinSteps } from '../../lib/sliced-work.ts'
import { LIMITS } from '../limits.ts'
import type { Limits } from './door.ts'

/** Bytes of bodies that are held at one time, over all requests, and the shares of it that one sender may have. */
interface ByteBudget {
  /**
   * Opens an account; every byte taken is given back by `release`.
   *
   * @param address of the client; null when it is not known
   */
  open(address: string | null): ByteReservation
}

/** Who the bytes of a body belong to. */
interface Owner {
  readonly keyId: number
  readonly organizationId: number
}

export interface ByteReservation {
  /** False when there is no room, or the sender has its share; nothing is taken then. */
  readonly take: (bytes: number) => boolean
  /**
   * What is taken, and will be, counts for this key and its organisation. Before, it counts for all whose key is not known.
   *
   * @returns false when they have their share already; nothing is changed then
   */
  belongTo(owner: Owner): boolean
  /** Some of it before the rest. */
  giveBack(bytes: number): void
  /** All of it. */
  release(): void
}

/**
 * The pieces as one buffer. The copy counts beside them, because nobody knows when the collector takes the pieces away;
 * a single piece needs none.
 *
 * @param take a reservation's
 * @returns null when there is no room for the copy; a promise when there is much to copy
 */
export const joinWithin = (
  pieces: readonly Buffer[],
  bytes: number,
  take: (bytes: number) => boolean,
): Buffer | null | Promise<Buffer> => {
  const [only] = pieces
  if (pieces.length === 1 && only !== undefined) return only
  return take(bytes) ? inSlices(joinSteps(pieces, bytes, LIMITS.DOOR_TURN_BYTES)) : null
}

type BudgetLimits = Pick<
  Limits,
  | 'CONCURRENT_BODIES_BYTES'
  | 'KEYLESS_BODIES_PARTS'
  | 'ADDRESS_BODIES_PARTS'
  | 'KEY_BODIES_PARTS'
  | 'ORGANIZATION_BODIES_PARTS'
>

/**
 * Nobody can hold everything: whoever has its share is refused, and the others go on. A body that is the only one of its
 * key may be larger than the key's share, as long as there is room: the largest body that the door takes needs more.
 *
 * @param capacity of memory, or of something else, e.g. of files that are being received
 */
export const createByteBudget = (limits: BudgetLimits, capacity = limits.CONCURRENT_BODIES_BYTES): ByteBudget => {
  const keylessBytes = capacity / limits.KEYLESS_BODIES_PARTS
  const keylessAddresses = createShares<string>(keylessBytes / limits.ADDRESS_BODIES_PARTS)
  const addresses = createShares<string>(capacity / limits.ADDRESS_BODIES_PARTS)
  const keys = createShares<number>(capacity / limits.KEY_BODIES_PARTS)
  const organizations = createShares<number>(capacity / limits.ORGANIZATION_BODIES_PARTS)
  let held = 0
  let keyless = 0

  return {
    open(clientAddress) {
      const address = clientAddress ?? ''
      let taken = 0
      let owner: Owner | null = null

      const ownerHasRoom = (bytes: number): boolean => {
        if (owner === null) return keyless + bytes <= keylessBytes && keylessAddresses.hasRoom(address, bytes)
        return keys.hasRoom(owner.keyId, bytes, taken) && organizations.hasRoom(owner.organizationId, bytes, taken)
      }
      const addToOwner = (bytes: number): void => {
        if (owner === null) {
          keyless += bytes
          keylessAddresses.add(address, bytes)
        } else {
          keys.add(owner.keyId, bytes)
          organizations.add(owner.organizationId, bytes)
        }
      }
      const giveBack = (bytes: number): void => {
        held -= bytes
        addresses.add(address, -bytes)
        addToOwner(-bytes)
        taken -= bytes
      }
      return {
        take(bytes) {
          if (held + bytes > capacity || !addresses.hasRoom(address, bytes, taken) || !ownerHasRoom(bytes)) return false
          held += bytes
          addresses.add(address, bytes)
          addToOwner(bytes)
          taken += bytes
          return true
        },
        belongTo({ keyId, organizationId }) {
          const hasRoom = keys.hasRoom(keyId, taken, 0) && organizations.hasRoom(organizationId, taken, 0)
          if (taken > 0 && !hasRoom) return false
          addToOwner(-taken)
          owner = { keyId, organizationId }
          addToOwner(taken)
          return true
        },
        giveBack,
        release() {
          giveBack(taken)
        },
      }
    },
  }
}

interface Shares<Id> {
  /** @param own what the body that asks has of it; when that is all, it is alone and may have more */
  hasRoom(id: Id, bytes: number, own?: number): boolean
  add(id: Id, bytes: number): void
}

/** Bytes by whose they are; remembers only those who hold any. */
const createShares = <Id>(most: number): Shares<Id> => {
  const heldBy = new Map<Id, number>()
  return {
    hasRoom(id, bytes, own) {
      const all = heldBy.get(id) ?? 0
      return all + bytes <= most || all === own
    },
    add(id, bytes) {
      if (bytes === 0) return
      const all = (heldBy.get(id) ?? 0) + bytes
      if (all === 0) heldBy.delete(id)
      else heldBy.set(id, all)
    },
  }
}
