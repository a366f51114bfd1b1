import type { Clock } from '../../lib/clock.ts'
import type { Ledger } from '../../storage/index.ts'
import type { StoredFact } from '../../facts/index.ts'
import type { KnownRules } from '../known-rules.ts'
import type { Receivers } from '../receivers.ts'
import { eventOf, isHappening, isMove, type Happening, type Noted } from './happening.ts'
import { judge, type CompiledRule, type Judgement } from './judge.ts'
import { readSurroundings, type Surroundings } from './surroundings.ts'

/** What one rule says to something that happened, and whom its actions that are for people would tell. */
export interface Judged {
  readonly rule: CompiledRule
  readonly judgement: Judgement
  /** By the place of the action among the rule's. */
  readonly people: ReadonlyMap<number, readonly number[]>
}

export interface Prepared {
  readonly judged: ReadonlyMap<number, readonly Judged[]>
  readonly surroundings: Surroundings
}

const asksForLatest = (rules: readonly CompiledRule[]): boolean =>
  rules.some(({ draft }) => draft.query.includes('latest'))

/** Users whom the actions of a rule tell of something, by the place of the action. */
export const createPeopleOf =
  ({ clock, receivers }: { readonly receivers: Receivers; readonly clock: Clock }) =>
  async (fact: Happening, { draft }: CompiledRule): Promise<Map<number, readonly number[]>> => {
    const people = new Map<number, readonly number[]>()
    const { issueId, organizationId, projectId } = fact
    const issue =
      issueId === null || projectId === null
        ? null
        : { organizationId, projectId, issueId, eventId: eventOf(fact)?.eventId ?? null }
    for (const [place, action] of draft.actions.entries()) {
      if (action.kind === 'people') {
        people.set(place, await receivers.of(action, { organizationId, issue }, clock.now()))
      }
    }
    return people
  }

/** Asks all rules that what happened may concern, and reads what those that speak have to say. */
export const createPrepare = (parts: {
  readonly ledger: Ledger
  readonly rules: Pick<KnownRules, 'of'>
  readonly receivers: Receivers
  readonly clock: Clock
}) => {
  const { ledger } = parts
  const peopleOf = createPeopleOf(parts)

  return async (facts: readonly StoredFact[]): Promise<Prepared> => {
    const happened: { readonly fact: Happening; readonly rules: readonly CompiledRule[] }[] = []
    for (const fact of facts.filter(isHappening)) {
      const rules = (await parts.rules.of(fact.organizationId)).waitingFor(fact.kind, fact.projectId)
      if (rules.length > 0) happened.push({ fact, rules })
    }
    const dated = happened.filter(({ rules }) => asksForLatest(rules)).map(({ fact }) => fact)
    const releases = dated.length === 0 ? null : await readSurroundings(ledger, dated)
    const speaking: Noted[] = [
      ...facts.filter(isMove),
      ...facts.filter(isHappening).filter(({ kind }) => endsIncidents(kind) || kind === 'issue_reopened'),
    ]
    const judged = new Map<number, readonly Judged[]>()
    for (const { fact, rules } of happened) {
      const asked = { fact, latestRelease: releases?.latestRelease(fact.projectId, fact.receivedAt) ?? null }
      const all: Judged[] = []
      for (const rule of rules) {
        const judgement = judge(rule, asked)
        const people = judgement.decision === 'fired' ? await peopleOf(fact, rule) : new Map()
        all.push({ rule, judgement, people })
      }
      if (all.some(({ judgement }) => judgement.decision === 'fired')) speaking.push(fact)
      judged.set(fact.id, all)
    }
    return { judged, surroundings: await readSurroundings(ledger, speaking) }
  }
}

/** What a person did so that an incident of the issue is over. */
export const endsIncidents = (kind: Happening['kind']): boolean =>
  kind === 'issue_resolved' || kind === 'issue_archived'
