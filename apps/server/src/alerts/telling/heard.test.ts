import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enqueueMessages, type Message } from '../../channels/index.ts'
import { sentryCall } from '../../channels/kinds/webhook-as-sentry.ts'
import { notify } from '../../notices/index.ts'
import { LEDGER_ENGINES, type OpenedLedger } from '../../storage/conformance/engines.ts'
import { DEFAULT_RULE } from '../default-rule.ts'
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

  it('A1: whom a rule names by name hears of a new issue', async () => {
    const anna = await world.join('anna')
    await world.add({ actions: [{ kind: 'people', target: 'member', id: String(anna) }] })
    await world.arrive([{ seed: '1' }])
    expect(await lines()).toEqual([{ user_id: anna, kind: 'alert', waits: 1, told: 1 }])
    expect(await mails()).toEqual([[anna, 'alert']])
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
    const hooks = world
      .messages()
      .filter(({ stage }) => stage === 'over')
      .map((message) => hookOf(message))
    expect(hooks).toEqual([
      { resource: 'issue', action: 'resolved', issue: '1' },
      { resource: 'issue', action: 'archived', issue: '2' },
    ])
  })
})
