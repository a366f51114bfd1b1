import { describe, expect, it } from 'vitest'
import type { CallerContext } from './caller-context.ts'
import { createFairQueue } from './fair-queue.ts'
import type { FairQueueLimits } from './fair-queue.ts'
import { StatementRefusal } from './statement-refusal.ts'

const LIMITS: FairQueueLimits = {
  running: 3,
  perOrganization: 2,
  perCaller: 1,
  waiting: 20,
  waitingPerCaller: 10,
  waitMs: 60_000,
}

const caller = (organizationId: number | null, caller: string): CallerContext => ({ organizationId, caller })

/** Takes turns under names and notes who has begun. */
const watched = (limits: Partial<FairQueueLimits> = {}) => {
  const queue = createFairQueue({ ...LIMITS, ...limits })
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  return {
    begun,
    ask: (name: string, who: CallerContext) =>
      queue.take(who).then((end) => {
        begun.push(name)
        ends.set(name, end)
      }),
    end: async (name: string) => {
      ends.get(name)?.()
      await new Promise(setImmediate)
    },
  }
}

describe('fair turns', () => {
  it('one caller has one turn, one organisation two, and there is one for others', async () => {
    const { begun, ask, end } = watched()
    void ask('a1', caller(1, 'a'))
    void ask('a2', caller(1, 'a'))
    void ask('b1', caller(1, 'b'))
    void ask('c1', caller(1, 'c'))
    void ask('other', caller(2, 'a'))
    await end('nothing')
    expect(begun).toEqual(['a1', 'b1', 'other'])
    await end('other')
    expect(begun).toEqual(['a1', 'b1', 'other'])
    await end('a1')
    expect(begun.slice(3)).toEqual(['c1'])
    await end('b1')
    expect(begun.slice(4)).toEqual(['a2'])
  })

  it('callers take turns, however much of one waits before another', async () => {
    const { begun, ask, end } = watched({ running: 1 })
    for (const name of ['a1', 'a2', 'a3', 'a4']) void ask(name, caller(1, 'a'))
    for (const name of ['b1', 'b2']) void ask(name, caller(2, 'b'))
    void ask('c1', caller(null, 'c'))
    await end('nothing')
    for (const name of ['a1', 'b1', 'c1', 'a2', 'b2', 'a3']) {
      expect(begun.at(-1)).toBe(name)
      await end(name)
    }
    expect(begun.at(-1)).toBe('a4')
  })

  it('a turn that is ended twice counts once', async () => {
    const queue = createFairQueue({ ...LIMITS, running: 1 })
    const first = await queue.take(caller(1, 'a'))
    const second = queue.take(caller(1, 'b'))
    first()
    first()
    const end = await second
    let third = false
    void queue.take(caller(1, 'c')).then(() => (third = true))
    await new Promise(setImmediate)
    expect(third).toBe(false)
    end()
    await new Promise(setImmediate)
    expect(third).toBe(true)
  })

  it('refuses what would wait behind too much, of one caller and of all', async () => {
    const { ask, begun, end } = watched({ running: 1, waiting: 3, waitingPerCaller: 2 })
    for (const name of ['a1', 'a2', 'a3']) void ask(name, caller(1, 'a'))
    await expect(ask('a4', caller(1, 'a'))).rejects.toMatchObject({ reason: 'busy' })
    void ask('b1', caller(1, 'b'))
    await expect(ask('c1', caller(2, 'c'))).rejects.toBeInstanceOf(StatementRefusal)
    expect(begun).toEqual(['a1'])
    // What was let in has its turn.
    for (const name of ['a1', 'b1', 'a2', 'a3']) {
      expect(begun.at(-1)).toBe(name)
      await end(name)
    }
  })

  it('refuses what waited for too long, and serves those behind it', async () => {
    const { begun, ask, end } = watched({ running: 1, waitMs: 1 })
    await ask('a1', caller(1, 'a'))
    await expect(ask('b1', caller(2, 'b'))).rejects.toMatchObject({ reason: 'busy' })
    await end('a1')
    await ask('c1', caller(3, 'c'))
    expect(begun).toEqual(['a1', 'c1'])
  })
})
