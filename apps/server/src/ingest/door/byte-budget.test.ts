import { describe, expect, it } from 'vitest'
import { createByteBudget, joinWithin } from './byte-budget.ts'

const budgetOf = (bytes: number) => {
  const budget = createByteBudget({
    CONCURRENT_BODIES_BYTES: bytes,
    KEYLESS_BODIES_PARTS: 8,
    ADDRESS_BODIES_PARTS: 4,
    KEY_BODIES_PARTS: 4,
    ORGANIZATION_BODIES_PARTS: 2,
  })
  let opened = 0
  const address = () => `198.51.100.${opened++}`
  return {
    open: budget.open,
    /** From an address of its own. */
    keyless: () => budget.open(address()),
    of: (keyId: number, organizationId = keyId) => {
      const account = budget.open(address())
      account.belongTo({ keyId, organizationId })
      return account
    },
  }
}

describe('the budget of bytes', () => {
  it('is shared, refuses what does not fit without taking any of it, and gets everything back', () => {
    const budget = budgetOf(100)
    const [one, other] = [budget.of(1), budget.of(2)]
    expect([one.take(60), other.take(50), other.take(40)]).toEqual([true, false, true])
    one.release()
    expect([other.take(61), other.take(60)]).toEqual([false, true])
    other.release()
    expect(budget.of(3).take(100)).toBe(true)
  })

  it('gets back a part before the rest, which then counts for nobody', () => {
    const budget = budgetOf(100)
    const [one, other] = [budget.of(1, 1), budget.of(2, 1)]
    expect([one.take(60), other.take(50)]).toEqual([true, false])
    one.giveBack(40)
    expect([other.take(31), other.take(25), one.take(60)]).toEqual([false, true, false])
    one.release()
    other.release()
    expect(budget.of(3).take(100)).toBe(true)
  })

  it('counts a copy beside its pieces, and a single piece once', async () => {
    const budget = budgetOf(20)
    const pieces = [Buffer.from('abcde'), Buffer.from('fghij')]
    const account = budget.of(1)
    expect(account.take(10)).toBe(true)
    expect((await joinWithin(pieces, 10, account.take))?.toString()).toBe('abcdefghij')
    expect(account.take(1)).toBe(false)
    expect(joinWithin(pieces, 10, account.take)).toBeNull()
    expect(joinWithin(pieces.slice(0, 1), 5, account.take)).toBe(pieces[0])
    expect((await joinWithin([], 0, account.take))?.byteLength).toBe(0)
  })

  it('gives bodies without a known key an eighth together, and a quarter of that to one address', () => {
    const budget = budgetOf(320)
    const one = budget.open('203.0.113.1')
    const same = budget.open('203.0.113.1')
    expect([one.take(10), same.take(1), one.take(1)]).toEqual([true, false, false])
    const others = [budget.keyless(), budget.keyless(), budget.keyless()]
    expect(others.map((account) => account.take(10))).toEqual([true, true, true])
    expect(budget.keyless().take(1)).toBe(false)
    expect(budget.of(1).take(100)).toBe(true)

    // Once a key is known it is that key's share.
    expect(others[0]?.belongTo({ keyId: 2, organizationId: 2 })).toBe(true)
    expect(budget.keyless().take(10)).toBe(true)
    others[0]?.release()
    one.release()
    expect(same.take(10)).toBe(true)
  })

  it('gives a key and an address a quarter and an organisation a half, but a body that is alone as much as there is', () => {
    const budget = budgetOf(400)
    const alone = budget.of(1, 7)
    expect([alone.take(150), budget.of(1, 7).take(1), budget.of(2, 7).take(50), budget.of(3, 7).take(1)]).toEqual([
      true,
      false,
      true,
      false,
    ])
    expect(budget.of(4, 8).take(200)).toBe(true)
    alone.release()

    const late = budget.keyless()
    expect([late.take(10), late.belongTo({ keyId: 4, organizationId: 8 })]).toEqual([true, false])
    expect(late.belongTo({ keyId: 5, organizationId: 9 })).toBe(true)

    const [here, there] = [budget.open('203.0.113.1'), budget.open('203.0.113.1')]
    here.belongTo({ keyId: 10, organizationId: 10 })
    there.belongTo({ keyId: 11, organizationId: 11 })
    expect([here.take(100), there.take(1), budget.of(12).take(10)]).toEqual([true, false, true])
  })
})
