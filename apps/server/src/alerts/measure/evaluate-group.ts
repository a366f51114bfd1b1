import type { AlertReason } from '@firsthand/contract'
import type { Baseline } from './baseline.ts'
import type { Member } from './batch.ts'
import { afterMinute, type Course, type Step } from './course.ts'
import { groupKey, type GroupNumbers } from './found.ts'
import { leastSampled } from './least-sampled.ts'
import type { Outcome } from './outcome.ts'
import type { MeasuredRule } from './rule.ts'
import { evaluationText, type TooFew } from './say.ts'
import { projectPlaceOf } from './shape.ts'
import { courseRulesOf, judge, type Judged } from './standing.ts'

/**
 * One group of a rule in one minute. Nothing but what is given goes into it: the minute that is just over, one that waited
 * for the digest and one of a dry run come to the same.
 */

/** What is known of the minute besides the group's numbers. */
export interface Circumstances {
  readonly minute: number
  /** How the group stood the minute before. */
  readonly course: Course
  readonly baseline: Baseline | null
  readonly old: number
  /** All that came in the window was received: the server was not away in it. */
  readonly isWhole: boolean
  /** The group's values as people read them. */
  readonly names: readonly string[]
  readonly lateSeconds: number
  readonly rows: number
  readonly milliseconds: number
}

/** A rate of few does not say what is unusual, and nothing at all where a rule wants more. */
const tooFewOf = (member: Member, { sampled }: GroupNumbers): TooFew | null => {
  const { comparison, least } = member.rule.trigger
  const wanted = comparison.kind === 'unusual' ? leastSampled(member) : least
  return sampled < wanted ? { sampled, wanted } : null
}

const reasonOf = (
  step: Step,
  judged: Judged,
  {
    baseline,
    rule,
    tooFew,
  }: { readonly baseline: Baseline | null; readonly rule: MeasuredRule; readonly tooFew: TooFew | null },
): AlertReason => {
  if (step === 'flapping') return 'flapping'
  if (judged.isBelowFloor) return 'floor'
  if (tooFew !== null || judged.value === null) return 'few'
  if (rule.trigger.comparison.kind === 'unusual' && baseline === null) return 'learning'
  return judged.isBeyond ? 'limit' : 'other'
}

const projectIn = ({ shape }: Member, values: readonly string[]): number | null => {
  const place = projectPlaceOf(shape)
  return place === -1 ? null : Number(values[place])
}

export const evaluateGroup = (member: Member, numbers: GroupNumbers, about: Circumstances): Outcome => {
  const { rule, shape } = member
  const { comparison, recovery, windowMinutes, groupBy } = rule.trigger
  const { baseline, minute, old } = about
  const { before, value } = numbers
  const tooFew = tooFewOf(member, numbers)
  const judged = judge(comparison, recovery.limit, { value: tooFew === null ? value : null, before, baseline })
  const standing = { ...judged, isNothing: value === null && about.isWhole }
  const { course, step } = afterMinute(about.course, standing, courseRulesOf(rule.trigger, judged.direction), minute)
  const shown = { ...judged, value }
  const emptySince = about.course.nothingSince
  const isNothing = value === null && course.phase === 'ok' && emptySince !== undefined
  const nothingFor = isNothing ? windowMinutes + minute - emptySince : null
  return {
    rule,
    minute,
    key: groupKey(numbers.values),
    group: groupBy.map((name, index) => ({ name, value: about.names[index] ?? '' })),
    projectId: projectIn(member, numbers.values),
    step,
    reason: reasonOf(step, judged, { baseline, rule, tooFew }),
    sentence: () => evaluationText({ rule, shape, minute, judged: shown, before, baseline, tooFew, nothingFor }),
    value,
    limit: judged.limit,
    unit: shape.aggregate.unit,
    windowMinutes,
    peak: course.peak ?? about.course.peak,
    baseline,
    old,
    course,
    isNew: step !== 'still' && step !== 'quiet' && step !== 'pending',
    lateSeconds: about.lateSeconds,
    rows: about.rows,
    milliseconds: about.milliseconds,
  }
}
