import { type Clock, isWithin } from './clock.ts'
import { RecentMap } from './recent-map.ts'

interface Kept<Value> {
  readonly value: Value
  readonly at: number
}

export interface SharedAnswersOptions<Value> {
  readonly clock: Clock
  /** For so long after it was found an answer is given again. */
  readonly keptMs: number
  /** Of all answers that are remembered, in the unit of `weigh`. */
  readonly capacity: number
  readonly weigh: (value: Value) => number
}

/**
 * What many ask for at the same time is worked out once: whoever asks while it is under way gets the same answer, and so
 * does whoever asks shortly after. Failures are told to all who waited and are not remembered.
 */
export const createSharedAnswers = <Value>({ clock, keptMs, capacity, weigh }: SharedAnswersOptions<Value>) => {
  const once = createOnceAtATime()
  const kept = new RecentMap<string, Kept<Value>>(capacity)
  return async (key: string, work: () => Promise<Value>): Promise<Value> => {
    const known = kept.get(key)
    if (known !== undefined && isWithin(known.at, keptMs, clock.now())) return known.value
    kept.delete(key)
    return once(key, async () => {
      const at = clock.now()
      const value = await work()
      kept.set(key, { value, at }, weigh(value))
      return value
    })
  }
}

/** Nothing is remembered: only who asks while it is under way gets the same answer. */
export const createOnceAtATime = () => {
  const underWay = new Map<string, Promise<unknown>>()
  /** A key stands for one kind of work. */
  return <Value>(key: string, work: () => Promise<Value>): Promise<Value> => {
    const joined = underWay.get(key) as Promise<Value> | undefined
    if (joined !== undefined) return joined
    const begun = work().finally(() => underWay.delete(key))
    underWay.set(key, begun)
    return begun
  }
}
