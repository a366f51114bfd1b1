import type { Answer, findTraces } from '@firsthand/contract'

export type FoundTrace = Answer<typeof findTraces>['data'][number]

/** A stretch of a trace in which one service was busy, as shares of the whole. */
export interface Stretch {
  /** Slug; null where nothing was recorded. */
  readonly service: string | null
  readonly from: number
  readonly width: number
  /** Number of the service, in the order in which they began. */
  readonly place: number
  readonly durationMs: number
}

/** What is too short to be seen is drawn this wide. */
const THINNEST = 0.012

/** Services in the order in which they began. */
export function servicesOf({ breakdowns }: FoundTrace): readonly string[] {
  return [...new Set(breakdowns.flatMap(({ project }) => (project === null ? [] : [project])))]
}

export function stretchesOf(trace: FoundTrace): readonly Stretch[] {
  const services = servicesOf(trace)
  const whole = trace.end - trace.start
  return trace.breakdowns.map(({ project, start, duration }) => {
    const from = whole <= 0 ? 0 : Math.min(1, Math.max(0, (start - trace.start) / whole))
    const width = whole <= 0 ? 1 : Math.max(THINNEST, duration / whole)
    return {
      service: project,
      from: Math.min(from, 1 - THINNEST),
      width: Math.min(width, 1 - Math.min(from, 1 - THINNEST)),
      place: project === null ? -1 : services.indexOf(project),
      durationMs: duration,
    }
  })
}
