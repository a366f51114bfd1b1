import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enqueueMessages, type Message } from '../../channels/index.ts'
import { sentryCall } from '../../channels/kinds/webhook-as-sentry.ts'
import { factsOfIssue } from '../../facts/index.ts'
import { notify } from '../../notices/index.ts'
import { createInbox } from '../../notices/ledger/inbox.ts'
import { createNoticeSettings } from '../../notices/ledger/settings.ts'
import { noticeOf } from '../../notices/people.fixture.ts'
import { UNCHANGED } from '../../notices/settings.ts'
import { tellOfFacts } from '../../notices/told/notices-of-facts.ts'
import { createOwnershipStore } from '../../ownership/ledger/ownership-store.ts'
import { LEDGER_ENGINES, type OpenedLedger } from '../../storage/conformance/engines.ts'
import { DEFAULT_RULE } from '../default-rule.ts'
import { LIMITS } from '../limits.ts'
import { createAlertWorld, MINUTE_MS, type AlertWorld } from '../test/alert-world.ts'

const hookOf = (message: Message) => {
  const { body, headers } = sentryCall('https://hooks.example/', ['secret'], {
    message,
    id: 'msg_1',
    thread: 'thread',
    organization: { slug: 'acme', name: 'Acme' },
    publicUrl: 'https://firsthand.acme.example',
    now: 0,
    createdAt: 0,
    remote: null,
    isRepeated: false,
  })
  const { action, data } = JSON.parse(body) as { action: string; data: { issue?: { id: string } } }
  return { resource: headers['sentry-hook-resource'], action, issue: data.issue?.id }
}

/** From a rule to what people have of it: their inbox and their mail, by the settings with which everybody begins. */

