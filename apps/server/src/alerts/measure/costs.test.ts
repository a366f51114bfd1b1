import { describe, expect, it } from 'vitest'
import { LIMITS } from '../limits.ts'
import { afterSpending, FREE, type Spent } from './costs.ts'

const cheap: Spent = { rows: 1000, milliseconds: 5, isStopped: false, isOwn: true }
const dear: Spent = { ...cheap, rows: LIMITS.MEASURE_BUDGET_ROWS * 2 }

describe('what a rule costs', () => {
  it('A32: one that takes too much is evaluated less often, and each minute again when it takes less', () => {
    const slowed = afterSpending(FREE, dear, 1000)
    expect(slowed).toMatchObject({ everyMinutes: LIMITS.MEASURE_SLOWED_MINUTES, slowedAt: 1000 })
    expect(afterSpending(slowed, dear, 2000).slowedAt).toBe(1000)
    let cost = slowed
    for (let evaluation = 0; evaluation < 10; evaluation += 1) cost = afterSpending(cost, cheap, 3000)
    expect(cost).toMatchObject({ everyMinutes: 1, slowedAt: null })
  })

  it('A32: one that was stopped is slowed at once, and one that shares a statement never', () => {
    expect(afterSpending(FREE, { ...cheap, isStopped: true }, 1)).toMatchObject({
      everyMinutes: LIMITS.MEASURE_SLOWED_MINUTES,
    })
    expect(afterSpending(FREE, { ...dear, isOwn: false }, 1)).toMatchObject({ everyMinutes: 1, slowedAt: null })
  })

  it('A33: says what it takes on the average', () => {
    const once = afterSpending(FREE, { ...cheap, rows: 100, milliseconds: 8 }, 1)
    expect(once).toMatchObject({ rows: 100, milliseconds: 8, evaluations: 1 })
    const twice = afterSpending(once, { ...cheap, rows: 500, milliseconds: 8 }, 1)
    expect(twice).toMatchObject({ rows: 200, evaluations: 2 })
  })
})
