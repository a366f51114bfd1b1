import { expect, it } from 'vitest'
import { createProjectLookup } from './project-lookup.ts'

it('a key that does not work any more is noticed although the clock was set back', async () => {
  let now = 1_795_219_200_000
  let looks = 0
  const lookup = createProjectLookup({
    clock: { now: () => now },
    store: {
      keyContext: async () => {
        looks++
        return null
      },
      projectContext: async () => null,
      touchKey: async () => undefined,
    },
  })
  await lookup.byPublicKey('a')
  await lookup.byPublicKey('a')
  expect(looks).toBe(1)
  now -= 24 * 60 * 60_000
  await lookup.byPublicKey('a')
  expect(looks).toBe(2)
})
