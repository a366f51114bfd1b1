interface Span {
  readonly from: number
  readonly to: number
}

/** Of a replay: what its segments say, and where some of them did not come. */
interface Received {
  readonly gaps: readonly Span[]
  /** `broken` says why one cannot be read; null where it can. */
  readonly segments: readonly (Span & { readonly broken: string | null })[]
}

/** Stretches of which nothing is known, by time: their segments did not come, or cannot be read. */
export const missingOf = ({ gaps, segments }: Received): readonly Span[] => {
  const missing: { readonly from: number; to: number }[] = []
  for (const { from, to } of [...gaps, ...brokenOf(segments)].toSorted((one, other) => one.from - other.from)) {
    const last = missing.at(-1)
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to)
    else missing.push({ from, to })
  }
  return missing
}

/** Each from the end of what was read before: of what cannot be read, often only the end is known. */
const brokenOf = (segments: Received['segments']): readonly Span[] => {
  const ends = segments.flatMap(({ broken, to }) => (broken === null ? [to] : [])).toSorted((one, other) => one - other)
  let before = 0
  return segments
    .filter(({ broken }) => broken !== null)
    .toSorted((one, other) => one.from - other.from)
    .map(({ from, to }) => {
      while ((ends[before] ?? Infinity) <= from) before += 1
      return { from: ends[before - 1] ?? from, to }
    })
}
