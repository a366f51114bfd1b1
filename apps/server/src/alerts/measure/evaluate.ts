import type { AlertReason } from '@firsthand/contract'
import { Unanswerable } from '../../lib/unanswerable.ts'
import type { Period } from '../../search/index.ts'
import type { Batch, Member } from './batch.ts'
import { QUIET, type Course } from './course.ts'
import { evaluateGroup } from './evaluate-group.ts'
import { foundOf, groupKey, withSilent } from './found.ts'
import { MINUTE_MS } from './minute.ts'
import type { AskNumbers, NumberRow, NumbersAnswer } from './numbers.ts'
import type { Outcome } from './outcome.ts'
import type { IncidentsOf, Past } from './past.ts'
import type { MeasuredRule, WatchedRule } from './rule.ts'
import { clockTime, minutesText } from './say.ts'
import { shifted, windowOf } from './windows.ts'

/** Rules about how much, in one minute. */

/** How the groups of a rule stood after the minute before, by their keys: those that are not quiet. */
export type CoursesOf = (ruleId: number) => ReadonlyMap<string, Course>

/** Values of groups as people read them: names for ids. */
export type NamesOf = (
  member: Member<WatchedRule>,
  groups: readonly (readonly string[])[],
) => Promise<readonly (readonly string[])[]>

export interface EvaluateParts {
  readonly numbers: AskNumbers
  readonly past: Past
  readonly coursesOf: CoursesOf
  readonly incidentsOf: IncidentsOf
  readonly namesOf: NamesOf
}

export interface AskedMinute {
  readonly minute: number
  readonly lateSeconds: number
  /** When nothing could be received, last: the server was away, or its clock was set forward. */
  readonly gap: Period | null
}

/** What a batch came to, and what it took. */
export interface EvaluatedBatch {
  readonly outcomes: readonly Outcome[]
  readonly readRows: number
  readonly milliseconds: number
  /** With what it had to know of the past, which is read once in an hour; null where that is not known. */
  readonly workedMs: number | null
  /** It was stopped: it takes more than it may. */
  readonly isStopped: boolean
}

/** A minute of a rule of which nothing is known: nothing begins and nothing ends. */
export const unknownOutcome = (
  rule: WatchedRule,
  { minute, lateSeconds }: AskedMinute,
  course: Course,
  { reason, sentence }: { readonly reason: AlertReason; readonly sentence: string },
): Outcome => ({
  rule,
  minute,
  key: groupKey([]),
  group: [],
  projectId: null,
  step: 'unknown',
  reason,
  sentence: () => sentence,
  value: null,
  limit: null,
  unit: null,
  windowMinutes: rule.trigger.source === 'measured' ? rule.trigger.windowMinutes : rule.trigger.minutes,
  peak: course.peak,
  baseline: null,
  old: 0,
  course,
  isNew: false,
  lateSeconds,
  rows: 0,
  milliseconds: 0,
})

const isBelow = ({ rule }: Member): boolean => rule.trigger.comparison.direction !== 'above'

const touches = (gap: Period | null, window: Period): gap is Period =>
  gap !== null && gap.from < window.to && gap.to > window.from

/** So little may only have come because nothing could: nobody is told of our own outage. */
const gapOutcome = (member: Member, asked: AskedMinute, gap: Period, course: Course): Outcome =>
  unknownOutcome(member.rule, asked, course, {
    reason: 'lag',
    sentence: `Nothing could be received from ${clockTime(gap.from)} to ${clockTime(gap.to)}, so this window of ${minutesText(member.rule.trigger.windowMinutes)} is incomplete`,
  })

export const createEvaluateBatch = ({ numbers, past, coursesOf, incidentsOf, namesOf }: EvaluateParts) => {
  const evaluateMember = async (
    member: Member,
    rows: readonly NumberRow[],
    asked: AskedMinute,
    cost: Pick<Outcome, 'rows' | 'milliseconds'>,
  ): Promise<Outcome[]> => {
    const { rule } = member
    const courses = coursesOf(rule.id)
    const window = windowOf(asked.minute, rule.trigger.windowMinutes)
    if (isBelow(member) && touches(asked.gap, window)) {
      return [gapOutcome(member, asked, asked.gap, courses.get(groupKey([])) ?? QUIET)]
    }
    const found = foundOf(rows, member)
    const groups = withSilent(found, member, courses.keys())
    const names = await namesOf(
      member,
      groups.map(({ values }) => values),
    )
    const outcomes = groups.map((group, index) =>
      evaluateGroup(member, group, {
        minute: asked.minute,
        lateSeconds: asked.lateSeconds,
        course: courses.get(groupKey(group.values)) ?? QUIET,
        baseline: past.of(rule.id, group.values),
        old: found.old,
        isWhole: !touches(asked.gap, window),
        names: names[index] ?? group.values,
        ...cost,
      }),
    )
    if (rule.trigger.groupBy.length === 0) return outcomes
    // Of many quiet groups the worst says enough.
    const worst = outcomes.find(({ course, step }) => step === 'quiet' && course.changes.length === 0)
    const told = outcomes.filter(({ course, step }) => step !== 'quiet' || course.changes.length > 0)
    return worst === undefined ? told : [...told, worst]
  }

  /** @throws when telemetry does not answer: nothing of the minute is decided then */
  return async (batch: Batch<MeasuredRule>, asked: AskedMinute): Promise<EvaluatedBatch> => {
    const window = windowOf(asked.minute, batch.windowMinutes)
    const before = batch.againstMinutes === null ? [] : [shifted(window, -batch.againstMinutes * MINUTE_MS)]
    let answer: NumbersAnswer
    let preparedMs: number
    try {
      preparedMs = await past.prepare(batch, asked.minute, incidentsOf)
      answer = await numbers(batch, { windows: [window, ...before], countsOld: true })
    } catch (error) {
      if (!(error instanceof Unanswerable)) throw error
      const said = { reason: 'over_budget', sentence: `Could not be evaluated: ${error.message}` } as const
      const outcomes = batch.members.map(({ rule }) =>
        unknownOutcome(rule, asked, coursesOf(rule.id).get(groupKey([])) ?? QUIET, said),
      )
      return { outcomes, readRows: 0, milliseconds: 0, workedMs: null, isStopped: true }
    }
    const { milliseconds, readRows } = answer
    // Each of those that share a statement has its share of it.
    const cost = { rows: readRows / batch.members.length, milliseconds: milliseconds / batch.members.length }
    const byCell = Map.groupBy(answer.rows, ({ cell }) => cell)
    const outcomes: Outcome[] = []
    for (const member of batch.members) {
      outcomes.push(...(await evaluateMember(member, byCell.get(member.cell) ?? [], asked, cost)))
    }
    return { outcomes, readRows, milliseconds, workedMs: preparedMs + milliseconds, isStopped: false }
  }
}
