/** Who is told that something is over: whoever was told that it began, past every mute, hour and cap. */

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
  const done = new Set<string>()
  for (const one of messages) {
    const key = `${one.incidentId} ${one.receiver}`
    if (one.stage === 'over') done.add(key)
    else (one.stage === 'single' ? together : alone).set(key, one)
  }
  return {
    alone: [...alone].flatMap(([key, one]) => (done.has(key) ? [] : [one])),
    together: [...together].flatMap(([key, one]) => (done.has(key) || alone.has(key) ? [] : [one])),
  }
}
