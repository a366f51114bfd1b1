/** Of one element, so many are looked at. */
const MAX_CANDIDATES = 32
/** Pixels: wide enough for a picture that is looked at in a player. */
const WIDE_ENOUGH = 640
/** Behind all that are wide enough. */
const TOO_NARROW = 1e6

const isBlank = (character: string): boolean => /\s/.test(character)

/** The smaller, the better. */
const rankOf = (descriptor: string): number => {
  const [, written = '1', unit = 'x'] = /^(\d{1,5}(?:\.\d{1,5})?)([wx])$/.exec(descriptor) ?? []
  const value = Number(written)
  if (unit === 'x') return value
  return value >= WIDE_ENOUGH ? value : TOO_NARROW - value
}

/**
 * One of the addresses of a `srcset`, always the same: which of them a browser took was not recorded. Null for none. Linear
 * in the text.
 */
export const candidateOf = (srcset: string): string | null => {
  let best: { readonly address: string; readonly rank: number } | null = null
  let at = 0
  for (let count = 0; count < MAX_CANDIDATES; count++) {
    while (at < srcset.length && (isBlank(srcset.charAt(at)) || srcset[at] === ',')) at++
    const start = at
    while (at < srcset.length && !isBlank(srcset.charAt(at))) at++
    let end = at
    while (end > start && srcset[end - 1] === ',') end--
    if (end === start) break
    let descriptor = ''
    if (end === at) {
      const comma = srcset.indexOf(',', at)
      const next = comma === -1 ? srcset.length : comma
      descriptor = srcset.slice(at, next).trim()
      at = next
    }
    const rank = rankOf(descriptor)
    if (best === null || rank < best.rank) best = { address: srcset.slice(start, end), rank }
  }
  return best?.address ?? null
}

/** Of an image whose own address shows nothing yet: pages give it one when it comes into sight. */
export const isPlaceholder = (src: unknown): boolean => typeof src !== 'string' || src === '' || /^data:/i.test(src)
