/**
 * Patterns as people write them into settings: `*` is any run of characters, `?` any one, everything else itself, in any
 * case. The whole text must match. Two positions move forward only, so that no pattern can make it slow.
 */
export const matchesGlob = (pattern: string, text: string): boolean => {
  const wanted = pattern.toLowerCase()
  const given = text.toLowerCase()
  let p = 0
  let t = 0
  let star = -1
  let afterStar = 0
  while (t < given.length) {
    if (p < wanted.length && wanted[p] === '*') {
      star = p++
      afterStar = t
    } else if (p < wanted.length && (wanted[p] === given[t] || wanted[p] === '?')) {
      p++
      t++
    } else if (star >= 0) {
      p = star + 1
      t = ++afterStar
    } else return false
  }
  while (wanted[p] === '*') p++
  return p === wanted.length
}

export const matchesAnyGlob = (patterns: readonly string[], text: string | undefined): boolean =>
  text !== undefined && patterns.some((pattern) => pattern.trim() !== '' && matchesGlob(pattern.trim(), text))
