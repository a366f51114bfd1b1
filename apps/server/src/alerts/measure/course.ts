import { LIMITS } from '../limits.ts'
import { MINUTE_MS } from './minute.ts'

/**
 * What becomes of a rule, or of one of its groups, from one minute to the next. Pure: the same minutes give the same course,
 * whether they are evaluated one by one, after a lag, or in a dry run.
 */
export interface Course {
  readonly phase: 'ok' | 'pending' | 'firing' | 'recovering'
  /** Of the last minutes, the newest at the end, whether the value was beyond its limit. */
  readonly beyond: readonly boolean[]
  /** Since when it fires, and since when it has been better; minutes since the epoch. */
  readonly firingSince: number | null
  readonly calmSince: number | null
  /** While it fires, since when nothing comes by which it could be judged. */
  readonly unknownSince?: number
  /** And since when nothing comes at all. */
  readonly nothingSince?: number
  /** The worst value of the incident, and the one from which it is twice as bad as was told. */
  readonly peak: number | null
  readonly told: number | null
  readonly isWorse: boolean
  /** Minutes in which it began to fire or was over. */
  readonly changes: readonly number[]
  readonly isFlapping: boolean
}

export const QUIET: Course = {
  phase: 'ok',
  beyond: [],
  firingSince: null,
  calmSince: null,
  peak: null,
  told: null,
  isWorse: false,
  changes: [],
  isFlapping: false,
}

/** How one minute stands against the limit. */
export interface Standing {
  readonly value: number | null
  /** Beyond the limit, and beyond the second one if there is one. */
  readonly isBeyond: boolean
  readonly isFar: boolean
  /** So much better that it may be over. */
  readonly isBack: boolean
  /** There was nothing at all to measure, though all that came in the time was received. */
  readonly isNothing?: boolean
}

export interface CourseRules {
  /** Beyond in so many of the last so many minutes is firing. */
  readonly needed: number
  readonly of: number
  /** How long it has to be back before it is over. */
  readonly recoveryMinutes: number
  readonly direction: 'above' | 'below'
  /** Nobody is told that it is twice as bad where a second limit says what is worse. */
  readonly hasSecondLimit: boolean
}

/** What happened in the minute. `flapping` and `calm`: from now on nobody is told of each change, and again of each. */
export type Step = 'fired' | 'worse' | 'over' | 'still' | 'pending' | 'quiet' | 'flapping' | 'calm'

const isWorseThan = (value: number, other: number, direction: CourseRules['direction']): boolean =>
  direction === 'above' ? value > other : value < other

const worst = (course: Course, value: number | null, { direction }: CourseRules): number | null => {
  if (value === null) return course.peak
  return course.peak === null || isWorseThan(value, course.peak, direction) ? value : course.peak
}

/** Twice as far as what was told last; half of it, where it should be more. */
const isTwiceAsBad = ({ told }: Course, value: number | null, { direction, hasSecondLimit }: CourseRules): boolean => {
  if (hasSecondLimit || told === null || value === null || told <= 0) return false
  return direction === 'above' ? value >= told * 2 : value <= told / 2
}

/** With what changed, and whether it changes so often that each change says nothing. */
const withChange = (course: Course, minute: number): Course => {
  const changes = [...course.changes, minute]
  return { ...course, changes, isFlapping: course.isFlapping || changes.length >= LIMITS.ALERT_FLAPPING_CHANGES }
}

const isCalmAgain = ({ changes }: Course, minute: number): boolean =>
  minute - (changes.at(-1) ?? 0) >= LIMITS.ALERT_FLAPPING_CALM_MS / MINUTE_MS

export const afterMinute = (
  before: Course,
  standing: Standing,
  rules: CourseRules,
  minute: number,
): { readonly course: Course; readonly step: Step } => {
  const beyond = [...before.beyond, standing.isBeyond].slice(-rules.of)
  const changes = before.changes.filter((at) => at > minute - LIMITS.ALERT_FLAPPING_WITHIN_MS / MINUTE_MS)
  const now = { ...before, beyond, changes }
  const isFiring = before.phase === 'firing' || before.phase === 'recovering'
  const next = isFiring ? whileFiring(now, standing, rules, minute) : whileQuiet(now, standing, rules, minute)
  if (!before.isFlapping && next.course.isFlapping) return { ...next, step: 'flapping' }
  if (before.isFlapping && isCalmAgain(next.course, minute)) {
    return { course: { ...next.course, isFlapping: false, changes: [] }, step: 'calm' }
  }
  return next
}

const whileQuiet = (course: Course, standing: Standing, rules: CourseRules, minute: number) => {
  const count = course.beyond.filter(Boolean).length
  if (count >= rules.needed) {
    const { value } = standing
    const fired: Course = {
      ...course,
      phase: 'firing',
      firingSince: minute,
      calmSince: null,
      peak: value,
      told: value,
      isWorse: standing.isFar,
    }
    return { course: withChange(fired, minute), step: 'fired' as const }
  }
  return count > 0
    ? { course: { ...course, phase: 'pending' as const }, step: 'pending' as const }
    : { course: { ...course, phase: 'ok' as const }, step: 'quiet' as const }
}

/** Nothing comes any more: that is no recovery, but nobody waits for one for ever. Of too little it waits longer. */
const whileUnknown = ({ nothingSince: before, ...course }: Course, { isNothing }: Standing, minute: number) => {
  const unknownSince = course.unknownSince ?? minute
  const nothingSince = isNothing === true ? (before ?? minute) : null
  const isOver =
    minute - unknownSince >= LIMITS.MEASURE_UNKNOWN_MINUTES ||
    (nothingSince !== null && minute - nothingSince >= LIMITS.MEASURE_NOTHING_MINUTES)
  if (isOver) return { course: withChange(ended(course), minute), step: 'over' as const }
  const waiting = { ...course, unknownSince, ...(nothingSince === null ? {} : { nothingSince }), calmSince: null }
  return { course: waiting, step: 'still' as const }
}

const ended = ({ beyond, changes, isFlapping }: Course): Course => ({ ...QUIET, beyond, changes, isFlapping })

const whileFiring = (firing: Course, standing: Standing, rules: CourseRules, minute: number) => {
  const { value } = standing
  if (value === null) return whileUnknown(firing, standing, minute)
  const { nothingSince: _, unknownSince: __, ...course } = firing
  const peak = worst(course, value, rules)
  if (!standing.isBack) {
    const isWorse = (standing.isFar && !course.isWorse) || isTwiceAsBad(course, value, rules)
    const on: Course = { ...course, phase: 'firing', calmSince: null, peak }
    return isWorse
      ? { course: { ...on, isWorse: course.isWorse || standing.isFar, told: value }, step: 'worse' as const }
      : { course: on, step: 'still' as const }
  }
  const calmSince = course.calmSince ?? minute
  if (minute - calmSince < rules.recoveryMinutes) {
    return { course: { ...course, phase: 'recovering' as const, calmSince, peak }, step: 'still' as const }
  }
  return { course: withChange(ended(course), minute), step: 'over' as const }
}
