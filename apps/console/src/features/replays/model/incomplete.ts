import type { ReplayPlayback } from '@firsthand/contract'
import { missingOf } from '@firsthand/recording'

/**
 * Stretches behind what is missing, until a whole page was recorded again: what changed meanwhile is drawn on a page of which
 * changes are not known.
 */
export function incompleteOf(
  seen: Pick<ReplayPlayback, 'gaps' | 'segments'>,
): readonly { readonly from: number; readonly to: number }[] {
  const pages = seen.segments.filter(({ broken, snapshot }) => snapshot && broken === null)
  return missingOf(seen)
    .map(({ to: from }) => ({
      from,
      to: Math.min(...pages.map((page) => page.from).filter((at) => at >= from), Infinity),
    }))
    .filter(({ from, to }) => to > from)
}
