import { batchesOf, type Batch } from './batch.ts'
import type { Costs } from './costs.ts'
import { QUIET, type Course } from './course.ts'
import { unknownOutcome, type AskedMinute, type EvaluatedBatch } from './evaluate.ts'
import { groupKey } from './found.ts'
import { LIMITS } from '../limits.ts'
import type { Outcome } from './outcome.ts'
import type { Plan } from './plan.ts'
import type { MeasuredRule, WatchedRule } from './rule.ts'
import type { createSilences } from './silence.ts'
import type { Standings } from './standings.ts'

/** All rules in one minute: those that share statements, then those with searches of their own while there is time. */

const OUT_OF_TIME = {
  reason: 'over_budget',
  sentence:
    'Not evaluated in this minute: rules with searches of their own took all of the time that they have. It is among the first of the next',
} as const

/** The first of each organisation, then the second of each: many alerts of one do not keep others waiting. */
const inTurns = (batches: readonly Batch<MeasuredRule>[]): readonly Batch<MeasuredRule>[] => {
  const had = new Map<number, number>()
  const turns: Batch<MeasuredRule>[][] = []
  for (const batch of batches) {
    const organizationId = batch.own?.organizationId ?? 0
    const turn = had.get(organizationId) ?? 0
    had.set(organizationId, turn + 1)
    const others = (turns[turn] ??= [])
    others.push(batch)
  }
  return turns.flat()
}

export interface EvaluateMinuteParts {
  readonly evaluateBatch: (batch: Batch<MeasuredRule>, asked: AskedMinute) => Promise<EvaluatedBatch>
  readonly silences: ReturnType<typeof createSilences>
  readonly costs: Costs
  readonly standing: Standings
  readonly now: () => number
  /** Milliseconds that go on whatever clocks are set to. */
  readonly elapsed: () => number
}

export const createEvaluateMinute = (parts: EvaluateMinuteParts) => {
  const { costs, elapsed, evaluateBatch, now, silences, standing } = parts
  /** When each statement with a search of its own was asked last, by its first rule. */
  const askedAt = new Map<number, number>()

  const everyMinutes = ({ members }: Batch<MeasuredRule>): number =>
    Math.max(...members.map(({ rule }) => costs.of(rule.id).everyMinutes))

  const idOf = ({ members }: Batch<MeasuredRule>): number => members[0]?.rule.id ?? 0

  const spend = (batch: Batch<MeasuredRule>, { isStopped, milliseconds, readRows }: EvaluatedBatch): void => {
    const { length } = batch.members
    const isOwn = batch.own !== null
    const share = { rows: readRows / length, milliseconds: milliseconds / length, isStopped, isOwn }
    for (const { rule } of batch.members) costs.spend(rule, share, now())
  }

  /**
   * Those that waited for longest come first, organisations in turns; when the time of the minute is over, the others wait.
   * What telemetry works counts, not what passes while a busy machine does something else; that counts only so far that the
   * next minute does not have to wait. A few are evaluated however long they take.
   */
  const evaluateOwn = async ({ own }: Plan, asked: AskedMinute): Promise<Outcome[]> => {
    const { minute } = asked
    const due = own
      .filter((batch) => minute - (askedAt.get(idOf(batch)) ?? 0) >= everyMinutes(batch))
      .toSorted((left, right) => (askedAt.get(idOf(left)) ?? 0) - (askedAt.get(idOf(right)) ?? 0))
    const outcomes: Outcome[] = []
    const begun = elapsed()
    let workedMs = 0
    const isOver = (): boolean =>
      workedMs > LIMITS.MEASURE_OWN_TIME_MS || elapsed() - begun > LIMITS.MEASURE_OWN_ELAPSED_MS
    for (const [place, batch] of inTurns(due).entries()) {
      if (place >= LIMITS.MEASURE_OWN_LEAST && isOver()) {
        outcomes.push(...batch.members.map(({ rule }) => unknownOutcome(rule, asked, courseOf(rule), OUT_OF_TIME)))
        continue
      }
      const started = elapsed()
      const evaluated = await evaluateBatch(batch, asked)
      // One that was stopped worked no longer than it may.
      workedMs += evaluated.workedMs ?? Math.min(elapsed() - started, LIMITS.MEASURE_OWN_SECONDS * 1000)
      askedAt.set(idOf(batch), minute)
      spend(batch, evaluated)
      outcomes.push(...evaluated.outcomes)
    }
    return outcomes
  }

  const courseOf = ({ id }: WatchedRule): Course => standing.of(id).get(groupKey([])) ?? QUIET

  return async (plan: Plan, asked: AskedMinute): Promise<readonly Outcome[]> => {
    const outcomes: Outcome[] = plan.unreadable.map(({ rule, sentence }) =>
      unknownOutcome(rule, asked, courseOf(rule), { reason: 'other', sentence }),
    )
    for (const batch of plan.shared) {
      const evaluated = await evaluateBatch(batch, asked)
      spend(batch, evaluated)
      outcomes.push(...evaluated.outcomes)
    }
    outcomes.push(...(await evaluateOwn(plan, asked)))
    const due = plan.silences.filter(({ rule }) => silences.isDue(rule, asked.minute))
    for (const batch of batchesOf(due)) outcomes.push(...(await silences.evaluate(batch, asked)))
    return outcomes
  }
}
