import type { AlertHappening } from '@firsthand/contract'
import type { Clock } from '../lib/clock.ts'
import { RecentMap } from '../lib/recent-map.ts'
import type { Ledger } from '../storage/index.ts'
import { compileRuleSearch, type Names } from './happened/predicate.ts'
import type { CompiledRule } from './happened/judge.ts'
import type { Rules } from './ledger/rules.ts'
import { readNames } from './ledger/names.ts'
import { LIMITS } from './limits.ts'
import type { AlertRule } from './rule.ts'

/** Rules of an organisation that wait for something to happen, compiled, by what they wait for and where. */
export interface RulesOfOrganization {
  /** Those that something of a kind in a project may concern, in the order of their ids. */
  readonly waitingFor: (kind: AlertHappening, projectId: number | null) => readonly CompiledRule[]
  readonly all: readonly CompiledRule[]
}

/** Null for rules about how much. What cannot be compiled any more says so whenever it is asked. */
export const compileRule = (rule: AlertRule, names: Names): CompiledRule | null => {
  const { trigger, query } = rule.draft
  if (trigger.source !== 'happened') return null
  const predicate = compileRuleSearch(query, names)
  return {
    ...rule,
    kinds: new Set(trigger.kinds),
    predicate: predicate.ok ? predicate.value : { matches: () => null, obstacle: () => null },
    problem: rule.problem ?? (predicate.ok ? null : predicate.error),
  }
}

const indexOf = (rules: readonly CompiledRule[]): RulesOfOrganization => {
  const all = rules.toSorted((left, right) => left.id - right.id)
  const everywhere = new Map<AlertHappening, CompiledRule[]>()
  const byPlace = new Map<string, CompiledRule[]>()
  const put = <Key>(map: Map<Key, CompiledRule[]>, key: Key, rule: CompiledRule): void => {
    const rules = map.get(key)
    if (rules === undefined) map.set(key, [rule])
    else rules.push(rule)
  }
  for (const rule of all.filter(({ draft }) => draft.isEnabled)) {
    for (const kind of rule.kinds) {
      if (rule.projectIds === null) put(everywhere, kind, rule)
      else for (const projectId of rule.projectIds) put(byPlace, `${kind}:${projectId}`, rule)
    }
  }
  return {
    all,
    waitingFor: (kind, projectId) => {
      const own = byPlace.get(`${kind}:${projectId}`) ?? []
      const general = everywhere.get(kind) ?? []
      if (own.length === 0) return general
      return general.length === 0 ? own : [...general, ...own].toSorted((left, right) => left.id - right.id)
    },
  }
}

export const createKnownRules = ({
  rules,
  ledger,
  clock,
}: {
  readonly rules: Pick<Rules, 'list'>
  readonly ledger: Ledger
  readonly clock: Clock
}) => {
  const known = new RecentMap<number, { readonly index: RulesOfOrganization; readonly at: number }>(
    LIMITS.ALERT_ORGANIZATIONS_KNOWN,
  )
  // Another server may change them; what they name (people, teams, projects) may change anywhere.
  const ageMs = ledger.dialect === 'sqlite' ? LIMITS.ALERT_NAMES_AGE_MS : LIMITS.ALERT_RULES_AGE_MS
  let changes = 0
  return {
    of: async (organizationId: number): Promise<RulesOfOrganization> => {
      const now = clock.now()
      const before = known.get(organizationId)
      if (before !== undefined && now >= before.at && now < before.at + ageMs) return before.index
      const begun = changes
      const [all, names] = await Promise.all([rules.list(organizationId, now), readNames(ledger.db, organizationId)])
      const index = indexOf(all.flatMap((rule) => compileRule(rule, names) ?? []))
      // What changed while it was read is read again the next time.
      if (begun === changes) known.set(organizationId, { index, at: now })
      return index
    },
    forget: (organizationId: number): void => {
      changes += 1
      known.delete(organizationId)
    },
  }
}

export type KnownRules = ReturnType<typeof createKnownRules>
