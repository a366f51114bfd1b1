import { expect, it } from 'vitest'
import { testClock } from '../../storage/conformance/engines.ts'
import { LIMITS } from '../limits.ts'
import { createHostBudget } from './host-budget.ts'

it('a host is asked so often and no more, until its time is over; others are asked all the same', () => {
  const clock = testClock()
  const mayAsk = createHostBudget(clock)
  const answers = Array.from({ length: LIMITS.SITE_HOST_REQUESTS + 2 }, () => mayAsk('shop.example'))
  expect(answers.filter(Boolean)).toHaveLength(LIMITS.SITE_HOST_REQUESTS)
  expect(answers.at(-1)).toBe(false)
  expect(mayAsk('other.example')).toBe(true)
  clock.set(clock.now() + LIMITS.SITE_HOST_WINDOW_MS)
  expect(mayAsk('shop.example')).toBe(true)
})
