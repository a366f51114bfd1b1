import type { ReplayPlayback } from '@firsthand/contract'

/** Whoever does nothing for longer is idle, as the server judges it. Milliseconds. */
const IDLE_MS = 10_000

interface Span {
  readonly from: number
  readonly to: number
}

type Seen = Pick<ReplayPlayback, 'gaps' | 'segments'>

/** Stretches of which nothing is known, by time: their segments did not come, or cannot be read. */
export function missingOf({ gaps, segments }: Seen): readonly Span[] {
  const broken = segments.filter((segment) => segment.broken !== null).map((segment) => spanOfBroken(segment, segments))
  const missing: { readonly from: number; to: number }[] = []
  for (const { from, to } of [...gaps, ...broken].toSorted((one, other) => one.from - other.from)) {
    const last = missing.at(-1)
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to)
    else missing.push({ from, to })
  }
  return missing
}

/** From the end of what was read before: of what cannot be read, often only the end is known. */
function spanOfBroken({ from, to }: Span, segments: Seen['segments']): Span {
  const before = segments.filter((segment) => segment.broken === null && segment.to <= from)
  return { from: before.length === 0 ? from : Math.max(...before.map((segment) => segment.to)), to }
}

/**
 * Stretches behind what is missing, until a whole page was recorded again: what changed meanwhile is drawn on a page of which
 * changes are not known.
 */
export function incompleteOf(seen: Seen): readonly Span[] {
  const pages = seen.segments.filter(({ broken, snapshot }) => snapshot && broken === null)
  return missingOf(seen)
    .map(({ to: from }) => ({
      from,
      to: Math.min(...pages.map((page) => page.from).filter((at) => at >= from), Infinity),
    }))
    .filter(({ from, to }) => to > from)
}

/** Stretches in which the visitor did nothing: where nothing was received, nobody knows that. */
export function idleOf(playback: Seen & Pick<ReplayPlayback, 'idle'>): readonly (readonly [number, number])[] {
  const missing = missingOf(playback).filter(({ from, to }) => to > from)
  if (missing.length === 0) return playback.idle
  return playback.idle.flatMap(([start, end]) => {
    const rest: (readonly [number, number])[] = []
    let at = start
    for (const { from, to } of missing) {
      if (to <= at || from >= end) continue
      rest.push([at, from])
      at = to
    }
    rest.push([at, end])
    return rest.filter(([from, to]) => to - from > IDLE_MS)
  })
}
