import type { DebugFileKind } from '../../ledger/schema.ts'

/** What a debug file says of itself. */
export interface Identity {
  readonly kind: DebugFileKind
  /** As Sentry calls it: `exe`, `lib`, `dbg`, `rel`, `src`, `none`. */
  readonly symbolType: string
  /** As Sentry calls it, e.g. `x86_64`. */
  readonly architecture: string
  /** Plain; null of a file that carries none. */
  readonly debugId: string | null
  readonly codeId: string | null
  /** `debug`, `symtab`, `unwind`, `sources`, `mapping`. */
  readonly features: readonly string[]
}

/** Why a file is refused, as a sentence for whoever uploaded it. */
export type FileFault = string

export const damaged = (what: string): FileFault =>
  `This file begins as ${what}, and is damaged or was cut off: what it says of itself lies outside of it. Build and upload it again.`

/**
 * 16 bytes of an id whose first three fields are numbers of the machine, as text without hyphens. Microsoft's tools write them
 * so, and Sentry's read the build ids of little-endian ELF files so.
 */
export const idOfFields = (bytes: Buffer, isLittleEndian = true): string => {
  const id = Buffer.alloc(16)
  bytes.copy(id, 0, 0, 16)
  if (isLittleEndian) {
    id.subarray(0, 4).reverse()
    id.subarray(4, 6).reverse()
    id.subarray(6, 8).reverse()
  }
  return id.toString('hex')
}

/** An age above zero stands behind the id. */
export const withAge = (id: string, age: number): string => (age > 0 ? `${id}${age.toString(16)}` : id)
