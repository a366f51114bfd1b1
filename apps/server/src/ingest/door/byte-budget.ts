/** Bytes of bodies that are held at one time, over all requests. */
interface ByteBudget {
  /** Opens an account; every byte taken is given back by `release`. */
  open(): ByteReservation
}

export interface ByteReservation {
  /** False when there is no room; nothing is taken then. */
  take(bytes: number): boolean
  release(): void
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