describe.each(LEDGER_ENGINES)('what people get of rules on $name', ({ open }) => {
  let opened: OpenedLedger
  let world: AlertWorld

  beforeEach(async () => {
    opened = await open()
    world = await createAlertWorld(opened, { ways: { enqueue: enqueueMessages, notify } })
  }, 240_000)
  afterEach(() => opened.close())

  const lines = () =>
    opened.ledger.db.selectFrom('notice_entries').select(['user_id', 'kind', 'waits', 'told']).orderBy('id').execute()
  const mails = async () => {
    const rows = await opened.ledger.db.selectFrom('outbox').select(['user_id', 'unsubscribe']).orderBy('id').execute()
    return rows.map(({ user_id: userId, unsubscribe }) => [userId, unsubscribe])
  }

  it('A19: the rule with which every organisation begins puts a new issue into the inbox of its owners, and into a mail', async () => {
    const anna = await world.join('anna', world.clock.now())
    await world.add({ ...DEFAULT_RULE })
    await world.arrive([{ seed: '1', level: 'error' }])
    expect(await lines()).toEqual([{ user_id: anna, kind: 'owner', waits: 1, told: 1 }])
    expect(await mails()).toEqual([[anna, 'owner']])
  })

  it('A19: nobody hears of what nobody owns where its project says so, whatever the rule does', async () => {
    await world.join('anna', world.clock.now())
    await world.add({ ...DEFAULT_RULE })
    const store = createOwnershipStore(opened)
    await store.save(1, { ...(await store.load(1)), fallthrough: false }, world.clock.now())
    await world.arrive([{ seed: '1', level: 'error' }])
    expect(await lines()).toEqual([])
    const [evaluation] = await world.evaluations()
    expect([evaluation?.decision, evaluation?.reason]).toEqual(['held', 'no_receiver'])
  })

  it('A1: whom a rule names by name hears of a new issue', async () => {
    const anna = await world.join('anna')
    await world.add({ actions: [{ kind: 'people', target: 'member', id: String(anna) }] })
    await world.arrive([{ seed: '1' }])
    expect(await lines()).toEqual([{ user_id: anna, kind: 'alert', waits: 1, told: 1 }])
    expect(await mails()).toEqual([[anna, 'alert']])
  })

  it('A1: whom a rule names by name is mailed each time at once, unless they want it otherwise', async () => {
    const [anna, ben] = [await world.join('anna'), await world.join('ben')]
    await createNoticeSettings(opened).save(
      ben,
      { ...UNCHANGED, kinds: { alert: { mail: 'never' } } },
      world.clock.now(),
    )
    const actions = [anna, ben].map((id) => ({ kind: 'people', target: 'member', id: String(id) }) as const)
    await world.add({ actions })
    for (const kind of ['a', 'b']) {
      await world.arrive([{ seed: kind, kind }])
      await world.wait(MINUTE_MS)
    }
    expect(await mails()).toEqual([
      [anna, 'alert'],
      [anna, 'alert'],
    ])
    expect((await opened.ledger.db.selectFrom('notice_mails').selectAll().execute()).length).toBe(0)
  })

  it('A104: an alert about an issue of high priority passes quiet hours for whom it may, also together with others', async () => {
    const [anna, ben] = [await world.join('anna'), await world.join('ben')]
    // It is shortly after midnight.
    const quiet = { from: 0, to: 7 * 60, weekends: false }
    const settings = createNoticeSettings(opened)
    await settings.save(anna, { ...UNCHANGED, quiet: { ...quiet, highMayPass: true } }, world.clock.now())
    await settings.save(ben, { ...UNCHANGED, quiet: { ...quiet, highMayPass: false } }, world.clock.now())
    const actions = [anna, ben].map((id) => ({ kind: 'people', target: 'member', id: String(id) }) as const)
    await world.add({ actions })
    const waiting = async () =>
      (await opened.ledger.db.selectFrom('notice_mails').select('user_id').orderBy('id').execute()).map(
        ({ user_id: id }) => id,
      )
    await world.arrive([{ seed: 'a', kind: 'a', level: 'error' }])
    expect([await mails(), await waiting()]).toEqual([[[anna, 'alert']], [ben]])
    await world.arrive([{ seed: 'b', kind: 'b', level: 'error' }])
    await world.arrive([{ seed: 'c', kind: 'c', level: 'warning' }])
    await world.wait(LIMITS.ALERT_GATHER_MS)
    expect(await mails()).toHaveLength(2)
    expect(await waiting()).toEqual([ben, ben])
    // Of what is not high alone nothing passes.
    await world.wait(10 * MINUTE_MS)
    await world.arrive([{ seed: 'd', kind: 'd', level: 'warning' }])
    expect(await mails()).toHaveLength(2)
    expect(await waiting()).toEqual([ben, ben, anna, ben])
  })

  it('A104: whoever has mails gathered gets errors together, and at once what is fatal', async () => {
    const anna = await world.join('anna')
    const settings = { ...UNCHANGED, kinds: { alert: { mail: 'digest' } } } as const
    await createNoticeSettings(opened).save(anna, settings, world.clock.now())
    await world.add({ actions: [{ kind: 'people', target: 'member', id: String(anna) }] })
    const waiting = async () => (await opened.ledger.db.selectFrom('notice_mails').select('id').execute()).length
    for (const kind of ['a', 'b', 'c', 'd', 'e']) {
      await world.arrive([{ seed: kind, kind, level: 'error' }])
      await world.wait(LIMITS.ALERT_GATHER_MS)
    }
    expect([await mails(), await waiting()]).toEqual([[[anna, 'alert']], 4])
    await world.arrive([{ seed: 'f', kind: 'f', level: 'fatal' }])
    expect([(await mails()).length, await waiting()]).toEqual([2, 4])
  })

  it('A104: an all-clear that waits stays when a colleague mentions its reader, and goes when the issue is back', async () => {
    const anna = await world.join('anna')
    const kinds = ['issue_opened', 'issue_regressed'] as const
    const actions = [{ kind: 'people', target: 'member', id: String(anna) }] as const
    await world.add({ trigger: { source: 'happened', kinds: [...kinds] }, actions: [...actions] })
    await world.arrive([{ seed: '1' }])
    // It is shortly after midnight.
    const quiet = { from: 0, to: 7 * 60, weekends: false, highMayPass: false }
    await createNoticeSettings(opened).save(anna, { ...UNCHANGED, quiet }, world.clock.now())
    await world.resolve(1)
    const waiting = async () => {
      const rows = await opened.ledger.db.selectFrom('notice_mails').select('message').orderBy('id').execute()
      return rows.map(({ message }) => (JSON.parse(message) as Message).kind)
    }
    expect(await waiting()).toEqual(['over'])
    const mentions = { userIds: [anna], teamIds: [] }
    await world.workflow.addNote({ ...world.actor(), issueId: 1, text: 'See @anna', mentions })
    const noted = (await factsOfIssue(opened.ledger.db, 1, 1, 10)).filter(({ kind }) => kind === 'issue_noted')
    await opened.ledger.transaction((transaction) => tellOfFacts(transaction, noted, world.clock.now()))
    expect(await waiting()).toEqual(['over', 'mention'])
    await world.wait(LIMITS.ALERT_GATHER_MS)
    await world.arrive([{ seed: '2' }])
    expect(await waiting()).toEqual(['mention', 'regression'])
  })

  it('A104: an all-clear that waits goes when it is told together with others that the issue is back', async () => {
    const anna = await world.join('anna')
    const kinds = ['issue_opened', 'issue_regressed'] as const
    const actions = [{ kind: 'people', target: 'member', id: String(anna) }] as const
    await world.add({ trigger: { source: 'happened', kinds: [...kinds] }, actions: [...actions] })
    for (const kind of ['a', 'b', 'c']) {
      await world.arrive([{ seed: kind, kind }])
      await world.wait(LIMITS.ALERT_GATHER_MS)
    }
    // It is shortly after midnight.
    const quiet = { from: 0, to: 7 * 60, weekends: false, highMayPass: false }
    await createNoticeSettings(opened).save(anna, { ...UNCHANGED, quiet }, world.clock.now())
    for (const id of [1, 2, 3]) await world.resolve(id)
    const waiting = async () => {
      const rows = await opened.ledger.db.selectFrom('notice_mails').select('message').orderBy('id').execute()
      return rows.map(({ message }) => {
        const { stage, thread } = JSON.parse(message) as Message
        return thread.startsWith('issue:') ? `${stage} ${thread}` : stage
      })
    }
    expect(await waiting()).toEqual(['over issue:1', 'over issue:2', 'over issue:3'])
    await world.arrive([{ seed: 'd', kind: 'd' }])
    await world.arrive([
      { seed: 'a again', kind: 'a' },
      { seed: 'b again', kind: 'b' },
    ])
    expect((await waiting()).slice(0, 3)).toEqual(['over issue:1', 'over issue:2', 'over issue:3'])
    await world.wait(LIMITS.ALERT_GATHER_MS)
    expect(await waiting()).toEqual(['over issue:3', 'first issue:4', 'single'])
  })

  it('A12: a burst is one line of an inbox, which names some, leads to each, and is unread again when more come', async () => {
    const anna = await world.join('anna')
    const owner = { organizationId: 1, userId: anna }
    const inbox = createInbox(opened)
    await world.add({ actions: [{ kind: 'people', target: 'member', id: String(anna) }] })
    const arrive = (...kinds: string[]) => world.arrive(kinds.map((kind) => ({ seed: kind, kind })))
    const line = async () => {
      const [found] = await inbox.list(owner, { view: 'unread', query: 'and', page: { behind: null, limit: 10 } })
      if (found === undefined) return null
      const items = (await inbox.items([found], 100)).get(found.id) ?? []
      return { ...found, paths: items.map(({ path }) => path).toReversed() }
    }
    await arrive('a', 'b', 'c', 'd', 'e')
    await world.wait(LIMITS.ALERT_GATHER_MS)
    const first = await line()
    expect(first?.title).toMatch(/^4 new issues in shop: \w+Error.*, \w+Error.* and 2 more$/)
    expect([first?.told, first?.waits]).toEqual([4, true])
    expect(first?.paths).toEqual([2, 3, 4, 5].map((id) => `/organizations/acme/issues/${id}`))
    await inbox.change(owner, { ids: [first?.id ?? 0] }, { isRead: true }, world.clock.now())
    await arrive('f', 'g')
    await world.wait(LIMITS.ALERT_GATHER_LONG_MS)
    const second = await line()
    expect([second?.id, second?.told]).toEqual([first?.id, 6])
    expect(second?.title).toMatch(/^6 new issues in shop: .* and 4 more$/)
    expect(second?.paths).toEqual([2, 3, 4, 5, 6, 7].map((id) => `/organizations/acme/issues/${id}`))
    // What is over is a line of its own, and waits for nobody.
    for (const id of [2, 3, 4]) await world.resolve(id)
    await world.wait(LIMITS.ALERT_GATHER_MS)
    expect(await line()).toEqual(second)
    const ends = await inbox.list(owner, { view: 'unread', query: 'are over', page: { behind: null, limit: 10 } })
    expect(ends.map(({ title, told, waits }) => [title.split(':')[0], told, waits])).toEqual([
      ['3 are over in shop', 3, false],
    ])
  })

  it('A13: receivers that know Sentry’s format are told that the issue was resolved, or archived', async () => {
    await world.add()
    for (const kind of ['a', 'b']) {
      await world.arrive([{ seed: kind, kind }])
      await world.wait(MINUTE_MS)
    }
    await world.resolve(1)
    await world.workflow.change({ ...world.actor(), ids: [2], status: { kind: 'archivedForever' } })
    await world.run()
    await world.wait(LIMITS.ALERT_UNDO_MS)
    const hooks = world
      .messages()
      .filter(({ stage }) => stage === 'over')
      .map((message) => hookOf(message))
    expect(hooks).toEqual([
      { resource: 'issue', action: 'resolved', issue: '1' },
      { resource: 'issue', action: 'archived', issue: '2' },
    ])
  })

  it('A11: of one fact a person hears once, whether a rule or a subscription tells them first', async () => {
    const anna = await world.join('anna')
    const kinds = ['issue_opened', 'issue_regressed'] as const
    await world.add({ ...DEFAULT_RULE, trigger: { source: 'happened', kinds: [...kinds] }, frequencyMinutes: 0 })
    world.owners.set(1, [anna])
    await world.arrive([{ seed: '1' }])
    const assignee = { type: 'user', id: anna, name: 'anna', email: 'anna@example.com' } as const
    await world.workflow.change({ ...world.actor(), ids: [1], assignee })
    await world.resolve(1)
    await world.wait(MINUTE_MS)
    await world.arrive([{ seed: '2' }])
    const facts = await factsOfIssue(opened.ledger.db, 1, 1, 10)
    await opened.ledger.transaction((transaction) => tellOfFacts(transaction, facts, world.clock.now()))
    const regressed = facts.find(({ kind }) => kind === 'issue_regressed')
    const items = await opened.ledger.db.selectFrom('notice_items').select(['kind', 'key']).execute()
    expect(items.filter(({ key }) => key === `fact:${regressed?.id}`)).toEqual([
      { kind: 'owner', key: `fact:${regressed?.id}` },
    ])
    expect(new Set(items.map(({ key }) => key)).size).toBe(items.length)
  })

  it('A11: whom an alert mailed is mailed that it is over, and not after all, where their subscription says so in the inbox alone', async () => {
    const anna = await world.join('anna')
    const { db } = opened.ledger
    const settings = { ...UNCHANGED, kinds: { subscribed: { mail: 'never' } } } as const
    await createNoticeSettings(opened).save(anna, settings, world.clock.now())
    await world.add({ actions: [{ kind: 'people', target: 'member', id: String(anna) }] })
    await world.arrive([{ seed: '1' }])
    const assignee = { type: 'user', id: anna, name: 'anna', email: 'anna@example.com' } as const
    await world.workflow.change({ ...world.actor(), ids: [1], assignee })
    const does = async (status: 'resolved' | 'unresolved') => {
      await world.workflow.change({ ...world.actor(), ids: [1], status: { kind: status } })
      const wanted = status === 'resolved' ? 'issue_resolved' : 'issue_reopened'
      const facts = (await factsOfIssue(db, 1, 1, 10)).filter(({ kind }) => kind === wanted)
      await opened.ledger.transaction((transaction) => tellOfFacts(transaction, facts, world.clock.now()))
      await world.run()
      await world.wait(LIMITS.ALERT_UNDO_MS)
    }
    const headlines = async () => {
      const rows = await db.selectFrom('outbox').select('message').orderBy('id').execute()
      return rows.map(({ message }) => (JSON.parse(message) as Message).headline.split(/[:.]| after /)[0])
    }
    await does('resolved')
    expect(await headlines()).toEqual(['New', 'Over'])
    expect((await lines()).map(({ told }) => told)).toEqual([2])
    await does('unresolved')
    expect(await headlines()).toEqual(['New', 'Over', 'Not over'])
    expect((await lines()).map(({ told }) => told)).toEqual([3])
  })

  it('A11: a kind of which somebody wants to hear nothing keeps no other one from telling the same', async () => {
    const anna = await world.join('anna')
    await createNoticeSettings(opened).save(
      anna,
      { ...UNCHANGED, kinds: { regression: { inbox: 'never', mail: 'never' } } },
      world.clock.now(),
    )
    const say = (kind: 'regression' | 'alert') =>
      opened.ledger.transaction((transaction) =>
        notify(
          transaction,
          [{ ...noticeOf({ kind, key: 'fact:1', cause: 'issue:1' }), organizationId: 1, userIds: [anna] }],
          world.clock.now(),
        ),
      )
    await say('regression')
    await say('alert')
    expect((await lines()).map(({ kind }) => kind)).toEqual(['alert'])
  })

  it('A19: where nobody owns an issue, "all" are the people of its project, and not of the organisation', async () => {
    const anna = await world.join('anna')
    await world.join('bert')
    const { db } = opened.ledger
    const times = { organization_id: 1, created_at: world.clock.now() }
    const { id: team } = await db
      .insertInto('teams')
      .values({ ...times, slug: 'shop', name: 'Shop' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const { id: member } = await db
      .selectFrom('members')
      .select('id')
      .where('user_id', '=', anna)
      .executeTakeFirstOrThrow()
    await db.insertInto('team_members').values({ team_id: team, member_id: member }).execute()
    await db.insertInto('team_projects').values({ team_id: team, project_id: 1 }).execute()
    await world.add({ actions: [{ kind: 'people', target: 'owners', fallthrough: 'all' }] })
    await world.arrive([{ seed: '1' }])
    expect((await lines()).map(({ user_id: userId }) => userId)).toEqual([anna])
  })
})
