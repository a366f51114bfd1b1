import type { AlertDecision, AlertHappening, AlertReason } from '@firsthand/contract'
import { concerns, isMuted, type AlertRule } from '../rule.ts'
import { hoursSentence, isInHours } from '../working-hours.ts'
import type { Asked } from './fields.ts'
import { environmentOf, HAPPENED, issueOf, WAITS_FOR } from './happening.ts'
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
  readonly decision: Extract<AlertDecision, 'fired' | 'held' | 'quiet' | 'unknown'>
  readonly reason: AlertReason
  readonly sentence: string
}

const quiet = (reason: AlertReason, sentence: string): Judgement => ({ decision: 'quiet', reason, sentence })
const held = (reason: AlertReason, sentence: string): Judgement => ({ decision: 'held', reason, sentence })

const MINUTE_MS = 60_000

/** Pure: what was noted, the rule, and its mutes decide. What follows from messages before is decided by who tells. */
export const judge = (rule: CompiledRule, asked: Asked): Judgement => {
  const { fact } = asked
  const { conditions, environments } = rule.draft
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
  const issue = issueOf(fact)
  const age = issue === null ? Infinity : (fact.receivedAt - issue.firstSeen) / MINUTE_MS
  if (age < conditions.minimumAgeMinutes) {
    const minutes = Math.max(0, Math.floor(age))
    return held('age', `The issue was ${minutes} minutes old, and has to be ${conditions.minimumAgeMinutes}.`)
  }
  if (conditions.hours !== null && !isInHours(conditions.hours, fact.receivedAt)) {
    return held('hours', `It happened outside of the rule’s hours (${hoursSentence(conditions.hours)}).`)
  }
  if (isMuted(rule, fact.receivedAt)) return held('muted', mutedSentence(rule))
  return { decision: 'fired', reason: 'matched', sentence: `It matches, and ${HAPPENED[fact.kind]}.` }
}

const mutedSentence = ({ mutedUntil }: AlertRule): string =>
  mutedUntil === null || mutedUntil === Infinity
    ? 'The rule is muted.'
    : `The rule is muted until ${new Date(mutedUntil).toISOString().slice(0, 16).replace('T', ' ')} UTC.`

export const waitsFor = (kinds: ReadonlySet<AlertHappening>): string =>
  [...kinds].map((kind) => WAITS_FOR[kind]).join(', ')
