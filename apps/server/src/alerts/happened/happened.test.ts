import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DAY_MS } from '../../lib/durations.ts'
import { LEDGER_ENGINES, type OpenedLedger } from '../../storage/conformance/engines.ts'
import { createAlertRetention } from '../expiry.ts'
import { LIMITS } from '../limits.ts'
import { createAlertWorld, MINUTE_MS, type AlertWorld } from '../test/alert-world.ts'

const HOUR_MS = 60 * MINUTE_MS

describe.each(LEDGER_ENGINES)('rules that something happened on $name', ({ open }) => {
  let opened: OpenedLedger
  let world: AlertWorld

  beforeEach(async () => {
    opened = await open()
    world = await createAlertWorld(opened)
  }, 240_000)
  afterEach(() => opened.close())

  const decisions = async (ruleId: number) =>
    (await world.evaluations())
      .filter(({ rule_id: id }) => id === ruleId)
      .map(({ decision, reason }) => [decision, reason])

  it('A1, A2: tell of a new issue once, and of nothing that they do not wait for', async () => {
    await world.add()
    await world.add({ name: 'Back', trigger: { source: 'happened', kinds: ['issue_regressed'] } })
    await world.arrive([{ seed: '1' }, { seed: '2' }])
    await world.arrive([{ seed: '3' }])
    expect(world.headlines()).toEqual([expect.stringMatching(/^New: \w+Error: .+ in /)])
    await world.resolve(1)
    await world.wait(MINUTE_MS)
    await world.arrive([{ seed: '4' }])
    expect(world.headlines().slice(1)).toEqual([
      expect.stringMatching(/^Over after \d+ min/),
      expect.stringMatching(/^Came back: /),
    ])
    expect(world.messages().map(({ thread, stage }) => [thread, stage])).toEqual([
      ['issue:1', 'first'],
      ['issue:1', 'over'],
      ['issue:1', 'first'],
    ])
  })

  it('A1: a new error is told with the first line of its message, so that many of one type are told apart', async () => {
    await world.add()
    await world.arrive([
      { seed: '1', kind: 'a', message: 'total is undefined\n  at cart' },
      { seed: '2', kind: 'b', message: 'x'.repeat(500) },
      { seed: '3', kind: 'c', message: ' ' },
    ])
    const incidents = await opened.ledger.db.selectFrom('alert_incidents').select('headline').orderBy('id').execute()
    expect(incidents.map(({ headline }) => headline)).toEqual([
      expect.stringMatching(/^New: \w+Error: total is undefined in \/\w+\/:id \(shop\)$/),
      expect.stringMatching(/^New: \w+Error: x{59}… in \/\w+\/:id \(shop\)$/),
      expect.stringMatching(/^New: \w+Error in \/\w+\/:id \(shop\)$/),
    ])
  })

  it('A2: tell of a priority that is raised, an assignment and the first event of a release, each by its own rule', async () => {
    const anna = await world.join('anna')
    await world.add({ name: 'Priority', trigger: { source: 'happened', kinds: ['issue_priority_raised'] } })
    await world.add({ name: 'Assigned', trigger: { source: 'happened', kinds: ['issue_assigned'] } })
    await world.add({ name: 'Release', trigger: { source: 'happened', kinds: ['release_first_seen'] } })
    await world.arrive([{ seed: '1', level: 'warning', release: 'web@1' }])
    await world.workflow.change({ ...world.actor(), ids: [1], priority: 'high' })
    const assignee = { type: 'user', id: anna, name: 'anna', email: 'anna@example.com' } as const
    await world.workflow.change({ ...world.actor(), ids: [1], assignee })
    await world.run()
    expect(world.headlines()).toEqual([
      'First event of web@1 in shop',
      expect.stringMatching(/^Priority raised: /),
      expect.stringMatching(/^Assigned: /),
    ])
  })

  it('A3: fire for what their search and environments list, and say of the others what was missing', async () => {
    const rule = await world.add({ query: 'level:fatal has:release', environments: ['production'] })
    await world.arrive([{ seed: '1', kind: 'a', level: 'fatal', release: '1' }])
    await world.arrive([{ seed: '2', kind: 'b', level: 'error', release: '1' }])
    await world.arrive([{ seed: '3', kind: 'c', level: 'fatal' }])
    await world.arrive([{ seed: '4', kind: 'd', level: 'fatal', release: '1', environment: 'staging' }])
    expect(world.headlines()).toHaveLength(1)
    const found = await world.evaluations()
    expect(found.map(({ decision, reason, sentence }) => [decision, reason, sentence])).toEqual([
      ['fired', 'matched', 'It matches, and it is new.'],
      ['quiet', 'query', 'Its search asks for “level:fatal”, which was not so.'],
      ['quiet', 'query', 'Its search asks for “has:release”, which was not so.'],
      ['quiet', 'environment', 'It watches the environment production; it came from staging.'],
    ])
    expect(found.every(({ rule_id: id }) => id === rule.id)).toBe(true)
  })

  it('A10: are silent outside of their hours, for young issues and while they are muted, and say so', async () => {
    // 1 November 2026 is a Sunday.
    const hours = { timezone: 'Europe/Berlin', days: [1, 2, 3, 4, 5], from: '09:00', to: '17:00' }
    await world.add({ name: 'Hours', conditions: { hours } })
    await world.add({ name: 'Age', conditions: { minimumAgeMinutes: 60 } })
    const muted = await world.add({ name: 'Muted' })
    await world.rules.mute(world.actor(), muted.id, world.clock.now() + HOUR_MS)
    const forEver = await world.add({ name: 'For ever' })
    await world.rules.mute(world.actor(), forEver.id, Infinity)
    await world.arrive([{ seed: '1' }])
    expect(world.headlines()).toEqual([])
    const sentences = (await world.evaluations()).map(({ reason, sentence }) => [reason, sentence])
    expect(sentences).toEqual([
      ['hours', 'It matches, and it is new. It speaks only within its hours (09:00 to 17:00, Europe/Berlin).'],
      ['age', 'It matches, and it is new. The issue was 0 minutes old, and has to be 60.'],
      ['muted', 'It matches, and it is new. The alert is muted until 2026-11-01 01:01 UTC.'],
      ['muted', 'It matches, and it is new. The alert is muted.'],
    ])
    // By then the issue is old enough, and the mute is over: what still goes on is told, by one of the two.
    await world.wait(HOUR_MS)
    expect(world.messages().map(({ thread }) => thread)).toEqual(['issue:1'])
    expect((await world.incidents()).map(({ state }) => state)).toEqual(['firing', 'firing', 'firing', 'firing'])
    await world.wait(LIMITS.ALERT_GATHER_MS)
    await world.arrive([{ seed: '2', kind: 'b' }])
    expect(world.messages().map(({ thread }) => thread)).toEqual(['issue:1', 'issue:2'])
  })

  describe('of an issue that is merged into another one', () => {
    const stages = () => world.messages().map(({ stage, thread }) => `${stage} ${thread}`)
    const open = async () =>
      (await world.incidents()).flatMap(({ ended_at: ended, issue_id: id, subject }) =>
        ended === null ? [[id, subject]] : [],
      )
    /** Issue 2 has more events than issue 1. */
    const two = async (query: string) => {
      await world.add({ query })
      await world.arrive([{ seed: '1', kind: 'a', level: 'fatal' }])
      await world.wait(10 * MINUTE_MS)
      await world.arrive([
        { seed: '2', kind: 'b' },
        { seed: '3', kind: 'b' },
      ])
    }
    const merge = async () => {
      await world.workflow.merge({ ...world.actor(), ids: [1, 2] })
      await world.run()
      await world.wait(LIMITS.ALERT_UNDO_MS)
    }

    it('end where the other one has an incident of its own, and whoever was told of it hears that', async () => {
      await two('')
      await merge()
      expect(stages()).toEqual(['first issue:1', 'first issue:2', 'over issue:1'])
      expect(world.messages().at(-1)?.blocks).toContainEqual({
        kind: 'text',
        text: 'The issue was merged into SHOP-2.',
      })
      expect((await world.evaluations()).at(-1)).toMatchObject({
        decision: 'over',
        sentence: 'The issue was merged into SHOP-2 after 10 min.',
      })
      await world.resolve(2)
      expect(stages().slice(3)).toEqual(['over issue:2'])
      expect(await open()).toEqual([])
    })

    it('go on with it otherwise, in the thread in which they were told, and come back when the two are taken apart', async () => {
      await two('level:fatal')
      expect(await open()).toEqual([[1, 'issue:1']])
      await merge()
      expect(stages()).toEqual(['first issue:1'])
      expect(await open()).toEqual([[2, 'issue:1']])
      const hashes = await world.ledger.db.selectFrom('issue_hashes').select('hash').orderBy('hash').execute()
      const own = await world.ledger.db
        .selectFrom('issue_activity')
        .select('data')
        .where('type', '=', 'merge')
        .execute()
      const brought = hashes.flatMap(({ hash }) => (own[0]?.data.includes(hash) === true ? [hash] : []))
      await world.workflow.unmerge({ ...world.actor(), issueId: 2, hashes: brought })
      await world.run()
      expect(await open()).toEqual([[1, 'issue:1']])
      await merge()
      await world.resolve(2)
      expect(stages().slice(1)).toEqual(['over issue:1'])
      expect(await open()).toEqual([])
    })

    it('take further news of it in the same thread', async () => {
      await two('level:fatal')
      await world.add({ trigger: { source: 'happened', kinds: ['issue_priority_raised'] } })
      await world.workflow.change({ ...world.actor(), ids: [1], priority: 'low' })
      await world.workflow.change({ ...world.actor(), ids: [1], priority: 'medium' })
      await world.run()
      await merge()
      await world.workflow.change({ ...world.actor(), ids: [2], priority: 'low' })
      await world.workflow.change({ ...world.actor(), ids: [2], priority: 'high' })
      await world.wait(10 * MINUTE_MS)
      await world.run()
      expect(new Set(world.messages().map(({ thread }) => thread))).toEqual(new Set(['issue:1']))
      expect((await open()).map(([id]) => id)).toEqual([2, 2])
    })

    it('end where the other one is closed', async () => {
      await two('level:fatal')
      await world.resolve(2)
      await merge()
      expect(stages()).toEqual(['first issue:1', 'over issue:1'])
      expect(await open()).toEqual([])
    })

    it('are told of the other one where they could not be told before', async () => {
      await world.add({ query: 'level:fatal', conditions: { minimumAgeMinutes: 60 } })
      await world.arrive([{ seed: '1', kind: 'a', level: 'fatal' }])
      await world.arrive([
        { seed: '2', kind: 'b' },
        { seed: '3', kind: 'b' },
      ])
      await merge()
      await world.wait(HOUR_MS)
      const [message] = world.messages()
      expect(world.outbox.size).toBe(1)
      expect(message?.actions[0]?.path).toBe('/organizations/acme/issues/2')
      expect(message?.about?.issue).toMatchObject({ id: 2, shortId: 'SHOP-2', count: 3 })
      await world.resolve(2)
      expect(stages()).toEqual(['first issue:1', 'over issue:1'])
    })

    it('end when it is deleted, also while they flap, and what waits to be told of it is told to nobody', async () => {
      await two('')
      await world.add({ name: 'Later', conditions: { minimumAgeMinutes: 60 } })
      await world.arrive([{ seed: '4', kind: 'c' }])
      await world.ledger.db
        .updateTable('alert_incidents')
        .set({ state: 'flapping' })
        .where('issue_id', '=', 2)
        .execute()
      await world.workflow.remove({ ...world.actor(), ids: [1, 2, 3], discard: false })
      await world.run()
      await world.wait(LIMITS.ALERT_UNDO_MS)
      const ends = stages().filter((stage) => stage.startsWith('over'))
      expect(ends).toEqual(['over issue:1', 'over issue:2'])
      expect(world.messages().at(-1)?.actions[0]?.path).toBe('/organizations/acme/issues')
      expect(await open()).toEqual([])
      const before = world.outbox.size
      await world.wait(2 * HOUR_MS)
      expect(world.outbox.size).toBe(before)
    })
  })

  it('A11: of two rules, one issue and one channel make one message', async () => {
    const first = await world.add({ name: 'First' })
    const second = await world.add({ name: 'Second', query: 'level:error' })
    await world.arrive([{ seed: '1' }])
    expect(world.outbox.size).toBe(1)
    expect(await decisions(first.id)).toEqual([['fired', 'matched']])
    expect(await decisions(second.id)).toEqual([['held', 'same_channel']])
    const [, held] = await world.evaluations()
    expect(held?.sentence).toBe('It matches, and it is new. The alert “First” said the same to the same receivers.')
  })

  it('A11: tell nobody twice of one thing, whichever rules they are told by', async () => {
    const anna = await world.join('anna')
    const people = [{ kind: 'people', target: 'member', id: String(anna) }] as const
    await world.add({ name: 'First', actions: [...people] })
    const second = await world.add({ name: 'Second', actions: [...people] })
    await world.arrive([{ seed: '1' }])
    expect([...world.notices.values()].map(({ userIds }) => userIds)).toEqual([[anna]])
    expect(await decisions(second.id)).toEqual([['held', 'same_channel']])
  })

  it('A12: tell of 300 new issues of one release in three messages at most, which list all', async () => {
    await world.add({ maxMessagesPerHour: 10 })
    await world.add({ name: 'Another', actions: [{ kind: 'channel', channelId: '1' }] })
    for (let part = 0; part < 10; part += 1) {
      const samples = Array.from({ length: 30 }, (_, index) => ({
        seed: `${part}-${index}`,
        kind: `k${part}-${index}`,
        release: 'web@2',
      }))
      await world.arrive(samples)
      await world.wait(6000)
    }
    for (let minutes = 0; minutes < 10; minutes += 1) await world.wait(MINUTE_MS)
    expect(world.outbox.size).toBeLessThanOrEqual(3)
    const listed = new Set(
      world
        .messages()
        .flatMap(({ actions, blocks, stage }) =>
          stage === 'first'
            ? [actions[0]?.path]
            : blocks.flatMap((block) => (block.kind === 'list' ? block.items.map(({ path }) => path) : [])),
        ),
    )
    expect(listed.size).toBe(300)
    expect(await decisions(1 + 1)).toHaveLength(300)
  }, 120_000)

  it('A1: tell of the next one at once when nothing came for a while', async () => {
    await world.add()
    await world.arrive([{ seed: '1', kind: 'a' }])
    await world.wait(LIMITS.ALERT_GATHER_MS)
    await world.arrive([{ seed: '2', kind: 'b' }])
    expect(world.messages().map(({ stage }) => stage)).toEqual(['first', 'first'])
  })

  it('A14: say so much in an hour, and then in one line how much more there was', async () => {
    const rule = await world.add({ maxMessagesPerHour: 3 })
    for (let count = 0; count < 12; count += 1) {
      await world.arrive([{ seed: `${count}`, kind: `k${count}` }])
      await world.wait(LIMITS.ALERT_GATHER_MS)
    }
    expect((await decisions(rule.id)).filter(([, reason]) => reason === 'cap')).toHaveLength(9)
    await world.wait(HOUR_MS)
    expect(world.messages().filter(({ stage }) => stage === 'first')).toHaveLength(3)
    // Soon after the first, and when the hour is over.
    expect(world.headlines().slice(3)).toEqual([
      expect.stringMatching(/^Held back 5 messages of “Test”, the worst: New: /),
      expect.stringMatching(/^Held back 4 messages of “Test” since, the worst: New: /),
    ])
    await world.arrive([{ seed: 'later', kind: 'later' }])
    expect(world.outbox.size).toBe(6)
  })

  it('A15: say once that an issue flaps, and then nothing until it was calm', async () => {
    await world.add({ trigger: { source: 'happened', kinds: ['issue_opened', 'issue_regressed'] } })
    for (let turn = 0; turn < 5; turn += 1) {
      await world.arrive([{ seed: `${turn}` }])
      await world.wait(MINUTE_MS)
      await world.resolve(1)
      await world.wait(MINUTE_MS)
    }
    const headlines = world.headlines()
    expect(headlines.filter((line) => line.startsWith('Flapping'))).toHaveLength(1)
    expect(headlines.at(-1)).toMatch(/^Flapping: Came back/)
    expect((await world.evaluations()).filter(({ reason }) => reason === 'flapping')).toHaveLength(2)
    await world.wait(LIMITS.ALERT_FLAPPING_WITHIN_MS)
    await world.arrive([{ seed: 'again' }])
    expect(world.headlines().at(-1)).toMatch(/^Came back/)
  })

  it('A13: tell the same issue again after their time, in its thread', async () => {
    const rule = await world.add({
      trigger: { source: 'happened', kinds: ['issue_opened', 'issue_priority_raised'] },
      frequencyMinutes: 30,
    })
    await world.arrive([{ seed: '1', level: 'info' }])
    await world.wait(2 * MINUTE_MS)
    await world.workflow.change({ ...world.actor(), ids: [1], priority: 'medium' })
    await world.run()
    await world.wait(30 * MINUTE_MS)
    await world.workflow.change({ ...world.actor(), ids: [1], priority: 'high' })
    await world.run()
    expect(await decisions(rule.id)).toEqual([
      ['fired', 'matched'],
      ['still', 'frequency'],
      ['worse', 'matched'],
    ])
    expect(world.messages().map(({ stage, thread }) => [stage, thread])).toEqual([
      ['first', 'issue:1'],
      ['update', 'issue:1'],
    ])
    expect(await world.incidents()).toHaveLength(1)
  })

  it('A17: keep their incidents when they are changed, and old evaluations keep their version', async () => {
    const rule = await world.add()
    await world.arrive([{ seed: '1' }])
    const change = { version: rule.version, imported: null }
    const changed = await world.rules.change(world.actor(), rule.id, { ...rule.draft, query: 'level:fatal' }, change)
    expect(changed).toMatchObject({ version: 2 })
    expect(await world.rules.change(world.actor(), rule.id, rule.draft, change)).toBe('other')
    await world.arrive([{ seed: '2', kind: 'b' }])
    const found = await world.evaluations()
    expect(found.map((one) => [one.rule_version, one.decision])).toEqual([
      [1, 'fired'],
      [2, 'quiet'],
    ])
    expect(await world.incidents()).toMatchObject([{ rule_id: rule.id, state: 'firing', ended_at: null }])
  })

  it('A18: close their incidents when they are deleted, say so once, and can be had back', async () => {
    const rule = await world.add()
    await world.arrive([{ seed: '1' }])
    expect(await world.rules.remove(world.actor(), rule.id)).toBe(true)
    await world.resolve(1)
    await world.arrive([{ seed: '2', kind: 'b' }])
    expect(world.messages().map(({ stage }) => stage)).toEqual(['first', 'over'])
    expect(await world.incidents()).toMatchObject([{ state: 'over' }])
    expect(await world.rules.restore(world.actor(), rule.id)).toMatchObject({ id: rule.id })
    await world.wait(LIMITS.ALERT_GATHER_MS)
    await world.arrive([{ seed: '3', kind: 'c' }])
    expect(world.outbox.size).toBe(3)
  })

  it('A19: are one in each new organisation, which tells the owners of high issues, else who was here last', async () => {
    await opened.ledger.db
      .insertInto('organizations')
      .values({ slug: 'other', name: 'Other', retention_days: 90, settings: '{}', created_at: world.clock.now() })
      .execute()
    const [rule, ...others] = await world.rules.list(2, world.clock.now())
    expect([rule?.isDefault, others]).toEqual([true, []])
    expect(await world.rules.list(2, world.clock.now())).toHaveLength(1)
    const anna = await world.join('anna', world.clock.now() - DAY_MS)
    await world.join('long-gone', world.clock.now() - 400 * DAY_MS)
    const bert = await world.join('bert')
    await world.add({ ...rule?.draft })
    world.owners.set(2, [bert])
    await world.arrive([{ seed: '1', kind: 'a' }])
    await world.wait(LIMITS.ALERT_GATHER_MS)
    await world.arrive([{ seed: '2', kind: 'b' }])
    await world.wait(LIMITS.ALERT_GATHER_MS)
    await world.arrive([{ seed: '3', kind: 'c', level: 'info' }])
    expect([...world.notices.values()].map(({ issueId, kind, userIds }) => [issueId, kind, userIds])).toEqual([
      [1, 'owner', [anna]],
      [2, 'owner', [bert]],
    ])
  })

  it('A28: neither say twice nor lose what came while the clock jumped', async () => {
    await world.add()
    await world.arrive([{ seed: '1', kind: 'a' }])
    await world.arrive([{ seed: '2', kind: 'b' }])
    world.clock.set(world.clock.now() - HOUR_MS)
    await world.arrive([{ seed: '3', kind: 'c' }])
    await world.wait(LIMITS.ALERT_GATHER_MS)
    world.clock.set(world.clock.now() + 3 * HOUR_MS)
    await world.arrive([{ seed: '4', kind: 'd' }])
    await world.wait(LIMITS.ALERT_GATHER_LONG_MS)
    const told = world
      .messages()
      .flatMap(({ actions, blocks, stage }) =>
        stage === 'single'
          ? blocks.flatMap((block) => (block.kind === 'list' ? block.items.map(({ path }) => path) : []))
          : [actions[0]?.path],
      )
    expect(new Set(told)).toEqual(new Set([1, 2, 3, 4].map((id) => `/organizations/acme/issues/${id}`)))
    expect(told).toHaveLength(4)
  })

  it('leave nothing of what they took when they are gone for good', async () => {
    const rule = await world.add()
    await world.rules.remove(world.actor(), rule.id)
    const cost = { organization_id: 1, rows: 1, milliseconds: 1, every_minutes: 5, slowed_at: null }
    await opened.ledger.db
      .insertInto('measured_costs')
      .values({ ...cost, rule_id: rule.id })
      .execute()
    await world.rules.purge(world.clock.now() + 400 * DAY_MS)
    expect(await opened.ledger.db.selectFrom('measured_costs').selectAll().execute()).toEqual([])
  })

  it('A14: keep so many evaluations of an hour; what comes beyond is counted', async () => {
    const rule = await world.add({ actions: [] })
    const some = 20
    for (let issue = 0; issue < LIMITS.ALERT_EVALUATIONS_AN_HOUR + some; issue += 100) {
      const count = Math.min(100, LIMITS.ALERT_EVALUATIONS_AN_HOUR + some - issue)
      await world.arrive(
        Array.from({ length: count }, (_, place) => ({ seed: `${issue + place}`, kind: `k${issue + place}` })),
      )
    }
    const kept = await opened.ledger.db
      .selectFrom('alert_evaluations')
      .select(({ fn }) => [fn.countAll().as('count'), fn.sum('repeated').as('repeated')])
      .where('rule_id', '=', rule.id)
      .executeTakeFirstOrThrow()
    expect([Number(kept.count), Number(kept.repeated)]).toEqual([LIMITS.ALERT_EVALUATIONS_AN_HOUR, some])
    world.clock.set(world.clock.now() + HOUR_MS)
    await world.arrive([{ seed: 'later', kind: 'later' }])
    expect(await decisions(rule.id)).toHaveLength(LIMITS.ALERT_EVALUATIONS_AN_HOUR + 1)
  })

  it('A35: forget evaluations that are old, and keep incidents', async () => {
    const rule = await world.add()
    await world.arrive([{ seed: '1' }])
    const { sweep } = createAlertRetention({ ledger: opened.ledger, purge: world.rules.purge })
    const signal = new AbortController().signal
    const days = LIMITS.ALERT_EVALUATION_DAYS * DAY_MS
    await sweep?.(world.clock.now() + days, signal)
    expect(await decisions(rule.id)).toHaveLength(1)
    await sweep?.(world.clock.now() + days + 1, signal)
    expect(await decisions(rule.id)).toEqual([])
    expect(await world.incidents()).toHaveLength(1)
  })
})
