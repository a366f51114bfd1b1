import { beforeEach, describe, expect, it } from 'vitest'
import { testClock } from '../../storage/conformance/engines.ts'
import { LIMITS } from '../limits.ts'
import { createGlances, type Glances } from './glances.ts'

const [ACME, RIVAL] = [1, 2]

describe('counts at a glance', () => {
  let glances: Glances
  let pauses: number[]
  let count: number
  let times: number
  const clock = testClock(1_000_000)
  beforeEach(() => {
    pauses = []
    count = 0
    times = 0
    glances = createGlances({
      clock,
      pause: async (ms) => {
        pauses.push(ms)
        clock.set(clock.now() + ms)
      },
    })
  })

  const look = (organizationId = ACME): Promise<number> =>
    glances.count(organizationId, 'is:unresolved', async () => {
      times += 1
      return count
    })

  it('are counted once for all who ask, as long as nothing changes', async () => {
    expect(await Promise.all([look(), look(), look()])).toEqual([0, 0, 0])
    expect(await look()).toBe(0)
    expect(times).toBe(1)
    clock.set(clock.now() + LIMITS.GLANCE_AGE_MS + 1)
    await look()
    expect([times, pauses]).toEqual([2, []])
  })

  it('follow each change, and are counted so often at most, however many ask and however much changes', async () => {
    await look()
    count = 1
    glances.changed(ACME)
    expect(await Promise.all([look(), look(), look()])).toEqual([1, 1, 1])
    expect(times).toBe(2)
    expect(pauses).toEqual([LIMITS.GLANCE_MS, LIMITS.GLANCE_MS, LIMITS.GLANCE_MS].slice(0, pauses.length))
    for (let change = 0; change < 100; change += 1) glances.changed(ACME)
    clock.set(clock.now() + LIMITS.GLANCE_MS)
    count = 2
    expect(await look()).toBe(2)
    expect(times).toBe(3)
  })

  it('are counted at once after a person changed something, and wait again for what happens later', async () => {
    await look()
    count = 1
    glances.handled(ACME)
    expect([await look(), pauses]).toEqual([1, []])
    glances.changed(ACME)
    count = 2
    expect([await look(), pauses]).toEqual([2, [LIMITS.GLANCE_MS]])
  })

  it('that were under way when something changed are counted again for who asked after it', async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    const before = glances.count(ACME, 'is:unresolved', async () => {
      const found = count
      await held
      return found
    })
    count = 1
    glances.changed(ACME)
    const after = look()
    release()
    expect(await Promise.all([before, after])).toEqual([0, 1])
  })

  it('of one organisation do not wait for what changes in another, and a failure is nobody’s answer', async () => {
    await look()
    glances.changed(RIVAL)
    await look()
    expect(times).toBe(1)
    const failing = glances.count(RIVAL, 'is:unresolved', () => Promise.reject(new Error('away')))
    await expect(failing).rejects.toThrow('away')
    expect(await look(RIVAL)).toBe(0)
    expect(times).toBe(2)
  })
})
