import { expect, it } from 'vitest'
import { createOccasion } from './occasion.ts'

it('is due at first, after something happened, when it said so, now and then, and after a clock was set back', async () => {
  let now = 1000
  const occasion = createOccasion({ clock: { now: () => now }, quietMs: 100 })
  expect(occasion.isDue()).toBe(true)
  await occasion.take(async () => Infinity)
  now = 1099
  expect(occasion.isDue()).toBe(false)
  now = 1100
  expect(occasion.isDue()).toBe(true)
  await occasion.take(async (at) => at + 10)
  now = 1109
  expect(occasion.isDue()).toBe(false)
  occasion.wake()
  expect(occasion.isDue()).toBe(true)
  await occasion.take(async (at) => at + 10)
  now = 1118
  expect(occasion.isDue()).toBe(false)
  now = 1119
  expect(occasion.isDue()).toBe(true)
  await occasion.take(async () => Infinity)
  now = 1000
  expect(occasion.isDue()).toBe(true)
})

it('what happens during the work, and work that fails, make it due again', async () => {
  const occasion = createOccasion({ clock: { now: () => 5 }, quietMs: 100 })
  await occasion.take(async () => {
    occasion.wake()
    return Infinity
  })
  expect(occasion.isDue()).toBe(true)
  await expect(occasion.take(() => Promise.reject(new Error('locked')))).rejects.toThrow('locked')
  expect(occasion.isDue()).toBe(true)
  await occasion.take(async () => Infinity)
  expect(occasion.isDue()).toBe(false)
})
