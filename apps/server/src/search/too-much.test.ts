import { describe, expect, it } from 'vitest'
import { StoreFault } from '../lib/store-fault.ts'
import { Unanswerable } from '../lib/unanswerable.ts'
import type { Period } from './time-range.ts'
import { unlessTooLarge } from './too-much.ts'

const HOUR = 3_600_000

const told = (failure: unknown, period: Period = { from: 0, to: HOUR }, project?: string): Promise<unknown> =>
  unlessTooLarge(Promise.reject(failure), period, project).catch((error: unknown) => error)

const stopped = Object.assign(new Error('Query memory limit exceeded'), { code: '241' })

describe('questions that are too large', () => {
  it('are known by the code of what stopped them, in whatever it is wrapped', async () => {
    const wrapped = new StoreFault('This search takes more time or memory …', { cause: stopped })
    expect(await told(wrapped)).toBeInstanceOf(Unanswerable)
    const missing = Object.assign(new Error('no such column'), { code: '47' })
    expect(await told(missing)).toBe(missing)
    expect(await told(null)).toBeNull()
    const others = Object.assign(new Error('(total) memory limit exceeded: would use 421.00 MiB'), { code: '241' })
    const ofOthers = new StoreFault('More is asked …', { cause: others })
    expect(await told(ofOthers)).toBe(ofOthers)
    expect(await unlessTooLarge(Promise.resolve(7), { from: 0, to: HOUR })).toBe(7)
  })

  it('are answered with a narrower one', async () => {
    expect(String(await told(stopped, { from: 0, to: 14 * 24 * HOUR }, 'shop'))).toContain(
      'This question is too large: it was stopped. Ask for a shorter time (statsPeriod=24h), or one project (project=shop), for fewer',
    )
    expect(String(await told(stopped))).toContain('a shorter time (statsPeriod=5m), for fewer')
  })
})
