import { describe, expect, it } from 'vitest'
import { MINUTE_MS } from '../lib/durations.ts'
import { createBudget } from './budget.ts'
import type { EventOwners } from './owners.ts'
import { LIMITS } from './limits.ts'

const foundWith = (steps: number): EventOwners => ({
  decision: { line: null, frame: null, owners: [], losers: [], frames: [], isCutShort: true, steps },
  owners: [],
})

describe('what a project may spend on finding owners', () => {
  it('is so much in a minute, and what others spend does not matter', async () => {
    let now = 0
    const budget = createBudget({ now: () => now })
    const given: number[] = []
    const spendAll = (projectId: number) =>
      budget.spend(projectId, async (steps) => {
        given.push(steps)
        return foundWith(steps + 1)
      })
    for (let left: number = LIMITS.OWNERSHIP_STEPS_PER_MINUTE; left > 0; left -= LIMITS.OWNERSHIP_STEPS)
      await spendAll(1)
    await spendAll(1)
    expect(given.at(-1)).toBe(0)
    await spendAll(2)
    expect(given.at(-1)).toBe(LIMITS.OWNERSHIP_STEPS)
    now = MINUTE_MS
    await spendAll(1)
    expect(given.at(-1)).toBe(LIMITS.OWNERSHIP_STEPS)
  })
})
