import type { TagComparison } from '@firsthand/contract'

/** A value that an issue's events have more often than the other events of the project. */
export interface Difference {
  readonly key: string
  readonly value: string
  /** 0 … 1 of the events, and of the others. */
  readonly share: number
  readonly elsewhere: number
}

/** Fewer events, on either side, are an anecdote. */
export const MIN_COMPARED_EVENTS = 10
/** A difference worth a line, as a part of all events. */
const MIN_DIFFERENCE = 0.2
/** Standard errors between the two shares: a smaller difference may be chance. */
const MIN_CERTAINTY = 3

/** Tags that say which error it is, not who met it: every issue differs in them. */
const NATURE = new Set(['handled', 'interface_type', 'level', 'logger', 'mechanism', 'replayId', 'trace', 'trace.span'])

export function tellsWhoMetIt(key: string): boolean {
  return !NATURE.has(key)
}

/** What is different here, most first; one value of each tag. */
export function differences({ events, otherEvents, values }: TagComparison): readonly Difference[] {
  if (events < MIN_COMPARED_EVENTS || otherEvents < MIN_COMPARED_EVENTS) return []
  const found = values
    .map(({ key, value, count, otherCount }) => {
      const common = (count + otherCount) / (events + otherEvents)
      const error = Math.sqrt(common * (1 - common) * (1 / events + 1 / otherEvents))
      return { key, value, share: count / events, elsewhere: otherCount / otherEvents, error }
    })
    .filter(({ share, elsewhere, error }) => {
      const difference = share - elsewhere
      return difference >= MIN_DIFFERENCE && difference >= MIN_CERTAINTY * error
    })
    .toSorted((a, b) => b.share - b.elsewhere - (a.share - a.elsewhere))
  return found
    .filter(({ key }, index) => found.findIndex((other) => other.key === key) === index)
    .map(({ key, value, share, elsewhere }) => ({ key, value, share, elsewhere }))
}
