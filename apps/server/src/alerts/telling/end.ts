import { isSummaryKey } from './summary-key.ts'

/** Who is told that something is over: whoever was told that it began, past every mute, hour and cap. Pure. */

/** A message that told of an incident. */
export interface ToldOf {
  readonly incidentId: number
  readonly receiver: string
  /** `single`: together with others, in a summary. */
  readonly stage: 'first' | 'update' | 'over' | 'single'
}

export interface Ends {
  /** Those who had messages of the incident by itself: what stands open there is closed. */
  readonly alone: readonly ToldOf[]
  /** Those who read of it in a summary read so of its end. */
  readonly together: readonly ToldOf[]
}

export const whoHearsTheEnd = (messages: readonly ToldOf[]): Ends => {
  const alone = new Map<string, ToldOf>()
  const together = new Map<string, ToldOf>()
  for (const one of messages) {
    const key = `${one.incidentId} ${one.receiver}`
    if (one.stage === 'over') {
      alone.delete(key)
      together.delete(key)
    } else (one.stage === 'single' ? together : alone).set(key, one)
  }
  return { alone: [...alone.values()], together: [...together].flatMap(([key, one]) => (alone.has(key) ? [] : [one])) }
}

/** Who was told that it is over, and has to hear that it is not: alone or together with others, as they heard of it. */
export const whoHeardTheEnd = (messages: readonly ToldOf[]): Ends => {
  const alone = new Map<string, ToldOf>()
  const together = new Map<string, ToldOf>()
  for (const own of Map.groupBy(messages, ({ incidentId, receiver }) => `${incidentId} ${receiver}`).values()) {
    const last = own.at(-1)
    if (last?.stage !== 'over') continue
    const isTogether = own.every(({ stage }) => stage === 'over' || stage === 'single')
    ;(isTogether ? together : alone).set(`${last.incidentId} ${last.receiver}`, last)
  }
  return { alone: [...alone.values()], together: [...together.values()] }
}

/**
 * The summary by which each of those who read of an incident together with others was told that it began, as
 * `incident receiver`: what becomes of it is an answer to that.
 */
export const summariesOf = (
  messages: readonly (ToldOf & { readonly key: string })[],
  together: readonly ToldOf[],
): ReadonlyMap<string, string> => {
  const asked = new Set(together.map(({ incidentId, receiver }) => `${incidentId} ${receiver}`))
  const summaries = new Map<string, string>()
  for (const { incidentId, key, receiver, stage } of messages) {
    const told = `${incidentId} ${receiver}`
    if (stage === 'single' && isSummaryKey(key) && asked.has(told) && !summaries.has(told)) summaries.set(told, key)
  }
  return summaries
}
