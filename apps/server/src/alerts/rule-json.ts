import type { AlertRule as AlertRuleJson } from '@firsthand/contract'
import { toDate } from '../lib/instant-text.ts'
import type { Ledger } from '../storage/index.ts'
import type { RulesOfOrganization } from './known-rules.ts'
import { readActors, readRuleNumbers, type Person, type RuleNumbers } from './ledger/rule-facts.ts'
import { isMuted, type AlertRule } from './rule.ts'

/** How rules about how much stand, which are evaluated by the minute. */
export type MeasuredStates = (
  rules: readonly AlertRule[],
) => Promise<ReadonlyMap<number, Pick<AlertRuleJson, 'state' | 'stateReason' | 'cost'>>>

const userOf = (id: number | null): string | null => (id === null ? null : `user:${id}`)

const stateOf = (numbers: RuleNumbers | undefined, problem: string | null) => {
  if (problem !== null) return { state: 'unknown' as const, stateReason: problem }
  if (numbers?.isFlapping === true) return { state: 'flapping' as const, stateReason: null }
  return { state: (numbers?.open ?? 0) > 0 ? ('firing' as const) : ('ok' as const), stateReason: null }
}

/** Rules with how they stand, in their order. */
export const rulesJson = async (
  parts: {
    readonly ledger: Ledger
    readonly measuredStates: MeasuredStates
    readonly known: RulesOfOrganization
    readonly now: number
  },
  organizationId: number,
  rules: readonly AlertRule[],
): Promise<AlertRuleJson[]> => {
  const { known, ledger, now } = parts
  const ids = rules.map(({ id }) => id)
  const numbers = await readRuleNumbers(ledger, ids, now)
  const measured = await parts.measuredStates(rules.filter(({ draft }) => draft.trigger.source !== 'happened'))
  const problems = new Map(known.all.map(({ id, problem }) => [id, problem]))
  const problemOf = (rule: AlertRule): string | null => rule.problem ?? problems.get(rule.id) ?? null
  const people = await readActors(
    ledger,
    organizationId,
    rules.flatMap((rule) =>
      [rule.draft.owner, userOf(rule.mutedBy), userOf(rule.createdBy)].flatMap((one) => one ?? []),
    ),
  )
  const named = (reference: string | null): Person | null => people.get(reference ?? '') ?? null
  return rules.map((rule) => {
    const own = numbers.get(rule.id)
    return {
      ...rule.draft,
      id: String(rule.id),
      owner: named(rule.draft.owner),
      version: rule.version,
      isDefault: rule.isDefault,
      cost: null,
      ...stateOf(own, problemOf(rule)),
      ...(rule.problem === null ? measured.get(rule.id) : {}),
      mutedUntil:
        isMuted(rule, now) && rule.mutedUntil !== null && rule.mutedUntil !== Infinity ? toDate(rule.mutedUntil) : null,
      isMuted: rule.mutedUntil === Infinity,
      mutedBy: isMuted(rule, now) ? named(userOf(rule.mutedBy)) : null,
      lastFired: rule.lastFiredAt === null ? null : toDate(rule.lastFiredAt),
      openIncidents: own?.open ?? 0,
      messages: own?.messages ?? 0,
      createdBy: named(userOf(rule.createdBy)),
      dateCreated: toDate(rule.createdAt),
      dateUpdated: toDate(rule.updatedAt),
    }
  })
}
