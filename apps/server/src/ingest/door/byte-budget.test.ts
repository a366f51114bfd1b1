import { describe, expect, it } from 'vitest'
import { createByteBudget, joinWithin } from './byte-budget.ts'

describe('the budget of bytes', () => {
  it('is shared, refuses what does not fit without taking any of it, and gets everything back', () => {
    const budget = createByteBudget(100)
    const [one, other] = [budget.open(), budget.open()]
    expect([one.take(60), other.take(50), other.take(40)]).toEqual([true, false, true])
    one.release()
    expect([other.take(61), other.take(60)]).toEqual([false, true])
    other.release()
    expect(budget.open().take(100)).toBe(true)
  })

  it('counts a copy beside its pieces, and a single piece once', () => {
    const budget = createByteBudget(20)
    const pieces = [Buffer.from('abcde'), Buffer.from('fghij')]
    const account = budget.open()
    expect(account.take(10)).toBe(true)
    expect(joinWithin(pieces, 10, account.take)?.toString()).toBe('abcdefghij')
    expect(account.take(1)).toBe(false)
    expect(joinWithin(pieces, 10, account.take)).toBeNull()
    expect(joinWithin(pieces.slice(0, 1), 5, account.take)).toBe(pieces[0])
    expect(joinWithin([], 0, account.take)?.byteLength).toBe(0)
  })
})
