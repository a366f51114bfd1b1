/** Bytes of bodies that are held at one time, over all requests. */
interface ByteBudget {
  /** Opens an account; every byte taken is given back by `release`. */
  open(): ByteReservation
}

export interface ByteReservation {
  /** False when there is no room; nothing is taken then. */
  readonly take: (bytes: number) => boolean
  release(): void
}

/**
 * The pieces as one buffer. The copy counts beside them, because nobody knows when the collector takes the pieces away;
 * a single piece needs none.
 *
 * @param take a reservation's
 * @returns null when there is no room for the copy
 */
export const joinWithin = (
  pieces: readonly Buffer[],
  bytes: number,
  take: (bytes: number) => boolean,
): Buffer | null => {
  const [only] = pieces
  if (pieces.length === 1 && only !== undefined) return only
  return take(bytes) ? Buffer.concat(pieces, bytes) : null
}

export const createByteBudget = (capacity: number): ByteBudget => {
  let held = 0
  return {
    open() {
      let taken = 0
      return {
        take(bytes) {
          if (held + bytes > capacity) return false
          held += bytes
          taken += bytes
          return true
        },
        release() {
          held -= taken
          taken = 0
        },
      }
    },
  }
}
