import type { Ledger } from '../storage/index.ts'

/** Steps of followers of facts in this process: what they have read and will write down, whatever becomes of the facts. */
const underWay = new WeakMap<object, Set<Promise<unknown>>>()

const stepsOf = (ledger: Pick<Ledger, 'db'>): Set<Promise<unknown>> => {
  const known = underWay.get(ledger) ?? new Set()
  underWay.set(ledger, known)
  return known
}

export const asStep = async <Result>(ledger: Pick<Ledger, 'db'>, work: () => Promise<Result>): Promise<Result> => {
  const steps = stepsOf(ledger)
  const step = work()
  // Whoever asked for the step hears that it failed; whoever waits here only wants its end.
  const ended = step.catch(() => undefined)
  steps.add(ended)
  try {
    return await step
  } finally {
    steps.delete(ended)
  }
}

/** Waits for the steps that are under way now. Later ones read what there is later. */
export const stepsUnderWay = async (ledger: Pick<Ledger, 'db'>): Promise<void> => {
  await Promise.all(stepsOf(ledger))
}
