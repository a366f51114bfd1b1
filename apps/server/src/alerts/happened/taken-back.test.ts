import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DAY_MS } from '../../lib/durations.ts'
import { enqueueMessages } from '../../channels/index.ts'
import { notify } from '../../notices/index.ts'
import { LEDGER_ENGINES, type OpenedLedger } from '../../storage/conformance/engines.ts'
import { createAlertRetention } from '../expiry.ts'
import { claimEnds, dueEnds } from '../ledger/taken-back.ts'
import { LIMITS } from '../limits.ts'
import { createAlertWorld, MINUTE_MS, type AlertWorld } from '../test/alert-world.ts'

const SECOND_MS = 1000

describe.each(LEDGER_ENGINES)('what somebody did to an issue and takes back on $name', ({ open }) => {
  let opened: OpenedLedger
  let world: AlertWorld

  beforeEach(async () => {
    opened = await open()
    world = await createAlertWorld(opened)
  }, 240_000)
  afterEach(() => opened.close())

  const stages = () => world.messages().map(({ stage, thread }) => `${stage} ${thread}`)
  const states = async () => (await world.incidents()).map(({ issue_id: id, state }) => `${id} ${state}`)
  const change = (status: 'resolved' | 'unresolved' | 'archivedForever', ids: readonly number[] = [1]) =>
    world.workflow.change({ ...world.actor(), ids, status: { kind: status } })
  const unmerge = async (child: string) => {
    const rows = await world.ledger.db.selectFrom('issue_activity').select('data').where('type', '=', 'merge').execute()
    type Merged = { readonly issues: readonly { readonly shortId: string; readonly hashes: readonly string[] }[] }
    const merged = (JSON.parse(rows[0]?.data ?? '') as Merged).issues.find(({ shortId }) => shortId === child)
    await world.workflow.unmerge({ ...world.actor(), issueId: 2, hashes: merged?.hashes ?? [] })
  }
  /** Issue 2 has more events than issue 1, and each has an incident. */
  const two = async () => {
    await world.arrive([{ seed: '1', kind: 'a' }])
    await world.wait(LIMITS.ALERT_GATHER_MS)
    await world.arrive([
      { seed: '2', kind: 'b' },
      { seed: '3', kind: 'b' },
    ])
    await world.wait(LIMITS.ALERT_GATHER_MS)
  }

  const WAYS = [
    {
      what: 'resolved',
      how: 'opened again',
      does: () => change('resolved'),
      undoes: () => change('unresolved'),
    },
    {
      what: 'archived',
      how: 'opened again',
      does: () => change('archivedForever'),
      undoes: () => change('unresolved'),
    },
    {
      what: 'deleted',
      how: 'restored',
      does: () => world.workflow.remove({ ...world.actor(), ids: [1], discard: false }),
      undoes: () => world.workflow.restore({ ...world.actor(), ids: [1] }),
    },
    {
      what: 'merged',
      how: 'taken apart from the other one',
      does: () => world.workflow.merge({ ...world.actor(), ids: [1, 2] }),
      undoes: () => unmerge('SHOP-1'),
    },
  ]

  it.each(WAYS)('A18: that it was $what is told to nobody when it is taken back in time', async (way) => {
    await world.add()
    await two()
    await way.does()
    await world.run()
    expect(await states()).toEqual(['1 over', '2 firing'])
    await world.wait(LIMITS.ALERT_UNDO_MS - SECOND_MS)
    await way.undoes()
    await world.run()
    await world.wait(MINUTE_MS)
    expect(await states()).toEqual(['1 firing', '2 firing'])
    expect(stages()).toEqual(['first issue:1', 'first issue:2'])
    expect((await world.evaluations()).slice(-2)).toMatchObject([
      { decision: 'over' },
      {
        decision: 'still',
        sentence: `The issue was ${way.how}, and the incident goes on. That it was over had not been told yet.`,
      },
    ])
    await world.resolve(1)
    expect(stages().slice(2)).toEqual(['over issue:1'])
  })

  it.each(WAYS)('A18: that it was $what and taken back later is told to whoever was told so', async (way) => {
    await world.add()
    await two()
    for (const turn of [1, 2]) {
      await way.does()
      await world.run()
      await world.wait(LIMITS.ALERT_UNDO_MS)
      expect(stages().at(-1)).toBe('over issue:1')
      await world.wait(5 * MINUTE_MS)
      await way.undoes()
      await world.run()
      expect(world.messages().at(-1)).toMatchObject({ stage: 'first', thread: 'issue:1', level: 'error' })
      expect(world.headlines().at(-1)).toMatch(/^Not over after all, (opened again|restored|taken apart): /)
      expect(stages()).toHaveLength(2 + 2 * turn)
      expect(await states()).toEqual(['1 firing', '2 firing'])
    }
    await world.resolve(1)
    expect(stages().slice(-1)).toEqual(['over issue:1'])
    await world.wait(60 * MINUTE_MS)
    expect(stages()).toHaveLength(7)
  })

  it('A18: whoever opens it again after long decides anew, and nothing goes on', async () => {
    await world.add()
    await world.arrive([{ seed: '1' }])
    await world.resolve(1)
    await world.wait(LIMITS.ALERT_TAKEN_BACK_MS)
    await change('unresolved')
    await world.run()
    expect(await states()).toEqual(['1 over'])
    expect(stages()).toEqual(['first issue:1', 'over issue:1'])
    const { sweep } = createAlertRetention({ ledger: opened.ledger, purge: world.rules.purge })
    await sweep?.(world.clock.now(), new AbortController().signal)
    expect((await world.incidents()).map(({ over_by: by }) => by)).toEqual([null])
  })

  it('A2, A18: when it comes back by itself at once, its end is told before that, and cannot be taken back', async () => {
    await world.add({ trigger: { source: 'happened', kinds: ['issue_opened', 'issue_regressed'] } })
    await world.add({ name: 'New', actions: [{ kind: 'channel', channelId: '2' }] })
    await world.arrive([{ seed: '1' }])
    await world.wait(LIMITS.ALERT_GATHER_MS)
    await change('resolved')
    await world.run()
    world.clock.set(world.clock.now() + SECOND_MS)
    await world.arrive([{ seed: '2' }])
    expect([...world.outbox.values()].map(({ message, to }) => [message.stage, to])).toEqual([
      ['first', { channelId: 1 }],
      ['first', { channelId: 2 }],
      ['over', { channelId: 1 }],
      ['over', { channelId: 2 }],
      ['first', { channelId: 1 }],
    ])
    // A second end takes nothing of the first back with it.
    await change('resolved')
    await world.run()
    await change('unresolved')
    await world.run()
    await world.wait(MINUTE_MS)
    expect(await states()).toEqual(['1 over', '1 over', '1 firing'])
    expect(stages()).toHaveLength(5)
  })

  it('A18: what was closed before it was deleted is closed again, and its incident stays over', async () => {
    await world.add()
    await world.arrive([{ seed: '1' }])
    await world.resolve(1)
    await world.workflow.remove({ ...world.actor(), ids: [1], discard: false })
    await world.run()
    await world.workflow.restore({ ...world.actor(), ids: [1] })
    await world.run()
    await world.wait(MINUTE_MS)
    expect(await states()).toEqual(['1 over'])
    expect(stages()).toEqual(['first issue:1', 'over issue:1'])
  })

  it('A18: of an alert that was switched off meanwhile nothing goes on', async () => {
    const rule = await world.add()
    await world.arrive([{ seed: '1' }])
    await change('resolved')
    await world.run()
    await world.rules.change(
      world.actor(),
      rule.id,
      { ...rule.draft, isEnabled: false },
      { version: null, imported: null },
    )
    await change('unresolved')
    await world.run()
    await world.wait(MINUTE_MS)
    expect(await states()).toEqual(['1 over'])
    expect(stages()).toEqual(['first issue:1', 'over issue:1'])
  })

  it('A15: one that flapped flaps again', async () => {
    await world.add()
    await world.arrive([{ seed: '1' }])
    await world.ledger.db.updateTable('alert_incidents').set({ state: 'flapping' }).execute()
    await world.workflow.remove({ ...world.actor(), ids: [1], discard: false })
    await world.run()
    expect(await states()).toEqual(['1 over'])
    await world.workflow.restore({ ...world.actor(), ids: [1] })
    await world.run()
    expect(await states()).toEqual(['1 flapping'])
  })

  it('A12: what waited to be told together when it was closed is told when that is taken back, and else to nobody', async () => {
    await world.add()
    await world.arrive([{ seed: '1', kind: 'a' }])
    await world.arrive([
      { seed: '2', kind: 'b' },
      { seed: '3', kind: 'c' },
    ])
    await change('resolved', [2, 3])
    await world.run()
    await change('unresolved', [3])
    await world.run()
    await world.wait(LIMITS.ALERT_GATHER_MS)
    await world.wait(LIMITS.ALERT_GATHER_LONG_MS)
    const paths = world
      .messages()
      .flatMap(({ actions, blocks, stage }) => [
        ...(stage === 'first' ? [actions[0]?.path] : []),
        ...blocks.flatMap((block) => (block.kind === 'list' ? block.items.map(({ path }) => path) : [])),
      ])
    expect(paths).toEqual(['/organizations/acme/issues/1', '/organizations/acme/issues/3'])
    expect(stages().filter((stage) => stage.startsWith('over'))).toEqual([])
  })

  it('A12: what went on with one that was told, and waited when it was closed, is told when that is taken back', async () => {
    const kinds = ['issue_opened', 'issue_priority_raised'] as const
    await world.add({ trigger: { source: 'happened', kinds: [...kinds] } })
    const closed = async (undone: boolean) => {
      await world.arrive([{ seed: `${undone}`, kind: `${undone}`, level: 'warning' }])
      const ids = [(await world.incidents()).at(-1)?.issue_id ?? 0]
      for (const priority of ['high', 'low', 'high'] as const) {
        await world.workflow.change({ ...world.actor(), ids, priority })
        await world.run()
      }
      // The second time is no worse than the first, and waits. It is due before nobody can take it back any more.
      await world.wait(LIMITS.ALERT_GATHER_MS - SECOND_MS)
      const before = world.headlines()
      await change('resolved', ids)
      await world.run()
      await world.wait(2 * SECOND_MS)
      expect(world.headlines()).toEqual(before)
      if (undone) await change('unresolved', ids)
      await world.run()
      await world.wait(LIMITS.ALERT_UNDO_MS)
      await world.wait(LIMITS.ALERT_GATHER_LONG_MS)
      await world.wait(LIMITS.ALERT_GATHER_LONG_MS)
      return world.headlines().slice(before.length)
    }
    expect(await closed(true)).toEqual([expect.stringMatching(/^1 more issue that got worse in shop: /)])
    expect(await closed(false)).toEqual([expect.stringMatching(/^Over after /)])
    expect(await world.ledger.db.selectFrom('alert_gathered').select('id').execute()).toEqual([])
  })

  it('A12: many that were told of together, deleted and restored later are told of together again', async () => {
    await world.add()
    await world.arrive([{ seed: 'first', kind: 'first' }])
    const many = Array.from({ length: 20 }, (_, index) => ({ seed: `${index}`, kind: `k${index}` }))
    await world.arrive(many)
    await world.wait(LIMITS.ALERT_GATHER_MS)
    const ids = many.map((_, index) => index + 2)
    await world.workflow.remove({ ...world.actor(), ids, discard: false })
    await world.run()
    await world.wait(LIMITS.ALERT_UNDO_MS)
    await world.wait(LIMITS.ALERT_GATHER_MS)
    expect(world.headlines().slice(2)).toEqual([expect.stringMatching(/^All 20 are over in shop: /)])
    await world.workflow.restore({ ...world.actor(), ids })
    await world.run()
    await world.wait(LIMITS.ALERT_GATHER_MS)
    expect(world.headlines().slice(3)).toEqual([expect.stringMatching(/^20 are not over after all in shop: /)])
    await change('resolved', ids)
    await world.run()
    await world.wait(LIMITS.ALERT_UNDO_MS)
    for (let minutes = 0; minutes < 6; minutes += 1) await world.wait(MINUTE_MS)
    expect(world.headlines().slice(4)).toEqual([expect.stringMatching(/^All 20 are over in shop: /)])
    // All of it is one conversation.
    expect(
      new Set(
        world
          .messages()
          .slice(1)
          .map(({ thread }) => thread),
      ).size,
    ).toBe(1)
  })

  it('A18: ends that waited to be told together are told to nobody when they are taken back by then', async () => {
    await world.add()
    await world.arrive([{ seed: 'first', kind: 'first' }])
    await world.arrive([
      { seed: '2', kind: 'b' },
      { seed: '3', kind: 'c' },
      { seed: '4', kind: 'd' },
    ])
    await world.wait(LIMITS.ALERT_GATHER_MS)
    await change('resolved', [2, 3])
    await world.run()
    await world.wait(LIMITS.ALERT_UNDO_MS)
    const before = world.headlines()
    expect(before).toHaveLength(2)
    // Both are lines that wait.
    await change('unresolved', [2, 3])
    await world.run()
    for (let minutes = 0; minutes < 6; minutes += 1) await world.wait(MINUTE_MS)
    expect(world.headlines()).toEqual(before)
    expect(await states()).toEqual(['1 firing', '2 firing', '3 firing', '4 firing'])
  })

  it('A18: a server that was away until nobody knows what was done says that it is over', async () => {
    await world.add()
    await world.arrive([{ seed: '1' }])
    await change('resolved')
    await world.run()
    await world.ledger.db.deleteFrom('facts').execute()
    await world.wait(20 * DAY_MS)
    expect(world.headlines().at(-1)).toMatch(/^Over after .*, as its issue was closed\. /)
    await world.wait(DAY_MS)
    expect(world.headlines()).toHaveLength(2)
  })

  it('A18: an end that was taken back and came again is not told for the one before', async () => {
    await world.add()
    await world.arrive([{ seed: '1' }])
    await change('resolved')
    await world.run()
    const stale = await dueEnds(opened.ledger.db, world.clock.now() + LIMITS.ALERT_UNDO_MS, 10)
    expect(stale).toHaveLength(1)
    await change('unresolved')
    await world.run()
    await change('archivedForever')
    await world.run()
    // As one who looked before all that, and tells after it.
    const claimed = await opened.ledger.transaction((transaction) => claimEnds(transaction, stale))
    expect(claimed).toEqual([])
    await world.wait(LIMITS.ALERT_UNDO_MS)
    expect(world.headlines()).toEqual([
      expect.stringMatching(/^New: /),
      expect.stringMatching(/^Over after .*, archived: /),
    ])
  })

  it('A28: a clock that is set back leaves no end untold', async () => {
    await world.add()
    await world.arrive([{ seed: '1' }])
    await change('resolved')
    await world.run()
    await world.wait(-DAY_MS)
    expect(stages()).toEqual(['first issue:1', 'over issue:1'])
  })
})

