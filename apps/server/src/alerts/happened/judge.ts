import type { AlertDecision, AlertHappening, AlertReason } from '@firsthand/contract'
import { concerns, type AlertRule } from '../rule.ts'
import type { Asked } from './fields.ts'
import { environmentOf, HAPPENED, WAITS_FOR } from './happening.ts'
import type { Predicate } from './predicate.ts'

/** A rule that waits for something to happen, ready to be asked. */
export interface CompiledRule extends AlertRule {
  readonly kinds: ReadonlySet<AlertHappening>
  readonly predicate: Predicate
  /** Why it cannot be evaluated any more: a team that its search names is gone. */
  readonly problem: string | null
}

/** What a rule says to something that happened, and why. `quiet`: it is none of its business. */
export interface Judgement {
  readonly decision: Extract<AlertDecision, 'fired' | 'quiet' | 'unknown'>
  readonly reason: AlertReason
  readonly sentence: string
}

const quiet = (reason: AlertReason, sentence: string): Judgement => ({ decision: 'quiet', reason, sentence })

/** Pure: what was noted and the rule decide whether it matches. What keeps a rule that matches from speaking is decided by who tells. */
export const judge = (rule: CompiledRule, asked: Asked): Judgement => {
  const { fact } = asked
  const { environments } = rule.draft
  if (!concerns(rule, fact.projectId)) return quiet('project', 'It watches other projects.')
  if (!rule.kinds.has(fact.kind)) {
    return quiet('kind', `It waits for ${waitsFor(rule.kinds)}; ${HAPPENED[fact.kind]}.`)
  }
  if (!rule.draft.isEnabled) return quiet('off', 'It is switched off.')
  if (rule.problem !== null) {
    return {
      decision: 'unknown',
      reason: 'other',
      sentence: `Its search cannot be understood any more: ${rule.problem}`,
    }
  }
  const environment = environmentOf(fact)
  // Of what a person did to an issue, nothing says an environment: better told than kept back in silence.
  if (environments.length > 0 && environment !== null && !environments.includes(environment)) {
    const was = environment === '' ? 'it came without one' : `it came from ${environment}`
    return quiet('environment', `It watches the environment ${environments.join(', ')}; ${was}.`)
  }
  const obstacle = rule.predicate.obstacle(asked)
  if (obstacle !== null) {
    return quiet(
      'query',
      obstacle.isUnknown
        ? `Its search asks for “${obstacle.term}”, of which nothing was known when ${HAPPENED[fact.kind]}.`
        : `Its search asks for “${obstacle.term}”, which was not so.`,
    )
  }
  return { decision: 'fired', reason: 'matched', sentence: `It matches, and ${HAPPENED[fact.kind]}.` }
}

export const waitsFor = (kinds: ReadonlySet<AlertHappening>): string =>
  [...kinds].map((kind) => WAITS_FOR[kind]).join(', ')
