import { expect, it } from 'vitest'
import { createSharedAnswers } from './shared-answers.ts'

const holding = (capacity = 10) => {
  let now = 1000
  let asked = 0
  const answers = createSharedAnswers<string>({
    clock: { now: () => now },
    keptMs: 100,
    capacity,
    weigh: ({ length }) => length,
  })
  const ask = (key: string) =>
    answers(key, () => {
      asked += 1
      return Promise.resolve(`${key}${asked}`)
    })
  return { answers, ask, asked: () => asked, wait: (ms: number) => (now += ms) }
}

it('works out once what many ask for at the same time, and what is asked for shortly after', async () => {
  const { ask, wait } = holding()
  expect(await Promise.all([ask('a'), ask('a'), ask('b'), ask('a')])).toEqual(['a1', 'a1', 'b2', 'a1'])
  wait(99)
  expect(await ask('a')).toBe('a1')
  wait(1)
  expect(await ask('a')).toBe('a3')
})

it('works it out anew when the clock was set back', async () => {
  const { ask, wait } = holding()
  await ask('a')
  wait(-1)
  expect(await ask('a')).toBe('a2')
})

it('tells a failure to all who waited, and does not remember it', async () => {
  const { answers, ask } = holding()
  const fail = () => answers('a', () => Promise.reject(new Error('broken')))
  const told = await Promise.allSettled([fail(), ask('a')])
  expect(told.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await ask('a')).toBe('a1')
})

it('remembers no more than it has room for', async () => {
  const { ask, asked } = holding(4)
  for (const key of ['a', 'b', 'c']) await ask(key)
  await ask('c')
  expect(asked()).toBe(3)
  await ask('a')
  expect(asked()).toBe(4)
  for (const _ of [1, 2]) await ask('too long')
  expect(asked()).toBe(6)
})
