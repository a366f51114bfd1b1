import { DAY_MS, HOUR_MS } from '../../lib/durations.ts'
import type { Batch, Member } from '../measure/batch.ts'
import { baselineOf, type Baseline, type Sensitivity } from '../measure/baseline.ts'
import { QUIET, type Course } from '../measure/course.ts'
import { evaluateGroup } from '../measure/evaluate-group.ts'
import { nothingOf, valuesOfKey } from '../measure/found.ts'
import { leastSampled } from '../measure/least-sampled.ts'
import { MINUTE_MS, minuteOf } from '../measure/minute.ts'
import type { AskNumbers } from '../measure/numbers.ts'
import type { Outcome } from '../measure/outcome.ts'
import { hourOf } from '../measure/past.ts'
import type { MeasuredRule } from '../measure/rule.ts'
import { scatterOf } from '../measure/shape.ts'
import { LIMITS } from '../limits.ts'
import { readDays, type GroupValues, type PastValues } from './read-days.ts'
import { sumsOf } from './sliding.ts'

/**
 * A rule about how much over the minutes of the past, by the same rules as those that are watched: what a minute comes to
 * follows from its numbers alone.
 */

/** What was usual for a group in an hour since the epoch, as it was known then. */
export type Baselines = (key: string, hour: number, sensitivity: Sensitivity) => Baseline | null

/** Numbers of the past, each as a rule would have found it at the end of its step. */
export interface Past {
  readonly end: number
  readonly stepMinutes: number
  readonly steps: number
  readonly groups: ReadonlyMap<string, GroupValues>
  /** The same so long before; null where nothing is compared. */
  readonly againstSteps: number | null
  /** By group and hour since the epoch; null where nothing has to be usual. */
  readonly baselines: Baselines | null
  readonly daysRead: number
  readonly daysAsked: number
  /** Days that were there to learn from at the end. */
  readonly daysKnown: number | null
  readonly rows: number
  readonly milliseconds: number
}

/** Sums of minutes where values can be added up, otherwise the windows themselves, at so many steps. */
const stepOf = ({ rule, shape }: Member): number =>
  shape.isSum ? 1 : Math.max(1, Math.ceil(rule.trigger.windowMinutes / LIMITS.DRY_RUN_STEPS))

const asWindows = (past: PastValues, windowMinutes: number): ReadonlyMap<string, GroupValues> =>
  new Map(
    [...past.groups].map(([key, { sampled, values }]) => [
      key,
      { values: sumsOf(values, windowMinutes), sampled: sumsOf(sampled, windowMinutes) },
    ]),
  )

export const readPast = async (
  numbers: AskNumbers,
  batch: Batch<MeasuredRule>,
  member: Member,
  { days, end }: { readonly days: number; readonly end: number },
): Promise<Past> => {
  const { comparison, windowMinutes } = member.rule.trigger
  const stepMinutes = stepOf(member)
  const against = comparison.kind === 'change' ? comparison.against : 0
  const { isSum } = member.shape
  // What is compared lies before, and so does the first window.
  const more = Math.ceil((against + (isSum ? windowMinutes : 0)) / 1440)
  const read = await readDays(numbers, batch, {
    end,
    days: days + more,
    stepMinutes,
    windowMinutes: isSum ? 1 : windowMinutes,
  })
  const usual = comparison.kind === 'unusual' ? await readUsual(numbers, batch, member, end, days) : null
  const groups = isSum ? asWindows(read, windowMinutes) : read.groups
  const daysRead = Math.max(0, Math.min(days, read.days - more))
  return {
    end,
    stepMinutes,
    steps: Math.floor((daysRead * 1440) / stepMinutes),
    groups,
    againstSteps: against === 0 ? null : Math.round(against / stepMinutes),
    baselines: usual?.baselines ?? null,
    daysRead,
    daysAsked: days,
    daysKnown: usual?.days ?? null,
    rows: read.rows + (usual?.rows ?? 0),
    milliseconds: read.milliseconds + (usual?.milliseconds ?? 0),
  }
}

interface Usual {
  readonly baselines: Baselines
  readonly days: number
  readonly rows: number
  readonly milliseconds: number
}

const HOURS_OF_A_WEEK = 7 * 24

