import type { Clock } from '../lib/clock.ts'
import { LIMITS } from './limits.ts'

/** Who sent a trace. */
export interface Sender {
  readonly organizationId: number
  readonly projectId: number
}

/** Traces of an organisation that nobody looked at. */
export interface LeftOut {
  readonly organizationId: number
  readonly traces: number
  /** Whose they are; those with most first. */
  readonly projectIds: readonly number[]
}

interface Counted {
  lastAt: number
  readonly byProject: Map<number, number>
}

/** Counts traces that nobody looks at: what is not looked for is not known to be missing. */
export const createLeftOut = (clock: Clock) => {
  const counted = new Map<number, Counted>()
  const forgetOld = (): void => {
    for (const [organizationId, { lastAt }] of counted)
      if (clock.now() - lastAt >= LIMITS.FINDING_LEFT_OUT_TOLD_MS) counted.delete(organizationId)
  }
  return {
    add: ({ organizationId, projectId }: Sender, more: number): void => {
      if (more === 0) return
      forgetOld()
      const own: Counted = counted.get(organizationId) ?? { lastAt: 0, byProject: new Map() }
      own.byProject.set(projectId, (own.byProject.get(projectId) ?? 0) + more)
      own.lastAt = clock.now()
      counted.set(organizationId, own)
    },
    /** Those of each organisation since it began; none once it did not happen to it for long. */
    all: (): readonly LeftOut[] => {
      forgetOld()
      return [...counted].map(([organizationId, { byProject }]) => ({
        organizationId,
        traces: [...byProject.values()].reduce((sum, traces) => sum + traces, 0),
        projectIds: [...byProject].toSorted(([, one], [, other]) => other - one).map(([projectId]) => projectId),
      }))
    },
  }
}
