import type { Steps } from '../lib/sliced-work.ts'
import type { ProfileForm } from './form.ts'
import { LIMITS } from './limits.ts'
import { type createFunctions, samplesByThread, SLICE, timed } from './mix.ts'
import type { Stretch } from './profiles.view.ts'

/**
 * Where the time of a thread went, step by step: however many samples there are, a lane has so many steps and of each the
 * functions that ran longest. Entry `i` of every list is about the same function in the same step.
 */
export interface LaneColumns {
  /** Ascending. */
  readonly step: readonly number[]
  /** Place among the functions; -1 for all others together. */
  readonly function: readonly number[]
  /** Microseconds that it ran itself, without what it called. */
  readonly self: readonly number[]
}

/** A sample of a browser or of most other profilers stands for longer. */
const SHORTEST_STEP_MICROS = 1000

const REST = -1

export const createLane = (functions: ReturnType<typeof createFunctions>, { from, to }: Stretch) => {
  const length = Math.max(SHORTEST_STEP_MICROS, Math.ceil((to - from) / LIMITS.PROFILE_LANE_STEPS))
  const steps: (Map<number, number> | undefined)[] = []
  let samples = 0
  /** A sample may stand for several steps: each has its part. */
  const spread = (place: number, begin: number, end: number): void => {
    for (let step = Math.floor((begin - from) / length); from + step * length < end; step += 1) {
      const spent = Math.min(end, from + (step + 1) * length) - Math.max(begin, from + step * length)
      const own = (steps[step] ??= new Map())
      if (spent > 0) own.set(place, (own.get(place) ?? 0) + spent)
    }
  }
  return {
    /** Microseconds. */
    length,
    samples: (): number => samples,
    /** In slices: one profile has up to half a million samples. */
    add: function* (form: ProfileForm, thread: string): Steps<void> {
      const place = form.threads.findIndex(({ id }) => id === thread)
      const own = samplesByThread(form)[place] ?? []
      yield
      const placeOf = new Map<number, number>()
      for (const [index, { sample, at, weight }] of timed(form, own).entries()) {
        if (index % SLICE === SLICE - 1) yield
        const [begin, end] = [Math.max(at, from), Math.min(at + weight, to)]
        if (begin > end || at > to) continue
        samples += 1
        const frame = form.stacks.frame[form.samples.stack[sample] ?? -1]
        if (frame === undefined) continue
        const known = placeOf.get(frame) ?? functions.place(form, frame)
        placeOf.set(frame, known)
        spread(known, begin, end)
      }
    },
    columns: (): LaneColumns => {
      const columns = { step: [] as number[], function: [] as number[], self: [] as number[] }
      const push = (step: number, place: number, self: number): void => {
        columns.step.push(step)
        columns.function.push(place)
        columns.self.push(Math.round(self))
      }
      steps.forEach((own, step) => {
        const sorted = [...(own ?? [])].toSorted(([, one], [, other]) => other - one)
        const told = sorted.slice(0, LIMITS.PROFILE_STEP_FUNCTIONS)
        for (const [place, self] of told) push(step, place, self)
        const rest = sorted.slice(told.length).reduce((sum, [, self]) => sum + self, 0)
        if (rest > 0) push(step, REST, rest)
      })
      return columns
    },
  }
}
