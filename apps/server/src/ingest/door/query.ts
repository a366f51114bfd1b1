/**
 * One parameter of a query string, decoded; null when absent. The first one wins. A few comparisons are cheaper than
 * building a `URLSearchParams`, and an escape that is no UTF-8 is taken as it stands instead of failing.
 */
export const queryParameter = (query: string, name: string): string | null => {
  let start = 0
  while (start < query.length) {
    const next = query.indexOf('&', start)
    const end = next < 0 ? query.length : next
    if (query.startsWith(name, start)) {
      const after = start + name.length
      if (after === end) return ''
      if (after < end && query[after] === '=') return decode(query.slice(after + 1, end))
    }
    start = end + 1
  }
  return null
}

const decode = (text: string): string => {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text
  if (!spaced.includes('%')) return spaced
  try {
    return decodeURIComponent(spaced)
  } catch {
    // A stray per cent sign: the value is taken as it came.
    return spaced
  }
}
