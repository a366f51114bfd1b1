import type { AlertRule as AlertRuleJson, AlertState } from '@firsthand/contract'
import type { AlertRule } from '../rule.ts'
import type { Course } from './course.ts'
import type { Measures } from './measure.ts'
import { MINUTE_MS } from './minute.ts'
import { clockTime, minutesText } from './say.ts'

/** How rules stand, for lists of them. */

type State = Pick<AlertRuleJson, 'state' | 'stateReason' | 'cost'>

/** The first of these that a group of the rule is in. */
const ORDER: readonly AlertState[] = ['flapping', 'firing', 'recovering', 'pending']

const stateOf = ({ isFlapping, phase }: Course): AlertState => (isFlapping ? 'flapping' : phase)

/** So long after a minute it is usually evaluated. */
const LATE_MS = 3 * MINUTE_MS

const lateState = ({ now, until }: ReturnType<Measures['progress']>): Pick<State, 'state' | 'stateReason'> | null => {
  if (until === null) return { state: 'unknown', stateReason: 'It was not evaluated yet since the server was started.' }
  if (now - until <= LATE_MS) return null
  const sentence = `Evaluated up to ${clockTime(until)}, ${minutesText(Math.round((now - until) / MINUTE_MS))} ago: what came since then waits to be stored. It will be evaluated, not left out.`
  return { state: 'unknown', stateReason: sentence }
}

const standingOf = (
  { standing }: Pick<Measures, 'standing'>,
  { id }: AlertRule,
): Pick<State, 'state' | 'stateReason'> => {
  const states = new Set([...standing.of(id).values()].map(stateOf))
  const last = standing.last(id)
  const worst = ORDER.find((state) => states.has(state))
  if (worst !== undefined) return { state: worst, stateReason: last?.sentence() ?? null }
  if (last?.step === 'unknown') return { state: 'unknown', stateReason: last.sentence() }
  if (last?.reason === 'learning') return { state: 'learning', stateReason: last.sentence() }
  return { state: 'ok', stateReason: last?.sentence() ?? null }
}

export const measuredStates =
  (measures: Pick<Measures, 'costOf' | 'progress' | 'standing'>) =>
  (rules: readonly AlertRule[]): Promise<ReadonlyMap<number, State>> => {
    const late = lateState(measures.progress())
    return Promise.resolve(
      new Map(
        rules.map((rule) => {
          const { evaluations, everyMinutes, milliseconds, rows, slowedAt } = measures.costOf(rule.id)
          const cost = { evaluations, rows: Math.round(rows), milliseconds, everyMinutes, isSlowed: slowedAt !== null }
          const state = rule.draft.isEnabled
            ? (late ?? standingOf(measures, rule))
            : { state: 'ok' as const, stateReason: null }
          return [rule.id, { ...state, cost: evaluations === 0 ? null : cost }]
        }),
      ),
    )
  }
