import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DAY_MS } from '../../lib/durations.ts'
import { LEDGER_ENGINES, type OpenedLedger } from '../../storage/conformance/engines.ts'
import { createAlertRetention } from '../expiry.ts'
import { LIMITS } from '../limits.ts'
import { createAlertWorld, MINUTE_MS, type AlertWorld } from '../test/alert-world.ts'

/** Incidents that end for another reason than what they are about. */

describe.each(LEDGER_ENGINES)('ends for another reason, on $name', ({ open }) => {
  let opened: OpenedLedger
  let world: AlertWorld
  let pager: number
  let chat: number

  beforeEach(async () => {
    opened = await open()
    world = await createAlertWorld(opened)
    pager = await addChannel('pagerduty')
    chat = await addChannel('slack')
  }, 240_000)
  afterEach(() => opened.close())

  const addChannel = async (kind: 'pagerduty' | 'slack'): Promise<number> => {
    const { id } = await opened.ledger.db
      .insertInto('channels')
      .values({
        organization_id: 1,
        kind,
        name: kind,
        settings: '{}',
        sealed: '',
        version: 1,
        is_on: 1,
        off_reason: '',
        failing_since: null,
        last_sent_at: null,
        last_error: null,
        created_by: null,
        created_at: world.clock.now(),
        deleted_at: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  }

  const actionOf = (channelId: number) => ({ kind: 'channel', channelId: String(channelId) }) as const
  const both = () => ({ actions: [actionOf(pager), actionOf(chat)] })
  const arrive = (...kinds: string[]) => world.arrive(kinds.map((kind) => ({ seed: kind, kind })))
  /** What a channel was told at the end. */
  const ends = (channelId: number): [string, string][] =>
    [...world.outbox.values()]
      .filter(({ message, to }) => message.kind === 'over' && 'channelId' in to && to.channelId === channelId)
      .map(({ message }) => [message.thread, message.headline])

  it('A18: what pages is closed thread by thread when its rule is deleted, and a chat is told once', async () => {
    const rule = await world.add(both())
    await arrive('a', 'b', 'c', 'd')
    await world.wait(LIMITS.ALERT_GATHER_MS)
    await world.rules.remove(world.actor(), rule.id)
    await world.wait(0)
    const told = ends(pager)
    expect(told.map(([thread]) => thread)).toEqual(['issue:1', 'issue:2', 'issue:3', 'issue:4'])
    expect(told[0]?.[1]).toMatch(/^No longer watched, as the alert was deleted\. New: /)
    expect(ends(chat)).toEqual([
      [expect.stringMatching(/^ends:/), '4 are no longer watched, as the alert was deleted: Test'],
    ])
    await world.wait(MINUTE_MS)
    expect(ends(pager)).toHaveLength(4)
  })

  it('A18: a snooze while others wait to be told leaves what was told as it is, and its end is told', async () => {
    const rule = await world.add(both())
    await arrive('a')
    await world.wait(10_000)
    await arrive('b')
    await world.rules.mute(world.actor(), rule.id, world.clock.now() + 60 * MINUTE_MS)
    await world.wait(LIMITS.ALERT_GATHER_MS)
    expect((await world.incidents()).map(({ told_at: at }) => at !== null)).toEqual([true, true])
    await world.rules.remove(world.actor(), rule.id)
    await world.wait(0)
    expect(ends(pager).map(([thread]) => thread)).toEqual(['issue:1', 'issue:2'])
    expect(ends(chat).map(([thread]) => thread)).toEqual(['issue:1'])
  })

  it('after a snooze those are told who do not know yet, and nobody twice', async () => {
    const rule = await world.add(both())
    await arrive('a')
    await world.wait(10_000)
    await arrive('b')
    await world.rules.mute(world.actor(), rule.id, world.clock.now() + 60 * MINUTE_MS)
    await world.wait(LIMITS.ALERT_GATHER_MS)
    await world.wait(60 * MINUTE_MS)
    const threads = (channelId: number) =>
      [...world.outbox.values()].flatMap(({ message, to }) =>
        'channelId' in to && to.channelId === channelId ? [message.thread] : [],
      )
    expect([threads(pager), threads(chat)]).toEqual([
      ['issue:1', 'issue:2'],
      ['issue:1', 'issue:2'],
    ])
  })

  describe('how it went on with what was told, which waits while somebody snoozes the alert', () => {
    const snoozed = async () => {
      const kinds = ['issue_opened', 'issue_priority_raised'] as const
      const rule = await world.add({ actions: [actionOf(chat)], trigger: { source: 'happened', kinds: [...kinds] } })
      await world.arrive([{ seed: 'a', kind: 'a', level: 'warning' }])
      for (const priority of ['high', 'low', 'high'] as const) {
        await world.workflow.change({ ...world.actor(), ids: [1], priority })
        await world.run()
      }
      // The second time is no worse than the first, and waits.
      expect(world.headlines()).toHaveLength(2)
      await world.rules.mute(world.actor(), rule.id, world.clock.now() + 60 * MINUTE_MS)
      await world.wait(LIMITS.ALERT_GATHER_MS)
      await world.wait(30 * MINUTE_MS)
      expect(world.headlines()).toHaveLength(2)
      return rule
    }
    const later = () => world.headlines().slice(2)

    it('A10: is told once after the snooze to those who were told that it began', async () => {
      await snoozed()
      await world.wait(29 * MINUTE_MS)
      expect(later()).toEqual([expect.stringMatching(/^1 more issue that got worse in shop: /)])
      await world.wait(30 * MINUTE_MS)
      expect(later()).toHaveLength(1)
      await world.resolve(1)
      expect(ends(chat).map(([thread]) => thread)).toEqual(['issue:1'])
    })

    it('A10: is told soon after somebody ends the snooze', async () => {
      const rule = await snoozed()
      await world.rules.mute(world.actor(), rule.id, null)
      await world.wait(LIMITS.ALERT_GATHER_LONG_MS)
      expect(later()).toHaveLength(1)
    })

    it('A10: is not told of what is over by then, nor of a rule that is gone', async () => {
      const rule = await snoozed()
      await world.resolve(1)
      await world.wait(60 * MINUTE_MS)
      expect(later()).toEqual([expect.stringMatching(/^Over/)])
      await world.rules.remove(world.actor(), rule.id)
      await world.wait(60 * MINUTE_MS)
      expect(later()).toHaveLength(1)
    })
  })

  it('A18: ends that wait to be told together are told past a snooze, and when the alert is gone', async () => {
    for (const silence of ['mute', 'remove'] as const) {
      const rule = await world.add({ actions: [actionOf(chat)], name: silence })
      const kinds = ['a', 'b', 'c', 'd'].map((kind) => `${silence} ${kind}`)
      for (const kind of kinds) await arrive(kind)
      await world.wait(LIMITS.ALERT_GATHER_MS)
      await world.wait(6 * MINUTE_MS)
      const issues = (await world.incidents()).flatMap(({ ended_at: at, issue_id: id }) =>
        at === null && id !== null ? [id] : [],
      )
      expect(issues).toHaveLength(4)
      for (const id of issues.slice(1)) await world.resolve(id)
      if (silence === 'mute') await world.rules.mute(world.actor(), rule.id, world.clock.now() + 60 * MINUTE_MS)
      else await world.rules.remove(world.actor(), rule.id)
      await world.wait(LIMITS.ALERT_GATHER_MS + 1000)
      const said = world.headlines().filter((headline) => /are over/.test(headline))
      expect(said, silence).toHaveLength(silence === 'mute' ? 1 : 2)
      await world.rules.remove(world.actor(), rule.id)
      await world.wait(10 * MINUTE_MS)
    }
  })

  it('A11: what another alert told the same receiver meanwhile is told again to nobody, and that is said', async () => {
    const later = await world.add({ actions: [actionOf(chat)], name: 'Later' })
    await world.rules.mute(world.actor(), later.id, world.clock.now() + 60 * MINUTE_MS)
    await world.add({ actions: [actionOf(chat)], name: 'At once' })
    await arrive('a')
    await world.wait(60 * MINUTE_MS)
    expect(world.headlines()).toHaveLength(1)
    const last = (await world.evaluations()).findLast(({ rule_id: id }) => id === later.id)
    expect(last).toMatchObject({ decision: 'held', reason: 'same_channel' })
    expect(last?.sentence).toContain('The alert “At once” said the same')
    await world.resolve(1)
    expect(ends(chat).map(([thread]) => thread)).toEqual(['issue:1'])
  })

  it('A18: of few each is told in the thread in which it began, and of what nobody heard there is nothing to tell', async () => {
    const rule = await world.add(both())
    const muted = await world.add({ ...both(), name: 'Muted' })
    await world.rules.mute(world.actor(), muted.id, Infinity)
    await arrive('a')
    await world.rules.remove(world.actor(), muted.id)
    await world.wait(0)
    expect(ends(chat)).toEqual([])
    await world.rules.remove(world.actor(), rule.id)
    await world.wait(0)
    expect(ends(chat).map(([thread]) => thread)).toEqual(['issue:1'])
  })

  it('A18: what another rule told the same receivers, and goes on, is not over', async () => {
    const rule = await world.add(both())
    await arrive('a')
    const other = await world.add({ ...both(), trigger: { source: 'happened', kinds: ['issue_assigned'] } })
    const user = await world.join('anna')
    const assignee = { type: 'user', id: user, name: 'anna', email: 'anna@example.com' } as const
    await world.workflow.change({ ...world.actor(), ids: [1], assignee })
    await world.run()
    await opened.ledger.db
      .updateTable('alert_incidents')
      .set({ state: 'firing', ended_at: null })
      .where('rule_id', '=', other.id)
      .execute()
    await world.rules.remove(world.actor(), rule.id)
    await world.wait(0)
    expect(ends(pager)).toEqual([])
    await world.resolve(1)
    expect(ends(pager).map(([thread]) => thread)).toEqual(['issue:1'])
  })

  it('A11, A18: what two alerts had to say and one said is over when it is over for both', async () => {
    const first = await world.add({ ...both(), name: 'First' })
    await world.add({ ...both(), name: 'Second' })
    await arrive('a')
    await world.rules.remove(world.actor(), first.id)
    await world.wait(0)
    expect([...ends(pager), ...ends(chat)]).toEqual([])
    await world.resolve(1)
    expect(ends(pager).map(([thread]) => thread)).toEqual(['issue:1'])
    expect(ends(chat).map(([thread]) => thread)).toEqual(['issue:1'])
  })

  it('whoever heard of an issue of a project is told that this was deleted', async () => {
    await world.add(both())
    await arrive('a')
    await opened.ledger.db.updateTable('projects').set({ deleted_at: world.clock.now() }).where('id', '=', 1).execute()
    await world.wait(MINUTE_MS)
    expect(await world.incidents()).toMatchObject([{ state: 'over', untold_end: null }])
    expect(ends(pager)).toEqual([
      ['issue:1', expect.stringMatching(/^No longer watched, as its project was deleted\. New: /)],
    ])
  })

  it('a pager hears of the end of what was silent for long, with what was noted of it by then; a chat does not', async () => {
    await world.add(both())
    await arrive('a')
    const { sweep } = createAlertRetention({ ledger: opened.ledger, purge: world.rules.purge })
    const days = Math.max(LIMITS.ALERT_INCIDENT_DAYS, LIMITS.ALERT_EVALUATION_DAYS) * DAY_MS
    await sweep?.(world.clock.now() + days + 1, new AbortController().signal)
    await world.wait(days)
    expect(ends(pager)).toEqual([
      ['issue:1', expect.stringMatching(/^Over after 14 days, as nothing happened for long\. New: /)],
    ])
    expect(ends(chat)).toEqual([])
  })
})
