/**
 * MinHash: of how many of the 64 hash functions have two sets the same smallest value? As many hundredths as they have
 * elements in common. Sixteen bands of four values find sets that are alike: those that share at least one band.
 */

export const HASHES = 64
export const BANDS = 16
const ROWS = HASHES / BANDS

/** Null for nothing: what has no feature is like nothing. */
export const signatureOf = (tokens: readonly string[]): Uint32Array | null => {
  if (tokens.length === 0) return null
  const signature = new Uint32Array(HASHES).fill(0xffff_ffff)
  for (const token of tokens) {
    const base = hashText(token)
    for (let index = 0; index < HASHES; index += 1) {
      const value = mix(base ^ Math.imul(index + 1, 0x9e37_79b1))
      if (value < (signature[index] ?? 0)) signature[index] = value
    }
  }
  return signature
}

/** One number for each band. */
export const bandsOf = (signature: Uint32Array): readonly number[] =>
  Array.from({ length: BANDS }, (_, band) => {
    let hash = 0x811c_9dc5
    for (const value of signature.subarray(band * ROWS, (band + 1) * ROWS)) hash = mix(hash ^ value)
    return hash
  })

/** FNV-1a over UTF-16. */
const hashText = (text: string): number => {
  let hash = 0x811c_9dc5
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x0100_0193)
  return hash >>> 0
}

/** The last steps of MurmurHash3: each bit of the result depends on each bit of the value. */
const mix = (value: number): number => {
  let hash = value ^ (value >>> 16)
  hash = Math.imul(hash, 0x85eb_ca6b)
  hash ^= hash >>> 13
  hash = Math.imul(hash, 0xc2b2_ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
