import type { AlertDraft, AlertDryRun } from '@firsthand/contract'

/** Steps of the ladder that are no place on the chart: how much it changed, how unusual it was. */
export interface LadderChoice {
  readonly label: string
  readonly messages: number
  readonly isChosen: boolean
  /** The rule with it. */
  readonly draft: AlertDraft
}

/** How many spreads from the middle each of them is: what the server names its steps by. */
const SENSITIVITIES = [
  { spreads: 3, sensitivity: 'sensitive', label: 'Sensitive' },
  { spreads: 4, sensitivity: 'normal', label: 'Normal' },
  { spreads: 6, sensitivity: 'calm', label: 'Calm' },
] as const

export function ladderChoices(draft: AlertDraft, ladder: AlertDryRun['ladder']): readonly LadderChoice[] {
  const { trigger } = draft
  if (trigger.source !== 'measured' || trigger.comparison.kind === 'fixed') return []
  const { comparison } = trigger
  return ladder.flatMap(({ limit, messages }): LadderChoice[] => {
    if (comparison.kind === 'change') {
      const next = { ...trigger, comparison: { ...comparison, percent: limit } }
      const isChosen = comparison.percent === limit
      return [{ label: `${limit}%`, messages, isChosen, draft: { ...draft, trigger: next } }]
    }
    const named = SENSITIVITIES.find(({ spreads }) => spreads === limit)
    if (named === undefined || comparison.kind !== 'unusual') return []
    const { label, sensitivity } = named
    const next = { ...trigger, comparison: { ...comparison, sensitivity } }
    return [{ label, messages, isChosen: comparison.sensitivity === sensitivity, draft: { ...draft, trigger: next } }]
  })
}
