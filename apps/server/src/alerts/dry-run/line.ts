import type { AlertDryRun } from '@firsthand/contract'
import { LIMITS } from '../limits.ts'

/** Values over time as a chart draws them: of each step the worst. */

type Points = AlertDryRun['series'][number]['points']

export interface Steps {
  /** Milliseconds since the epoch, and of a step. */
  readonly from: number
  readonly to: number
  readonly stepMs: number
}

const ROUND_MINUTES = [1, 5, 10, 15, 30, 60, 120, 180, 240, 360, 720, 1440]

/** Steps that begin at multiples of their length. */
export const stepsBetween = (from: number, to: number): Steps => {
  const least = (to - from) / 60_000 / LIMITS.DRY_RUN_POINTS
  const stepMs = (ROUND_MINUTES.find((minutes) => minutes >= least) ?? 1440) * 60_000
  return { from: Math.floor(from / stepMs) * stepMs, to, stepMs }
}

export const countOf = ({ from, stepMs, to }: Steps): number => Math.max(1, Math.ceil((to - from) / stepMs))

export const stepAt = ({ from, stepMs }: Steps, at: number): number => Math.floor((at - from) / stepMs)

/** Gathers the worst value of each step. */
export class Line {
  readonly #steps: Steps
  readonly #isWorse: (value: number, other: number) => boolean
  readonly #values: (number | null)[]
  worst: number | null = null

  constructor(steps: Steps, direction: 'above' | 'below') {
    this.#steps = steps
    this.#isWorse = direction === 'above' ? (value, other) => value > other : (value, other) => value < other
    this.#values = Array.from({ length: countOf(steps) }, () => null)
  }

  add(at: number, value: number | null): void {
    if (value === null) return
    const step = stepAt(this.#steps, at)
    const known = this.#values[step]
    if (known === undefined) return
    if (known === null || this.#isWorse(value, known)) this.#values[step] = value
    if (this.worst === null || this.#isWorse(value, this.worst)) this.worst = value
  }

  points(): Points {
    const { from, stepMs } = this.#steps
    return this.#values.map((value, step) => [Math.round((from + step * stepMs) / 1000), value])
  }
}
