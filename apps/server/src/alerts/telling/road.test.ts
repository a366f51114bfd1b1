import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { LEDGER_ENGINES, type OpenedLedger } from '../../storage/conformance/engines.ts'
import { LIMITS } from '../limits.ts'
import { createAlertWorld, MINUTE_MS, type AlertWorld } from '../test/alert-world.ts'

const HOUR_MS = 60 * MINUTE_MS
const KINDS = { source: 'happened', kinds: ['issue_opened', 'issue_regressed'] } as const

describe.each(LEDGER_ENGINES)('the way of what alerts tell, on $name', ({ open }) => {
  let opened: OpenedLedger
  let world: AlertWorld

  beforeEach(async () => {
    opened = await open()
    world = await createAlertWorld(opened)
  }, 240_000)
  afterEach(() => opened.close())

  /** An issue for each of the words. */
  const arrive = (...kinds: string[]): Promise<void> => world.arrive(kinds.map((kind) => ({ seed: kind, kind })))
  const told = () => world.messages().map(({ stage, thread }) => [stage, thread])
  const decisions = async (ruleId: number) =>
    (await world.evaluations())
      .filter(({ rule_id: id }) => id === ruleId)
      .map(({ decision, reason }) => `${decision} ${reason}`)
  /** Where the list of a message leads to. */
  const linked = (at: number): string[] =>
    (world.messages().at(at)?.blocks ?? []).flatMap((block) =>
      block.kind === 'list' ? block.items.flatMap(({ path }) => path ?? []) : [],
    )
  const person = (id: number) => ({ kind: 'people', target: 'member', id: String(id) }) as const

  it('A13: a summary is a message of its own, and takes the place of none', async () => {
    await world.add()
    await arrive('a', 'b', 'c')
    await world.wait(LIMITS.ALERT_GATHER_MS)
    const [first, summary] = world.messages()
    expect(first).toMatchObject({ stage: 'first', thread: 'issue:1' })
    expect(summary?.stage).toBe('single')
    expect(summary?.thread).not.toBe(first?.thread)
    expect(summary?.headline).toMatch(/^2 more new issues in shop: \w+, \w+$/)
  })

  it('A13: what is over before it was told is not told, and its end neither', async () => {
    await world.add()
    await arrive('a', 'b')
    await world.resolve(2)
    await world.wait(LIMITS.ALERT_GATHER_MS)
    expect(told()).toEqual([['first', 'issue:1']])
  })

  it('A13: whoever read of a beginning in a summary hears of its end, once and past a mute', async () => {
    const rule = await world.add()
    await arrive('a', 'b', 'c')
    await world.wait(LIMITS.ALERT_GATHER_MS)
    await world.rules.mute(world.actor(), rule.id, world.clock.now() + HOUR_MS)
    await world.resolve(1)
    await world.resolve(2)
    await world.resolve(3)
    await world.rules.mute(world.actor(), rule.id, null)
    await world.wait(LIMITS.ALERT_GATHER_MS)
    expect(told().slice(2)).toEqual([
      ['over', 'issue:1'],
      ['over', told()[1]?.[1]],
    ])
  })

  it('A13: of a burst that was told as one message the end is one answer to that, and of what was told alone one to it', async () => {
    await world.add()
    const kinds = Array.from({ length: 30 }, (_, index) => `k${index}`)
    await arrive(...kinds)
    await world.wait(LIMITS.ALERT_GATHER_MS)
    const [first, summary] = world.messages()
    expect(summary?.headline).toMatch(/^29 more new issues in shop: /)
    const ids = kinds.map((_, index) => index + 1)
    await world.workflow.change({ ...world.actor(), ids, status: { kind: 'resolved' } })
    await world.run()
    await world.wait(LIMITS.ALERT_UNDO_MS)
    // Nothing of it is left: nobody waits for more.
    await world.wait(0)
    await world.wait(LIMITS.ALERT_GATHER_LONG_MS)
    expect(told().slice(2)).toEqual([
      ['over', first?.thread],
      ['over', summary?.thread],
    ])
    expect(world.messages()[2]?.headline).toMatch(/^Over after 1 min, resolved: \w+Error: .* \(shop\)$/)
    expect(world.messages()[3]?.headline).toMatch(/^All 29 are over in shop: \w+, \w+, \w+, …$/)
    expect(linked(3)).toEqual(ids.slice(1).map((id) => `/organizations/acme/issues/${id}`))
    expect(world.messages()[3]).toMatchObject({ kind: 'over', level: 'ok' })
  })

  it('A13: what of a summary is over is said with how much of it that is, and what is left of it', async () => {
    await world.add()
    await arrive('a', 'b', 'c', 'd')
    await world.wait(LIMITS.ALERT_GATHER_MS)
    await world.resolve(2)
    await world.resolve(3)
    await world.wait(LIMITS.ALERT_GATHER_MS)
    const answer = world.messages().at(-1)
    expect(answer?.headline).toMatch(/^2 of 3 are over in shop: \w+, \w+$/)
    const texts = (answer?.blocks ?? []).map((block) =>
      block.kind === 'list' ? block.items.map(({ text }) => text.split(' ')[0]) : 'text' in block ? block.text : '',
    )
    expect(texts).toEqual([['SHOP-2', 'SHOP-3'], 'What is left:', ['SHOP-4']])
    await world.resolve(4)
    await world.wait(0)
    expect(world.headlines().at(-1)).toMatch(/^All 3 are over in shop: \w+$/)
    // Only the last of them may take the place of the summary, which names what is left until then.
    expect(told().slice(2)).toEqual(['single', 'over'].map((stage) => [stage, told()[1]?.[1]]))
  })

  it('A10, A13: that it is not over after all is told past a mute as well, also to whoever read of it in a summary', async () => {
    const rule = await world.add()
    await arrive('a', 'b', 'c')
    await world.wait(LIMITS.ALERT_GATHER_MS)
    for (const id of [1, 2]) await world.resolve(id)
    await world.wait(LIMITS.ALERT_GATHER_MS)
    const before = world.messages().length
    await world.rules.mute(world.actor(), rule.id, world.clock.now() + HOUR_MS)
    await world.workflow.change({ ...world.actor(), ids: [1, 2], status: { kind: 'unresolved' } })
    await world.run()
    await world.wait(LIMITS.ALERT_GATHER_MS)
    const said = () => world.headlines().slice(before)
    const again = [/^Not over after all, opened again: /, /^1 of 2 is not over after all in shop: /]
    expect(said()).toEqual(again.map((headline) => expect.stringMatching(headline)))
    await world.wait(HOUR_MS)
    expect(said()).toHaveLength(2)
    await world.resolve(2)
    await world.wait(LIMITS.ALERT_GATHER_LONG_MS)
    expect(told().slice(before + 2)).toEqual([['single', told()[1]?.[1]]])
  })

  it('A13: what nobody watches any more is no part of what is over, and is not said to be back', async () => {
    const first = await world.add({ name: 'First', query: 'level:error' })
    await world.add({ name: 'Second', query: 'level:warning' })
    const release = 'web@2'
    await arrive('a')
    await world.arrive([{ seed: 'x', kind: 'x', release }])
    await world.arrive([
      { seed: 'b', kind: 'b', release },
      { seed: 'c', kind: 'c', level: 'warning', release },
    ])
    await world.wait(LIMITS.ALERT_GATHER_MS)
    const summary = world.messages().at(-1)
    expect(summary?.headline).toMatch(/^2 more new issues in shop since web@2: /)
    await world.rules.remove(world.actor(), first.id)
    await world.wait(0)
    const before = world.messages().length
    await world.resolve(4)
    // Nobody tells of the rest of it any more.
    await world.wait(0)
    expect(told().slice(before)).toEqual([['over', summary?.thread]])
    expect(world.headlines().at(-1)).toMatch(/^1 of 2 is over in shop: /)
    expect(JSON.stringify(world.messages().at(-1)?.blocks)).toMatch(/"text":"SHOP-3 [^"]* \(no longer watched\)"/)
  })

  it('A13: a list says what its head does not: kind and project of each where they differ, and messages of errors', async () => {
    await world.add({ trigger: { ...KINDS, kinds: [...KINDS.kinds] } })
    await world.arrive(['a', 'b', 'c'].map((kind) => ({ seed: kind, kind, release: 'shop@2026.11.3' })))
    await world.wait(LIMITS.ALERT_GATHER_MS)
    const texts = (at: number) =>
      (world.messages().at(at)?.blocks ?? []).flatMap((block) =>
        block.kind === 'list' ? block.items.map(({ text }) => text) : [],
      )
    expect(world.headlines().at(-1)).toMatch(/^2 more new issues in shop since shop@2026\.11\.3: /)
    expect(texts(-1)).toEqual(
      [2, 3].map((id) => expect.stringMatching(new RegExp(`^SHOP-${id} \\w+Error: .* in [^()]+$`))),
    )
    await world.resolve(2)
    await world.wait(HOUR_MS)
    await arrive('x')
    await world.arrive(['b', 'y'].map((kind) => ({ seed: `${kind} again`, kind })))
    await world.arrive([{ seed: 'z', kind: 'z' }], { projectId: 2 })
    await world.wait(LIMITS.ALERT_GATHER_MS)
    expect(world.headlines().at(-1)).toMatch(/^\d more alerts of “Test”: /)
    expect(texts(-1)).toEqual([
      expect.stringMatching(/^SHOP-2 .* \(came back, shop\)$/),
      expect.stringMatching(/^SHOP-5 .* \(new, shop\)$/),
      expect.stringMatching(/^\S+-1 .* \(new, \w+\)$/),
    ])
  })

  it('A13: a switched off rule says no more, but that it is over of which it spoke', async () => {
    const rule = await world.add()
    await arrive('a')
    await world.rules.enable(world.actor(), rule.id, false)
    await world.resolve(1)
    await arrive('b')
    expect(told()).toEqual([
      ['first', 'issue:1'],
      ['over', 'issue:1'],
    ])
  })

  it('A10: a mute reaches what waits to be told', async () => {
    const rule = await world.add()
    await arrive('a', 'b', 'c')
    await world.rules.mute(world.actor(), rule.id, Infinity)
    await world.wait(LIMITS.ALERT_GATHER_LONG_MS)
    expect(told()).toEqual([['first', 'issue:1']])
    // When somebody takes it back, what still goes on is told.
    await world.rules.mute(world.actor(), rule.id, null)
    await world.wait(LIMITS.ALERT_GATHER_MS)
    await world.wait(LIMITS.ALERT_GATHER_MS)
    expect(told()[1]).toEqual(['first', 'issue:2'])
    expect(world.headlines().at(-1)).toMatch(/^1 more new issue in shop: /)
  })

  it('A10: what waits of a rule that is switched off is not told', async () => {
    const rule = await world.add()
    await arrive('a', 'b', 'c')
    await world.rules.enable(world.actor(), rule.id, false)
    await world.wait(LIMITS.ALERT_GATHER_LONG_MS)
    expect(told()).toEqual([['first', 'issue:1']])
  })

  it('A14: a rule says so much in an hour, and no more by gathering', async () => {
    const rule = await world.add({ maxMessagesPerHour: 2 })
    for (let count = 0; count < 30; count += 1) {
      await arrive(`k${count}`)
      await world.wait(10_000)
    }
    await world.wait(HOUR_MS)
    const [first, summary, ...lines] = world.messages()
    expect([first?.stage, summary?.stage]).toEqual(['first', 'single'])
    expect(lines.every(({ headline }) => headline.startsWith('Held back'))).toBe(true)
    const listed = summary?.blocks.flatMap((block) => (block.kind === 'list' ? block.items : [])).length ?? 0
    const held = lines.map(({ headline }) => Number(/^Held back (\d+)/.exec(headline)?.[1]))
    expect(1 + listed + held.reduce((sum, one) => sum + one, 0)).toBe(30)
    expect(await decisions(rule.id)).toHaveLength(30)
  })

  it('A11: what a rule may not say, another one does that may', async () => {
    const full = await world.add({ name: 'Full', maxMessagesPerHour: 1 })
    await arrive('a')
    await world.wait(LIMITS.ALERT_GATHER_MS)
    const other = await world.add({ name: 'Other' })
    await arrive('b')
    expect(await decisions(full.id)).toEqual(['fired matched', 'held cap'])
    expect(await decisions(other.id)).toEqual(['fired matched'])
    expect(told()).toEqual([
      ['first', 'issue:1'],
      ['first', 'issue:2'],
    ])
  })

  it('A14: beyond its most an hour, a rule speaks of other projects, and once of what is worse than all', async () => {
    await world.add({ maxMessagesPerHour: 1 })
    await arrive('a', 'b')
    await world.arrive([{ seed: 'pay', kind: 'pay' }], { projectId: 2 })
    await world.arrive([{ seed: 'fatal', kind: 'fatal', level: 'fatal' }])
    await world.arrive([{ seed: 'fatal 2', kind: 'fatal 2', level: 'fatal' }])
    expect(told().map(([, thread]) => thread)).toEqual(['issue:1', 'issue:4'])
  })

  it('A12: what is of high priority does not wait for what is not, once', async () => {
    await world.add()
    await world.arrive([{ seed: 'low', kind: 'low', level: 'info' }])
    await arrive('a', 'b')
    expect(told()).toEqual([
      ['first', 'issue:1'],
      ['first', 'issue:2'],
    ])
    await world.wait(LIMITS.ALERT_GATHER_MS)
    expect(world.headlines().at(-1)).toMatch(/^1 more new issue in shop: /)
  })

  it('A11: the first thing that a person hears does not wait for what others heard', async () => {
    const [anna, bert] = [await world.join('anna'), await world.join('bert')]
    await world.add({ name: 'Anna', query: 'level:error', actions: [person(anna)] })
    await world.add({ name: 'Bert', query: 'level:fatal', actions: [person(bert)] })
    await world.add({ name: 'Owners', query: 'level:warning', actions: [{ kind: 'people', target: 'owners' }] })
    await arrive('a')
    await world.arrive([{ seed: 'f', kind: 'f', level: 'fatal' }])
    world.owners.set(3, [anna])
    world.owners.set(4, [bert])
    await world.arrive([{ seed: 'w', kind: 'w', level: 'warning' }])
    await world.arrive([{ seed: 'x', kind: 'x', level: 'warning' }])
    expect([...world.notices.values()].map(({ kind, userIds }) => [kind, userIds])).toEqual([
      ['alert', [anna]],
      ['alert', [bert]],
      ['owner', [anna]],
      ['owner', [bert]],
    ])
  })

  it('A12: rules that wait in one message go on when one of them is deleted', async () => {
    const first = await world.add({ name: 'First', query: 'level:error' })
    await world.add({ name: 'Second', query: 'level:warning' })
    const release = 'web@2'
    await world.arrive([{ seed: 'a', kind: 'a', release }])
    await world.arrive([
      { seed: 'b', kind: 'b', release },
      { seed: 'c', kind: 'c', level: 'warning', release },
    ])
    await world.rules.remove(world.actor(), first.id)
    await world.wait(LIMITS.ALERT_GATHER_MS)
    // Whoever heard of the first is told that this one is deleted.
    const [summary, over] = world.messages().slice(-2)
    expect(over?.headline).toMatch(/^No longer watched, as the alert was deleted\. /)
    expect(summary?.reason).toBe('The alert “Second” watches this.')
    expect(summary?.headline).toMatch(/^1 more new issue in shop since web@2: /)
  })

  it('A11: of two rules that wait with the same, the one speaks when the other is deleted, and of its end', async () => {
    const first = await world.add({ name: 'First' })
    await arrive('a')
    const second = await world.add({ name: 'Second' })
    await arrive('b', 'c')
    expect(await decisions(second.id)).toEqual(Array.from({ length: 2 }, () => 'held same_channel'))
    await world.rules.remove(world.actor(), first.id)
    await world.wait(LIMITS.ALERT_GATHER_MS)
    const summary = world.messages().find(({ thread }) => thread.startsWith('alert:together'))
    expect(summary?.headline).toMatch(/^2 more new issues in shop: /)
    expect(summary?.reason).toBe('The alert “Second” watches this.')
    await world.resolve(2)
    await world.wait(LIMITS.ALERT_GATHER_MS)
    expect(world.messages().at(-1)).toMatchObject({ kind: 'over', stage: 'single', thread: summary?.thread })
    expect(world.headlines().at(-1)).toMatch(/^1 of 2 is over in shop: /)
  })

  it('A11: two rules that wait with the same are one line, and its end is told once', async () => {
    await world.add({ name: 'First' })
    await arrive('a')
    await world.add({ name: 'Second' })
    await arrive('b')
    await world.wait(LIMITS.ALERT_GATHER_MS)
    const [, summary] = world.messages()
    expect(summary?.headline).toMatch(/^1 more new issue in shop: /)
    expect(summary?.reason).toBe('The alerts “First”, “Second” watch this.')
    await world.resolve(2)
    await world.wait(LIMITS.ALERT_GATHER_MS)
    expect(told().slice(2)).toEqual([['over', summary?.thread]])
    expect(world.headlines().at(-1)).toMatch(/^Over: SHOP-2 \w+Error: .*, resolved after 1 min$/)
  })

  it('A13: an issue that is back after somebody resolved it is told, however lately it was told before', async () => {
    await world.add({ trigger: { ...KINDS, kinds: [...KINDS.kinds] }, frequencyMinutes: 30 })
    await arrive('a')
    await world.wait(5 * MINUTE_MS)
    await world.resolve(1)
    await world.wait(5 * MINUTE_MS)
    await world.arrive([{ seed: 'again', kind: 'a' }])
    expect(told()).toEqual([
      ['first', 'issue:1'],
      ['over', 'issue:1'],
      ['first', 'issue:1'],
    ])
  })

  describe('an end that waits to be told together with others', () => {
    /** Five issues were told, four of them together; the ends of three of those wait. */
    const until = async (kinds: readonly ('issue_opened' | 'issue_regressed')[]) => {
      await world.add({ trigger: { ...KINDS, kinds: [...kinds] } })
      await arrive('a', 'b', 'c', 'd', 'e')
      await world.wait(LIMITS.ALERT_GATHER_MS)
      for (const id of [2, 3, 4]) await world.resolve(id)
      return world.headlines().length
    }
    const summary = () => world.messages()[1]?.thread
    const back = (kind: string): Promise<void> => world.arrive([{ seed: `${kind} again`, kind }])

    it('A13: is not told of what is back by then, and is told once when that is over', async () => {
      const before = await until(KINDS.kinds)
      await world.wait(MINUTE_MS / 2)
      await back('c')
      await world.wait(MINUTE_MS / 2)
      expect(world.headlines().slice(before)).toEqual([expect.stringMatching(/^2 of 4 are over in shop: /)])
      // What is left stands behind what is over, and of that what came back is said.
      expect(linked(-1)).toEqual([2, 4, 3, 5].map((id) => `/organizations/acme/issues/${id}`))
      expect(JSON.stringify(world.messages().at(-1)?.blocks)).toMatch(
        /"text":"SHOP-3 [^"]* \(back after it was over\)"/,
      )
      await world.wait(LIMITS.ALERT_GATHER_LONG_MS)
      expect(world.headlines().at(-1)).toMatch(/^1 more issue that came back in shop: /)
      const told = world.headlines().length
      await world.resolve(3)
      await world.wait(LIMITS.ALERT_GATHER_LONG_MS)
      const after = world.messages().slice(told)
      expect(after.map(({ kind, stage }) => [kind, stage])).toEqual([['over', 'single']])
      expect(after[0]?.thread).toBe(summary())
      expect(after[0]?.headline).toMatch(/^3 of 4 are over in shop: \w+$/)
    })

    it('A13: is not told of what came back muted, and whoever heard of its beginning hears the end of that', async () => {
      const before = await until(KINDS.kinds)
      const [rule] = await world.rules.list(1, world.clock.now())
      await world.rules.mute(world.actor(), rule?.id ?? 0, Infinity)
      await back('c')
      await back('d')
      await world.wait(LIMITS.ALERT_GATHER_LONG_MS)
      expect(world.headlines().slice(before)).toEqual([expect.stringMatching(/^1 of 4 is over in shop: /)])
      await world.resolve(3)
      await world.wait(LIMITS.ALERT_GATHER_LONG_MS)
      expect(told().slice(before)).toEqual([
        ['single', summary()],
        ['single', summary()],
      ])
      expect(world.headlines().at(-1)).toMatch(/^2 of 4 are over in shop: /)
    })

    it('A13: is told of an issue of which its alert told something else since, that is over at once', async () => {
      await world.add({ trigger: { ...KINDS, kinds: ['issue_opened', 'issue_assigned'] } })
      await arrive('a', 'b', 'c', 'd', 'e')
      await world.wait(LIMITS.ALERT_GATHER_MS)
      await world.wait(LIMITS.ALERT_GATHER_LONG_MS)
      for (const id of [2, 3, 4]) await world.resolve(id)
      const anna = await world.join('anna')
      const assignee = { type: 'user', id: anna, name: 'anna', email: 'anna@example.com' } as const
      await world.workflow.change({ ...world.actor(), ids: [3], assignee })
      await world.run()
      expect(told().at(-1)).toEqual(['single', 'issue:3'])
      await world.wait(LIMITS.ALERT_GATHER_MS)
      expect(world.headlines().at(-1)).toMatch(/^3 of 4 are over in shop: /)
      expect(linked(-1)).toEqual([2, 3, 4, 5].map((id) => `/organizations/acme/issues/${id}`))
    })

    it('A13: says that it is back of what its alert does not wait for', async () => {
      const before = await until(['issue_opened'])
      await back('c')
      await world.wait(LIMITS.ALERT_GATHER_MS)
      const [answer] = world.messages().slice(before)
      expect(answer?.level).not.toBe('ok')
      expect(answer?.thread).toBe(summary())
      expect(answer?.headline).toMatch(/^2 of 4 are over in shop: /)
      expect(JSON.stringify(answer?.blocks)).toMatch(/"text":"SHOP-3 [^"]* \(back after it was over\)"/)
    })
  })

  it('A12: what one message had no room for is named when all that it named is over by then', async () => {
    await world.add()
    await arrive('a', 'b', 'c', 'd', 'e', 'f')
    // As if there had been room for two.
    await world.ledger.db.deleteFrom('alert_gathered').where('incident_id', '>', 3).execute()
    await world.wait(MINUTE_MS / 2)
    const ids = [2, 3, 4]
    await world.workflow.change({ ...world.actor(), ids, status: { kind: 'resolved' } })
    await world.run()
    await world.wait(LIMITS.ALERT_UNDO_MS)
    await world.wait(LIMITS.ALERT_GATHER_MS / 2)
    expect(world.headlines().slice(1)).toEqual([expect.stringMatching(/^2 more alerts of “Test” in shop: /)])
    expect(linked(-1)).toEqual([5, 6].map((id) => `/organizations/acme/issues/${id}`))
    for (const id of [5, 6]) await world.resolve(id)
    await world.wait(0)
    expect(told().slice(2)).toEqual([['over', told()[1]?.[1]]])
    expect(world.headlines().at(-1)).toMatch(/^All 2 are over in shop: /)
  })

  it('A12: of what had no room nobody is told what is of others, nor what another alert told them', async () => {
    await world.add({ name: 'To one channel' })
    await world.add({ name: 'To another', actions: [{ kind: 'channel', channelId: '2' }] })
    const [anna, ben] = [await world.join('anna'), await world.join('ben')]
    await world.add({ name: 'To owners', actions: [{ kind: 'people', target: 'owners' }] })
    for (const [issueId, userId] of [1, 3, 4, 5].map((id) => [id, anna] as const)) world.owners.set(issueId, [userId])
    world.owners.set(2, [ben])
    const kinds = ['a', 'b', 'c', 'd', 'e']
    // All that comes with a release belongs together, whichever alert it is of.
    await world.arrive(kinds.map((kind) => ({ seed: kind, kind, release: 'shop@1.0.0' })))
    // As if there had been no room for the last one.
    const lastOnes = (await world.incidents()).filter(({ issue_id: id }) => id === 5).map(({ id }) => id)
    await world.ledger.db.deleteFrom('alert_gathered').where('incident_id', 'in', lastOnes).execute()
    await world.wait(MINUTE_MS / 2)
    await world.workflow.change({ ...world.actor(), ids: [2, 3, 4], status: { kind: 'resolved' } })
    await world.run()
    await world.wait(LIMITS.ALERT_UNDO_MS)
    await world.wait(LIMITS.ALERT_GATHER_MS / 2)
    const summaries = [...world.outbox.values()].flatMap(({ message: { blocks }, to }) =>
      blocks.flatMap((block) => (block.kind === 'list' ? [[to, block.items.map(({ path }) => path)]] : [])),
    )
    expect(summaries).toEqual([1, 2].map((channelId) => [{ channelId }, ['/organizations/acme/issues/5']]))
    const told = await world.ledger.db
      .selectFrom('alert_messages')
      .innerJoin('alert_incidents', 'alert_incidents.id', 'alert_messages.incident_id')
      .select(['receiver', 'issue_id'])
      .where('stage', '!=', 'over')
      .execute()
    expect(told.filter(({ receiver }) => receiver === `user:${anna}`)).toEqual([
      { receiver: `user:${anna}`, issue_id: 1 },
    ])
  })

  it('A12: a person of a team, and one who is named, are told what one message had no room for', async () => {
    const [anna, ben] = [await world.join('anna'), await world.join('ben')]
    const { db } = world.ledger
    const team = await db
      .insertInto('teams')
      .values({ organization_id: 1, slug: 'shop', name: 'Shop', created_at: world.clock.now() })
      .returning('id')
      .executeTakeFirstOrThrow()
    const member = await db.selectFrom('members').select('id').where('user_id', '=', ben).executeTakeFirstOrThrow()
    await db.insertInto('team_members').values({ team_id: team.id, member_id: member.id }).execute()
    await world.add({ actions: [person(anna), { kind: 'people', target: 'team', id: String(team.id) }] })
    await arrive('a', 'b', 'c')
    await db.deleteFrom('alert_gathered').where('incident_id', '=', 3).execute()
    await world.wait(MINUTE_MS / 2)
    await world.workflow.change({ ...world.actor(), ids: [2], status: { kind: 'resolved' } })
    await world.run()
    await world.wait(LIMITS.ALERT_UNDO_MS)
    await world.wait(LIMITS.ALERT_GATHER_MS / 2)
    const named = [...world.notices.values()].flatMap(({ many, userIds }) =>
      many === undefined ? [] : [[userIds, many.things.map(({ path }) => path)]],
    )
    expect(named).toEqual([anna, ben].map((id) => [[id], ['/organizations/acme/issues/3']]))
  })

  it('A12: how it went on, which one message had no room for, is told when all that it named is over by then', async () => {
    await world.add({ trigger: { source: 'happened', kinds: ['issue_opened', 'issue_priority_raised'] } })
    await world.arrive(['a', 'b', 'c'].map((kind) => ({ seed: kind, kind, level: 'warning' as const })))
    await world.wait(LIMITS.ALERT_GATHER_MS)
    await world.wait(HOUR_MS)
    for (const priority of ['high', 'low', 'high'] as const) {
      await world.workflow.change({ ...world.actor(), ids: [2, 3], priority })
      await world.run()
    }
    const lines = await world.ledger.db.selectFrom('alert_gathered').select(['incident_id']).execute()
    expect(lines.map(({ incident_id: id }) => id)).toContain(3)
    // As if there had been no room for the third.
    await world.ledger.db.deleteFrom('alert_gathered').where('incident_id', '=', 3).execute()
    const before = world.headlines().length
    await world.resolve(2)
    await world.wait(LIMITS.ALERT_GATHER_LONG_MS)
    await world.wait(LIMITS.ALERT_GATHER_LONG_MS)
    const after = world.messages().slice(before)
    expect(after.map(({ kind }) => kind)).toEqual(['over', 'other'])
    expect(JSON.stringify(after[1]?.blocks)).toMatch(/"text":"SHOP-3 [^"]* \(it goes on\)","path":"[^"]*\/3"/)
  })

  it('A10: what one message had no room for is told after a mute as well', async () => {
    const rule = await world.add()
    await arrive('a', 'b', 'c')
    await world.ledger.db.deleteFrom('alert_gathered').where('incident_id', '=', 3).execute()
    await world.rules.mute(world.actor(), rule.id, Infinity)
    await world.wait(LIMITS.ALERT_GATHER_MS)
    await world.wait(LIMITS.ALERT_GATHER_LONG_MS)
    expect(told()).toEqual([['first', 'issue:1']])
    await world.rules.mute(world.actor(), rule.id, null)
    await world.wait(0)
    await world.wait(LIMITS.ALERT_GATHER_MS)
    expect(told()[1]).toEqual(['first', 'issue:2'])
    expect(linked(-1)).toEqual(['/organizations/acme/issues/3'])
  })

  it('opens no incident for a rule that tells nobody', async () => {
    const rule = await world.add({ actions: [] })
    await arrive('a')
    expect(await decisions(rule.id)).toEqual(['fired matched'])
    expect(await world.incidents()).toEqual([])
  })
})