describe.each(LEDGER_ENGINES)('what people have of what was taken back on $name', ({ open }) => {
  let opened: OpenedLedger
  let world: AlertWorld

  beforeEach(async () => {
    opened = await open()
    world = await createAlertWorld(opened, { ways: { enqueue: enqueueMessages, notify } })
  }, 240_000)
  afterEach(() => opened.close())

  it('A18: whoever was mailed that it is over is mailed that it is not', async () => {
    const anna = await world.join('anna')
    await world.add({ actions: [{ kind: 'people', target: 'member', id: String(anna) }] })
    await world.arrive([{ seed: '1' }])
    await world.resolve(1)
    await world.workflow.change({ ...world.actor(), ids: [1], status: { kind: 'unresolved' } })
    await world.run()
    const mails = await opened.ledger.db.selectFrom('outbox').select(['user_id', 'message']).orderBy('id').execute()
    const headlines = mails.map(({ message }) => (JSON.parse(message) as { readonly headline: string }).headline)
    expect(headlines).toEqual([
      expect.stringMatching(/^New: /),
      expect.stringMatching(/^Over after /),
      expect.stringMatching(/^Not over after all, /),
    ])
    const lines = await opened.ledger.db.selectFrom('notice_entries').select(['waits', 'told']).execute()
    expect(lines).toEqual([{ waits: 1, told: 3 }])
  })
})
