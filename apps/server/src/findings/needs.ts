import { NO_SPANS, type SpanSums, type TraceNews } from '../traces/index.ts'
import { DETECTORS } from './detectors/index.ts'
import type { FindingSettings } from './settings.ts'

/** What spans of one kind must sum up to at least. */
export interface LeastSums {
  readonly kind: string
  readonly least: Partial<SpanSums>
}

/**
 * What the rules of a project need, each: most traces meet none of it and are not read again. A look in the store asks the
 * same (`telemetry/traced-spans.ts`).
 */
export const needsOf = ({ detectors }: FindingSettings): readonly LeastSums[] =>
  DETECTORS.flatMap(({ id, needs: { kind, least } }) => {
    const own = detectors.get(id)
    return own?.enabled === true ? [{ kind, least: least(own.thresholds) }] : []
  })

export const mayHaveFinding = ({ sums }: Pick<TraceNews, 'sums'>, needs: readonly LeastSums[]): boolean =>
  needs.some(({ kind, least }) => {
    const { count, alike, total, longest, largest, blocked } = sums[kind] ?? NO_SPANS
    return (
      count >= Math.max(1, least.count ?? 0) &&
      alike >= (least.alike ?? 0) &&
      total >= (least.total ?? 0) &&
      longest >= (least.longest ?? 0) &&
      largest >= (least.largest ?? 0) &&
      blocked >= (least.blocked ?? 0)
    )
  })
