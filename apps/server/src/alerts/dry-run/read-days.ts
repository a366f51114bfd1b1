import { DAY_MS } from '../../lib/durations.ts'
import { Unanswerable } from '../../lib/unanswerable.ts'
import type { Batch } from '../measure/batch.ts'
import { groupKey } from '../measure/found.ts'
import { MINUTE_MS } from '../measure/minute.ts'
import type { AskNumbers, NumbersAnswer } from '../measure/numbers.ts'
import type { Grid } from '../measure/windows.ts'
import { LIMITS } from '../limits.ts'

/** Values of a rule's groups at equal steps of the past, read day by day, the newest first, while there is time. */
export interface PastValues {
  /** The end of the newest step; the others lie before it. */
  readonly end: number
  readonly stepMinutes: number
  /** Steps that were read. */
  readonly steps: number
  readonly groups: ReadonlyMap<string, GroupValues>
  readonly days: number
  readonly rows: number
  readonly milliseconds: number
}

/** By step, counted from the newest: NaN where there was nothing. */
export interface GroupValues {
  readonly values: Float64Array
  readonly sampled: Float64Array
}

export interface DaysRequest {
  readonly end: number
  readonly days: number
  readonly stepMinutes: number
  /** Of each value. */
  readonly windowMinutes: number
}

const BUDGET = { seconds: LIMITS.DRY_RUN_SECONDS, rows: LIMITS.DRY_RUN_ROWS }

const empty = (steps: number): GroupValues => ({
  values: new Float64Array(steps).fill(Number.NaN),
  sampled: new Float64Array(steps),
})

/** @throws Unanswerable when not even one day can be read */
export const readDays = async (
  numbers: AskNumbers,
  batch: Batch,
  { days, end, stepMinutes, windowMinutes }: DaysRequest,
): Promise<PastValues> => {
  const perDay = Math.ceil(1440 / stepMinutes)
  const groups = new Map<string, GroupValues>()
  let rows = 0
  let milliseconds = 0
  let read = 0
  while (read < days && (read === 0 || milliseconds < LIMITS.DRY_RUN_READ_MS)) {
    const first = read * perDay
    const grid: Grid = {
      end: end - first * stepMinutes * MINUTE_MS,
      stepMs: stepMinutes * MINUTE_MS,
      lengthMs: windowMinutes * MINUTE_MS,
      count: perDay,
    }
    const answer = await readDay(numbers, batch, grid, read)
    if (answer === null) break
    rows += answer.readRows
    milliseconds += answer.milliseconds
    for (const row of answer.rows) {
      const key = groupKey(row.group)
      const group = groups.get(key) ?? empty(days * perDay)
      groups.set(key, group)
      const step = first + row.slot - 1
      group.values[step] = row.values[0] ?? Number.NaN
      group.sampled[step] = row.sampled
    }
    read += 1
  }
  return {
    end,
    stepMinutes,
    steps: read * perDay,
    groups,
    days: (read * perDay * stepMinutes * MINUTE_MS) / DAY_MS,
    rows,
    milliseconds,
  }
}

/** Null for a day that is too large to be read, behind others that were read. */
const readDay = async (numbers: AskNumbers, batch: Batch, grid: Grid, read: number): Promise<NumbersAnswer | null> => {
  try {
    return await numbers(batch, { windows: grid, budget: BUDGET })
  } catch (error) {
    if (!(error instanceof Unanswerable) || read === 0) throw error
    return null
  }
}