/** What was usual in each hour, as it was known then. */
const readUsual = async (
  numbers: AskNumbers,
  batch: Batch<MeasuredRule>,
  member: Member,
  end: number,
  days: number,
): Promise<Usual> => {
  const { rule, shape } = member
  const least = leastSampled(member)
  const newest = hourOf(minuteOf(end - 1))
  const weeks = LIMITS.BASELINE_WEEKS
  const { windowMinutes } = rule.trigger
  const answer = await numbers(batch, {
    windows: {
      end: (newest + 2) * HOUR_MS,
      stepMs: HOUR_MS,
      lengthMs: windowMinutes * MINUTE_MS,
      count: (days + weeks * 7) * 24 + 2,
    },
    budget: { seconds: LIMITS.DRY_RUN_SECONDS, rows: LIMITS.DRY_RUN_ROWS },
  })
  const hours = new Map<string, Map<number, number>>()
  let first = newest + 1
  for (const { group, sampled, slot, values } of answer.rows) {
    const hour = newest + 2 - slot
    first = Math.min(first, hour)
    const value = values[0] ?? null
    if (value === null || sampled < least) continue
    const key = JSON.stringify(group)
    hours.set(key, (hours.get(key) ?? new Map<number, number>()).set(hour, value))
  }
  // As it is known of rules that are watched: by whole days.
  const begunAt = (hour: number): number => {
    const to = (hour + 1) * HOUR_MS
    const since = Math.max(first * HOUR_MS, to - weeks * 7 * DAY_MS)
    return to - Math.ceil((to - since) / DAY_MS) * DAY_MS
  }
  const valueAt = (key: string, hour: number, since: number): number[] => {
    if ((hour + 1) * HOUR_MS - windowMinutes * MINUTE_MS < since) return []
    const value = hours.get(key)?.get(hour) ?? (shape.isCount ? 0 : null)
    return value === null ? [] : [value]
  }
  const made = new Map<string, Baseline | null>()
  const baselines: Baselines = (key, hour, sensitivity) => {
    const name = `${hour} ${sensitivity} ${key}`
    const known = made.get(name)
    if (known !== undefined) return known
    const since = begunAt(hour)
    const alike = Array.from({ length: weeks }, (_, week) => hour - (week + 1) * HOURS_OF_A_WEEK).flatMap((one) =>
      [one - 1, one, one + 1].flatMap((beside) => valueAt(key, beside, since)),
    )
    const step = Math.max(1, Math.ceil(windowMinutes / 60))
    const count = Math.floor((LIMITS.BASELINE_LEARNING_DAYS * 24) / step)
    const all = Array.from({ length: count }, (_, index) => hour - 1 - index * step).flatMap((one) =>
      valueAt(key, one, since),
    )
    const daysKnown = ((hour + 1) * HOUR_MS - since) / DAY_MS
    const baseline = baselineOf({ alike, all, days: daysKnown }, sensitivity, scatterOf(shape))
    made.set(name, baseline)
    return baseline
  }
  const known = first > newest ? 0 : ((newest + 1) * HOUR_MS - begunAt(newest)) / DAY_MS
  return { baselines, days: known, rows: answer.readRows, milliseconds: answer.milliseconds }
}

export const sensitivityOf = ({ trigger: { comparison } }: MeasuredRule): Sensitivity =>
  comparison.kind === 'unusual' ? comparison.sensitivity : 'normal'

/** Goes through all steps, the oldest first. @param tell of what every group came to in a step */
export const replay = (
  member: Member,
  past: Past,
  namesOf: (key: string) => readonly string[],
  tell: (outcome: Outcome) => void,
): void => {
  const courses = new Map<string, Course>()
  const nothing = nothingOf(member)
  const keys = member.rule.trigger.groupBy.length === 0 ? ['[]'] : [...past.groups.keys()]
  const numberAt = (values: Float64Array | undefined, step: number): number | null => {
    const value = values?.[step]
    return value === undefined || Number.isNaN(value) ? nothing : value
  }
  for (let step = past.steps - 1; step >= 0; step -= 1) {
    const minute = minuteOf(past.end - 1) - step * past.stepMinutes
    for (const key of keys) {
      const group = past.groups.get(key)
      const numbers = {
        values: valuesOfKey(key),
        value: numberAt(group?.values, step),
        before: past.againstSteps === null ? null : numberAt(group?.values, step + past.againstSteps),
        sampled: group?.sampled[step] ?? 0,
      }
      const outcome = evaluateGroup(member, numbers, {
        minute,
        course: courses.get(key) ?? QUIET,
        baseline: past.baselines?.(key, hourOf(minute), sensitivityOf(member.rule)) ?? null,
        old: 0,
        isWhole: true,
        names: namesOf(key),
        lateSeconds: 0,
        rows: 0,
        milliseconds: 0,
      })
      courses.set(key, outcome.course)
      tell(outcome)
    }
  }
}
