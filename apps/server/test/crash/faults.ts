/** Where a child process of the crash tests kills itself: `<step>:<before|after>:<n-th call>`. */
export interface Faults {
  /** Wraps one call of a store. */
  around<Value>(step: string, work: () => Promise<Value>): Promise<Value>
}

export const createFaults = (description: string | undefined): Faults => {
  const [faultStep, moment, count] = (description ?? '').split(':')
  let calls = 0
  const die = (): Promise<never> => {
    process.kill(process.pid, 'SIGKILL')
    return new Promise(() => undefined)
  }
  return {
    around: async (step, work) => {
      if (step !== faultStep) return work()
      calls += 1
      const now = calls === Number(count)
      if (now && moment === 'before') return die()
      const value = await work()
      return now ? die() : value
    },
  }
}
