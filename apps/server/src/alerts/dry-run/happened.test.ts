import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { LEDGER_ENGINES, type OpenedLedger } from '../../storage/conformance/engines.ts'
import type { AlertRule } from '../rule.ts'
import { createAlertWorld, MINUTE_MS, type AlertWorld } from '../test/alert-world.ts'
import { createHappenedDryRun } from './happened.ts'

describe.each(LEDGER_ENGINES)('a dry run of what happened on $name', ({ open }) => {
  let opened: OpenedLedger
  let world: AlertWorld

  beforeEach(async () => {
    opened = await open()
    world = await createAlertWorld(opened)
  }, 240_000)
  afterEach(() => opened.close())

  const run = (rule: AlertRule, days = 14) =>
    createHappenedDryRun(world)({
      rule,
      slug: 'acme',
      days,
      timezone: 'UTC',
      until: world.clock.now() + MINUTE_MS,
      render: ({ headline }, at) => [{ channel: 'mail', subject: headline, body: String(at), html: null }],
    })

  it('A22: says what was told, with the all-clear in the thread, and lists what was held back', async () => {
    const rule = await world.add({
      query: 'level:error',
      trigger: { source: 'happened', kinds: ['issue_opened', 'issue_regressed'] },
    })
    await world.arrive([{ seed: '1', kind: 'a', level: 'error' }])
    await world.arrive([{ seed: '2', kind: 'b', level: 'warning' }])
    await world.wait(30 * MINUTE_MS)
    await world.resolve(1)
    await world.wait(30 * MINUTE_MS)
    await world.arrive([{ seed: '3', kind: 'a', level: 'error' }])
    await world.wait(10 * MINUTE_MS)
    const dry = await run(rule)
    const shown = dry.firings.flatMap(({ messages }) => messages.map(({ message }) => message))
    expect(shown).toHaveLength(3)
    const inWords = ({ headline, kind, level, stage }: (typeof shown)[number]) => ({ headline, kind, level, stage })
    expect(shown.map(inWords)).toMatchObject(
      world.messages().map(({ headline, kind, level, stage }) => ({ headline, kind, level, stage })),
    )
    // Each in the form that its channels would have sent, of the time at which it was told.
    for (const { at, message, rendered } of dry.firings.flatMap(({ messages }) => messages)) {
      expect(rendered).toEqual([
        { channel: 'mail', subject: message.headline, body: String(Date.parse(at)), html: null },
      ])
    }
    expect(dry.firings.flatMap(({ messages }) => messages.map(({ message }) => message.stage))).toEqual(
      world.messages().map(({ stage }) => stage),
    )
    expect(dry).toMatchObject({ messages: world.messages().length, incidents: 2, first: 2, updates: 1, evaluations: 3 })
    expect(dry.firings.map(({ until }) => until === null)).toEqual([false, true])
    expect(dry.series[0]?.points.reduce((sum, [, count]) => sum + (count ?? 0), 0)).toBe(2)
    const muted = await run({ ...rule, mutedUntil: Infinity })
    expect(muted.messages).toBe(0)
    expect(muted.firings.map(({ decision, reason, number }) => [decision, reason, number])).toEqual([
      ['held', 'muted', null],
      ['held', 'muted', null],
    ])
  })

  it('A22: shows the messages of a burst, though nearly all of its incidents were gathered into one', async () => {
    const rule = await world.add({ query: 'level:error' })
    const burst = Array.from(
      { length: 40 },
      (_, index) => ({ seed: `burst ${index}`, kind: `k${index}`, level: 'error' }) as const,
    )
    await world.arrive(burst)
    await world.wait(10 * MINUTE_MS)
    const dry = await run(rule)
    expect(dry.incidents).toBe(40)
    expect(dry.firings.flatMap(({ messages }) => messages).length).toBeGreaterThan(0)
  })

  it('counts the message that tells of a burst together for its receivers, too', async () => {
    const rule = await world.add({ query: 'level:error' })
    await world.arrive(
      Array.from(
        { length: 40 },
        (_, index) => ({ seed: `burst ${index}`, kind: `k${index}`, level: 'error' }) as const,
      ),
    )
    await world.wait(10 * MINUTE_MS)
    const { first, messages, updates } = await run(rule)
    expect(first + updates).toBe(messages)
    expect({ messages, updates }).toEqual({ messages: world.messages().length, updates: 0 })
  })

  it('A22: counts one all-clear for a burst that one message told, as its receivers have it', async () => {
    const rule = await world.add({ query: 'level:error' })
    const kinds = Array.from({ length: 20 }, (_, index) => `k${index}`)
    await world.arrive(kinds.map((kind) => ({ seed: kind, kind, level: 'error' as const })))
    await world.wait(10 * MINUTE_MS)
    const ids = kinds.map((_, index) => index + 1)
    await world.workflow.change({ ...world.actor(), ids, status: { kind: 'resolved' } })
    await world.run()
    for (let minutes = 0; minutes < 10; minutes += 1) await world.wait(MINUTE_MS)
    const { messages, updates } = await run(rule)
    expect({ messages, updates }).toEqual({ messages: world.messages().length, updates: 2 })
    expect(messages).toBe(4)
  })

  it('A22: says that it does not replay what was merged, deleted or opened again, where something was', async () => {
    const rule = await world.add()
    await world.arrive(['a', 'b', 'c'].map((kind) => ({ seed: kind, kind })))
    await world.wait(10 * MINUTE_MS)
    const skips = async () => (await run(rule)).missing.filter((text) => text.startsWith('That issues were merged, '))
    await world.resolve(1)
    expect(await skips()).toEqual([])
    for (const change of [
      () => world.workflow.change({ ...world.actor(), ids: [1], status: { kind: 'unresolved' } }),
      () => world.workflow.merge({ ...world.actor(), ids: [2, 3] }),
    ]) {
      await change()
      await world.run()
      expect(await skips()).toHaveLength(1)
      await world.wait(15 * 24 * 60 * MINUTE_MS)
      expect(await skips()).toEqual([])
    }
  })

  it('A24: keeps nothing and sends nothing', async () => {
    const rule = await world.add({ name: 'Never saved' })
    await world.rules.remove(world.actor(), rule.id)
    await world.arrive([{ seed: '1', kind: 'a' }])
    const kept = async () => [await world.evaluations(), await world.incidents(), world.messages()]
    const before = await kept()
    expect((await run(rule)).messages).toBe(1)
    expect(await kept()).toEqual(before)
  })

  it('looks at no other time and at no other project', async () => {
    const rule = await world.add({ name: 'Here' })
    await world.arrive([{ seed: '1', kind: 'a' }])
    await world.wait(3 * 24 * 60 * MINUTE_MS)
    expect((await run(rule, 1)).incidents).toBe(0)
    expect((await run(rule, 7)).incidents).toBe(1)
    expect((await run({ ...rule, projectIds: [999] }, 7)).incidents).toBe(0)
  })
})
