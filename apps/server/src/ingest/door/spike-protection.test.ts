import { describe, expect, it } from 'vitest'
import { LIMITS } from '../limits.ts'
import { DEFAULT_PROJECT_SETTINGS } from '../../accounts/settings.ts'
import { createSpikeProtection, type SpikeProtection } from './spike-protection.ts'
import { keyContext } from './test-door.ts'

const START = Date.UTC(2026, 10, 20)
const HOUR = 3_600_000
const key = keyContext()

/** How many of so many events are let in. */
const send = (spikes: SpikeProtection, events: number, hour: number, sender = key): number => {
  let granted = 0
  for (let sent = 0; sent < events; sent += 1) if (spikes.take(sender, START + hour * HOUR).granted) granted += 1
  return granted
}

const learned = (perHour: number): SpikeProtection => {
  const spikes = createSpikeProtection()
  for (let hour = 0; hour < LIMITS.SPIKE_LEARNING_HOURS; hour += 1) send(spikes, perHour, hour)
  return spikes
}

describe('spike protection', () => {
  it('holds nothing of a new project back', () => {
    expect(send(createSpikeProtection(), 60_000, 3)).toBe(60_000)
  })

  it('lets a small project have the minimum, and tells the rest to wait', () => {
    const spikes = learned(10)
    expect(send(spikes, 12_000, LIMITS.SPIKE_LEARNING_HOURS)).toBe(LIMITS.SPIKE_MINIMUM_EVENTS)
    const now = START + LIMITS.SPIKE_LEARNING_HOURS * HOUR
    expect(spikes.take(key, now + HOUR - 9000)).toEqual({ granted: false, retryAfterSeconds: 9 })
    expect(spikes.take(keyContext({ projectId: 43 }), now).granted).toBe(true)
    expect(spikes.take(key, now + HOUR).granted).toBe(true)
  })

  it('lets a large project have ten times what is usual', () => {
    expect(send(learned(2000), 25_000, LIMITS.SPIKE_LEARNING_HOURS)).toBe(2000 * LIMITS.SPIKE_FACTOR)
  })

  it('is not outgrown by the flood that it stops', () => {
    for (const usual of [10, 1100]) {
      let spikes = learned(usual)
      const limits: number[] = []
      const limit = Math.max(LIMITS.SPIKE_MINIMUM_EVENTS, usual * LIMITS.SPIKE_FACTOR)
      const hours = LIMITS.SPIKE_LEARNING_HOURS
      for (let attack = 0; attack <= 144; attack += 1) {
        if (attack === 72) spikes = createSpikeProtection(JSON.parse(JSON.stringify(spikes.save())))
        let granted = 0
        const now = START + (hours + attack) * HOUR
        while (granted < 10 * limit && spikes.take(key, now).granted) granted += 1
        if (attack % 48 === 0) limits.push(granted / limit)
      }
      expect(limits[0]).toBe(1)
      expect(limits.length).toBe(4)
      expect(Math.max(...limits)).toBeLessThanOrEqual(2)
    }
  })

  it('counts a daily peak below the limit in full', () => {
    const spikes = learned(1500)
    const hours = LIMITS.SPIKE_LEARNING_HOURS
    expect(send(spikes, 9000, hours)).toBe(9000)
    const mean = (1500 * hours + 9000) / (hours + 1)
    expect(send(spikes, 30_000, hours + 1)).toBe(Math.ceil(mean * LIMITS.SPIKE_FACTOR))
  })

  it('can be switched off for a project', () => {
    const off = keyContext({ settings: { ...DEFAULT_PROJECT_SETTINGS, spikeProtection: false } })
    expect(send(learned(10), 12_000, LIMITS.SPIKE_LEARNING_HOURS, off)).toBe(12_000)
  })

  it('knows after a restart what is usual, and how much of the hour is used', () => {
    const spikes = learned(10)
    send(spikes, 9000, LIMITS.SPIKE_LEARNING_HOURS)
    const again = createSpikeProtection(JSON.parse(JSON.stringify(spikes.save())))
    expect(send(again, 2000, LIMITS.SPIKE_LEARNING_HOURS)).toBe(1000)
  })

  it('forgets nothing and holds nothing back for ever when the clock is set back', () => {
    const spikes = learned(10)
    expect(send(spikes, 20_000, -30)).toBe(20_000)
    expect(send(spikes, 100, 400)).toBe(100)
  })

  it('forgets projects without events in the week, and remembers so many at most', () => {
    const spikes = learned(10)
    send(spikes, 1, 100, keyContext({ projectId: 43 }))
    send(spikes, 1, LIMITS.SPIKE_LEARNING_HOURS + 7 * 24, keyContext({ projectId: 44 }))
    expect(Object.keys(spikes.save())).toEqual(['43', '44'])
    for (let id = 1000; id < 1000 + LIMITS.SPIKE_PROJECTS - 1; id += 1)
      send(spikes, 1, 200, keyContext({ projectId: id }))
    const remembered = Object.keys(spikes.save())
    expect(remembered.length).toBe(LIMITS.SPIKE_PROJECTS)
    expect(remembered).not.toContain('43')
    expect(remembered).toContain('44')
  })
})
