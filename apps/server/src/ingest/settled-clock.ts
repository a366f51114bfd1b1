import type { Clock } from '../lib/clock.ts'
import { LIMITS } from './limits.ts'
import type { SpoolPosition } from './road.ts'
import { comparePositions } from './spool/position.ts'
import type { Spool } from './spool/spool.ts'

/**
 * Up to when all that was received is stored. Whoever decides something by what came, and by what did not, goes by this
 * clock: while the digest lags it lags with it, and silence that is none is never taken for one.
 */
export interface SettledClock {
  /** Everything that was received before can be read. Null until all that waited when the process began is stored. */
  until(): number | null
  /** When that was asked: the difference is how far the digest is behind. */
  now(): number
  /** The last time that the machine's clock was set forward, or the machine slept. */
  jump(): { readonly from: number; readonly to: number } | null
}

interface Mark {
  readonly position: SpoolPosition
  readonly until: number
}

/** Every second one: what remains is coarser. */
const thinned = (marks: readonly Mark[]): Mark[] => marks.filter((_, index) => index % 2 === 1)

/**
 * @param passed up to where records are stored that are not heavy: recordings take turns of their own, and nobody's errors
 *   wait for them
 */
export const createSettledClock = ({
  spool,
  passed,
  clock,
}: {
  readonly spool: Pick<Spool, 'end' | 'receivedUntil'>
  readonly passed: () => SpoolPosition
  readonly clock: Clock & Pick<SettledClock, 'jump'>
}): SettledClock => {
  let marks: Mark[] = []
  let settled: number | null = null
  return {
    until: () => {
      const until = spool.receivedUntil(clock.now())
      marks.push({ position: spool.end(), until })
      if (marks.length > LIMITS.SETTLED_MARKS) marks = thinned(marks)
      const at = passed()
      const waiting = marks.findIndex(({ position }) => comparePositions(position, at) > 0)
      const reached = waiting === -1 ? marks : marks.slice(0, waiting)
      const last = reached.at(-1)
      if (last !== undefined) {
        settled = Math.max(settled ?? 0, last.until)
        marks = marks.slice(reached.length)
      }
      return settled
    },
    now: clock.now,
    jump: clock.jump,
  }
}
