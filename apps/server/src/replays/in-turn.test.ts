import { expect, it } from 'vitest'
import type { StatementRefusal } from '../lib/statement-refusal.ts'
import { createTurnsAt } from './in-turn.ts'

it('work on replays is done one after the other; who waits in vain hears that others come first', async () => {
  let left = 0
  const thread = { leave: () => void (left += 1) }
  const inTurn = createTurnsAt(thread, { waiting: 1, waitingPerCaller: 1, waitMs: 60_000 })
  const { promise, resolve } = Promise.withResolvers<string>()
  const begun: string[] = []
  const does = (name: string, work: Promise<string>): Promise<string> =>
    inTurn(() => {
      begun.push(name)
      return work
    })
  const first = does('first', promise)
  const second = does('second', Promise.reject(new Error('no such page')))
  await expect(does('third', Promise.resolve('')).catch((error: StatementRefusal) => error.reason)).resolves.toBe(
    'preparing',
  )
  expect(begun).toEqual(['first'])
  expect(left).toBe(0)
  resolve('done')
  expect(await first).toBe('done')
  await expect(second).rejects.toThrow('no such page')
  expect(await does('fourth', Promise.resolve('done too'))).toBe('done too')
  expect(begun).toEqual(['first', 'second', 'fourth'])
  // Also after work that failed; who never had a turn leaves nothing.
  expect(left).toBe(3)
})
