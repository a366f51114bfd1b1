import type { AlertEvaluation } from '@firsthand/contract'

/** Evaluations that came to the same one after the other, of other issues or groups: after a burst there are many. */
export interface Folded {
  readonly first: AlertEvaluation
  readonly others: readonly AlertEvaluation[]
}

const wordsOf = ({ decision, reason, ruleVersion, sentence }: AlertEvaluation): string =>
  [decision, reason, ruleVersion, sentence].join('\n')

/** Neighbours that say the same are one entry of the log, in their order. */
export function foldEvaluations(evaluations: readonly AlertEvaluation[]): readonly Folded[] {
  const folded: { readonly first: AlertEvaluation; readonly others: AlertEvaluation[] }[] = []
  for (const evaluation of evaluations) {
    const last = folded.at(-1)
    if (last !== undefined && wordsOf(last.first) === wordsOf(evaluation)) last.others.push(evaluation)
    else folded.push({ first: evaluation, others: [] })
  }
  return folded
}
