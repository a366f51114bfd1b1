import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { LEDGER_ENGINES, type OpenedLedger } from '../conformance/engines.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { createClockGuard, trustClock } from './clock-guard.ts'

const DAY_MS = 24 * 60 * 60_000
const START = Date.parse('2026-11-20T12:00:00Z')

let opened: OpenedLedger
let ledger: Ledger
let now: number
let uptime: number

const guard = () =>
  createClockGuard({
    ledger,
    clock: { now: () => now },
    uptime: () => uptime,
  })
const pass = (ms: number): void => {
  now += ms
  uptime += ms
}

describe.each(LEDGER_ENGINES)('a clock that leaps ahead, on $name', ({ open }) => {
  beforeEach(async () => {
    now = START
    uptime = 0
    opened = await open()
    ledger = opened.ledger
  })
  afterEach(() => opened.close())

  it('is not believed, is told, and is forgotten once it is set right', async () => {
    const clock = guard()
    expect(await clock.doubt()).toBeNull()
    pass(10 * 60_000)
    expect(await clock.doubt()).toBeNull()
    now += 365 * DAY_MS
    expect((await clock.doubt())?.message).toContain(
      'The server’s clock says 20 Nov 2027, 12:10 UTC, 365 days later than 20 Nov 2026, 12:10 UTC. Until that is settled, no data',
    )
    expect(clock.current()?.message).toContain('npx firsthand trust-clock')
    // A start does not make it right.
    expect(await guard().doubt()).not.toBeNull()
    now -= 365 * DAY_MS
    expect(clock.current()).toBeNull()
    expect(await clock.doubt()).toBeNull()
    expect(clock.current()).toBeNull()
  })

  it('is believed after two days in which it ran on, so that a server that was off for weeks goes on', async () => {
    await guard().doubt()
    now += 21 * DAY_MS
    const clock = guard()
    expect(await clock.doubt()).not.toBeNull()
    pass(DAY_MS)
    expect(await clock.doubt()).not.toBeNull()
    pass(DAY_MS)
    expect(await clock.doubt()).toBeNull()
    expect(await guard().doubt()).toBeNull()
  })

  it('is believed although the server is started anew each day', async () => {
    await guard().doubt()
    now += 21 * DAY_MS
    for (let day = 0; day < 4; day += 1) {
      uptime = 0
      const clock = guard()
      expect(await clock.doubt()).not.toBeNull()
      pass(DAY_MS / 2)
      expect((await clock.doubt()) === null).toBe(day === 3)
      // Off for the night, which does not count.
      now += DAY_MS / 2
    }
    expect(await guard().doubt()).toBeNull()
  })

  it('waits anew when it leapt again while the server was off', async () => {
    await guard().doubt()
    now += 21 * DAY_MS
    const clock = guard()
    await clock.doubt()
    pass(1.5 * DAY_MS)
    expect(await clock.doubt()).not.toBeNull()
    now += 300 * DAY_MS
    const next = guard()
    expect(await next.doubt()).not.toBeNull()
    pass(DAY_MS)
    expect(await next.doubt()).not.toBeNull()
  })

  it('that starts in the past, for want of a battery, is believed as soon as it is set', async () => {
    await guard().doubt()
    const clock = guard()
    now = 0
    expect(await clock.doubt()).toBeNull()
    pass(60_000)
    expect(await clock.doubt()).toBeNull()
    now = START + 60_000
    expect(await clock.doubt()).toBeNull()
  })

  it('waits anew after another leap, and while another server sees another time', async () => {
    const clock = guard()
    await clock.doubt()
    now += 100 * DAY_MS
    expect(await clock.doubt()).not.toBeNull()
    pass(DAY_MS)
    now += 100 * DAY_MS
    expect(await clock.doubt()).not.toBeNull()
    pass(DAY_MS)
    expect(await clock.doubt()).not.toBeNull()
    await trustClock(ledger, START + 2 * DAY_MS)
    pass(DAY_MS)
    expect(await clock.doubt()).not.toBeNull()
  })

  it('is believed when somebody says that it is right', async () => {
    const clock = guard()
    await clock.doubt()
    now += 21 * DAY_MS
    expect(await clock.doubt()).not.toBeNull()
    await trustClock(ledger, now)
    expect(await clock.doubt()).toBeNull()
  })

  it('may be set back: then less is old', async () => {
    const clock = guard()
    await clock.doubt()
    now -= 30 * DAY_MS
    expect(await clock.doubt()).toBeNull()
    // What it was set back from is not believed again at once.
    now += 30 * DAY_MS
    expect(await clock.doubt()).not.toBeNull()
  })
})
