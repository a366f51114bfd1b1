import { setTimeout as pauseFor } from 'node:timers/promises'
import { isWithin, type Clock } from '../../lib/clock.ts'
import { RecentMap } from '../../lib/recent-map.ts'
import { createOnceAtATime } from '../../lib/shared-answers.ts'
import { LIMITS } from '../limits.ts'

/**
 * Counts at a glance: all open consoles show how many issues the same searches find, and ask again when something changed.
 * Each question is answered once for all of them, and worked out at most every `GLANCE_MS`: whoever asks sooner after a change
 * waits for the next time. What a person changed is counted at once, as that person looks at the numbers. No answer is older
 * than the last change that this process was told of.
 */
export interface Glances {
  readonly count: (organizationId: number, question: string, work: () => Promise<number>) => Promise<number>
  /** Something happened to issues of the organisation. */
  readonly changed: (organizationId: number) => void
  /** Somebody changed issues of the organisation. */
  readonly handled: (organizationId: number) => void
}

interface Counted {
  readonly value: number
  readonly at: number
  /** How much had changed when counting began. */
  readonly changes: number
}

export const createGlances = ({
  clock,
  maxAgeMs = LIMITS.GLANCE_AGE_MS,
  pause = pauseFor,
}: {
  readonly clock: Clock
  /** Shorter where other processes store events of which nobody tells us. */
  readonly maxAgeMs?: number
  readonly pause?: (ms: number) => Promise<unknown>
}): Glances => {
  const counted = new RecentMap<string, Counted>(LIMITS.GLANCES_REMEMBERED)
  const changesOf = new Map<number, number>()
  /** Which of the changes was the last that a person made. */
  const handledOf = new Map<number, number>()
  const once = createOnceAtATime()
  const changes = (organizationId: number): number => changesOf.get(organizationId) ?? 0

  const countAnew = async (organizationId: number, key: string, work: () => Promise<number>): Promise<Counted> => {
    const begun = { at: clock.now(), changes: changes(organizationId) }
    const found = { ...begun, value: await work() }
    counted.set(key, found)
    return found
  }

  const changed = (organizationId: number): void => {
    changesOf.set(organizationId, changes(organizationId) + 1)
  }

  return {
    changed,
    handled: (organizationId) => {
      changed(organizationId)
      handledOf.set(organizationId, changes(organizationId))
    },
    count: async (organizationId, question, work) => {
      const key = `${organizationId} ${question}`
      const asked = changes(organizationId)
      const known = counted.get(key)
      if (known !== undefined) {
        if (known.changes >= asked && isWithin(known.at, maxAgeMs, clock.now())) return known.value
        const isHandled = known.changes < (handledOf.get(organizationId) ?? 0)
        const waitMs = known.at + LIMITS.GLANCE_MS - clock.now()
        if (waitMs > 0 && !isHandled) await pause(Math.min(waitMs, LIMITS.GLANCE_MS))
      }
      const anew = (): Promise<Counted> => once(key, () => countAnew(organizationId, key, work))
      const found = await anew()
      // What was under way already may have begun before the change.
      return found.changes >= asked ? found.value : (await anew()).value
    },
  }
}
