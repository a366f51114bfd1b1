import type { SpanSums, TraceNews } from '../traces/index.ts'
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

const NOTHING: SpanSums = { count: 0, alike: 0, total: 0, longest: 0, largest: 0, blocked: 0 }

export const mayHaveFinding = ({ sums }: Pick<TraceNews, 'sums'>, needs: readonly LeastSums[]): boolean =>
  needs.some(({ kind, least }) => {
    const { count, alike, total, longest, largest, blocked } = sums[kind] ?? NOTHING
    return (
      count >= Math.max(1, least.count ?? 0) &&
      alike >= (least.alike ?? 0) &&
      total >= (least.total ?? 0) &&
      longest >= (least.longest ?? 0) &&
      largest >= (least.largest ?? 0) &&
      blocked >= (least.blocked ?? 0)
    )
  })

/** What came of a trace in several items. */
export const addSums = (
  one: Omit<TraceNews, 'traceId'>,
  more: Omit<TraceNews, 'traceId'>,
): Omit<TraceNews, 'traceId'> => {
  const sums: Record<string, SpanSums> = { ...one.sums }
  for (const [kind, added] of Object.entries(more.sums)) {
    const { count, alike, total, longest, largest, blocked } = sums[kind] ?? NOTHING
    sums[kind] = {
      count: count + added.count,
      alike: alike + added.alike,
      total: total + added.total,
      longest: Math.max(longest, added.longest),
      largest: Math.max(largest, added.largest),
      blocked: blocked + added.blocked,
    }
  }
  return { sums, hasRoot: one.hasRoot || more.hasRoot }
}
