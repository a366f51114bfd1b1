import { describe, expect, it } from 'vitest'
import { StoreFault } from '../lib/store-fault.ts'
import { isTooMuch, narrower } from './too-much.ts'

const HOUR = 3_600_000

describe('questions that are too large', () => {
  it('are known by the code of what stopped them, in whatever it is wrapped', () => {
    const stopped = Object.assign(new Error('Query memory limit exceeded'), { code: '241' })
    expect(isTooMuch(new StoreFault('This search takes more time or memory …', { cause: stopped }))).toBe(true)
    expect(isTooMuch(Object.assign(new Error('no such column'), { code: '47' }))).toBe(false)
    expect(isTooMuch(null)).toBe(false)
    const others = Object.assign(new Error('(total) memory limit exceeded: would use 421.00 MiB'), { code: '241' })
    expect(isTooMuch(new StoreFault('More is asked …', { cause: others }))).toBe(false)
  })

  it('are answered with a narrower one', () => {
    expect(narrower({ from: 0, to: 14 * 24 * HOUR }, 'shop')).toContain(
      'statsPeriod=24h), or one project (project=shop), for fewer',
    )
    expect(narrower({ from: 0, to: HOUR })).toContain('a shorter time (statsPeriod=5m), for fewer')
  })
})
