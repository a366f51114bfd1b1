import { expect, it } from 'vitest'

import { askAgain } from './ask-again.ts'

it.each([
  [[503, 503, 200], 200, 2],
  [[503, 404, 200], 404, 1],
  [[200], 200, 0],
  [[503, 503, 503, 503, 503, 503, 503], 503, 4],
])('R99 a server that has no room at this moment is asked again, a few times: %j', async (statuses, told, waits) => {
  const waited: number[] = []
  const left = [...statuses]
  const answer = await askAgain(
    () => Promise.resolve(new Response(null, { status: left.shift() ?? 500 })),
    (ms) => {
      waited.push(ms)
      return Promise.resolve()
    },
  )
  expect(answer.status).toBe(told)
  expect(waited).toHaveLength(waits)
  expect(waited.toSorted((one, other) => one - other)).toEqual(waited)
})
