import type { EvaluationRow } from '../ledger/history.ts'
import type { AlertRule } from '../rule.ts'
import type { Happening } from './happening.ts'
import { HAPPENED } from './happening.ts'
import { suppressionOf } from '../telling/suppression.ts'
import { judge, waitsFor, type CompiledRule } from './judge.ts'
import { standingOf } from './standing.ts'

export interface Explained {
  readonly rule: AlertRule
  readonly spoke: boolean
  readonly sentence: string
  /** Newest first. */
  readonly evaluations: readonly EvaluationRow[]
}

const SPOKE: ReadonlySet<string> = new Set(['fired', 'worse', 'update'])

/** Why each rule spoke of an issue, or did not: by what was evaluated, and for what was not, by what would have come of it. */
export const explainRules = ({
  compiled,
  evaluations,
  facts,
  rules,
}: {
  readonly rules: readonly AlertRule[]
  readonly compiled: readonly CompiledRule[]
  /** What happened to the issue, the oldest first. */
  readonly facts: readonly Happening[]
  /** Of the issue, newest first. */
  readonly evaluations: readonly EvaluationRow[]
}): readonly Explained[] => {
  const ready = new Map(compiled.map((rule) => [rule.id, rule]))
  return rules.map((rule) => {
    const own = evaluations.filter(({ rule_id: id }) => id === rule.id)
    const spoken = own.find(({ decision }) => SPOKE.has(decision))
    const telling = spoken ?? own.find(({ decision }) => decision !== 'quiet') ?? own[0]
    const sentence = telling?.sentence ?? sentenceOf(rule, ready.get(rule.id), facts)
    return { rule, spoke: spoken !== undefined, sentence, evaluations: own }
  })
}

/** Of a rule that was never asked. */
const sentenceOf = (rule: AlertRule, compiled: CompiledRule | undefined, facts: readonly Happening[]): string => {
  if (compiled === undefined) return 'It watches how much there is, and no single issue.'
  if (facts.length === 0) return 'Nothing happened to this issue in the last 14 days that an alert could wait for.'
  if (!rule.draft.isEnabled) return 'It is switched off.'
  const awaited = facts.filter(({ kind }) => compiled.kinds.has(kind))
  const last = awaited.at(-1)
  if (last === undefined) {
    const happened = [...new Set(facts.map(({ kind }) => HAPPENED[kind]))].join(', ')
    return `It waits for ${waitsFor(compiled.kinds)}. Of this issue it is known that ${happened}.`
  }
  if (last.notedAt < rule.createdAt) return 'It was made after all that happened to this issue.'
  const { decision, sentence } = judge(compiled, { fact: last, latestRelease: null })
  if (decision !== 'fired') return sentence
  const { circumstances } = standingOf([], last)
  return suppressionOf(rule, circumstances, last.receivedAt)?.sentence ?? sentence
}
