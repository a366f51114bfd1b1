import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { answering } from '../lib/questions.ts'
import { LEDGER_ENGINES, type OpenedLedger } from '../storage/conformance/engines.ts'
import { LIMITS } from './limits.ts'
import { MAIL_WAS_TAKEN } from './mail-way.ts'
import { addMember, message, openOutbox, PUBLIC_URL, type OpenedOutbox } from './test/outbox.ts'
import { OK, startReceiver, withStatus, type Receiver } from './test/receiver.ts'
import { startMailbox, type Mailbox } from './test/mailbox.ts'
import { createTryChannel } from './try-channel.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

describe.each(LEDGER_ENGINES)('sending on $name', ({ open }) => {
  let opened: OpenedLedger
  let outbox: OpenedOutbox
  let receivers: Receiver[]
  let mailbox: Mailbox
  let asked: number[]

  beforeEach(async () => {
    opened = await open()
    opened.clock.set(Date.now())
    receivers = []
    mailbox = await startMailbox()
    asked = []
    const known = [
      answering(MAIL_WAS_TAKEN, (userId) => {
        asked.push(userId)
        return Promise.reject(new Error('the one who keeps it is away'))
      }),
    ]
    outbox = await openOutbox(opened, { mailer: mailbox.mailer, known })
  })
  afterEach(async () => {
    for (const receiver of receivers) await receiver.close()
    await mailbox.close()
    await opened.close()
  })

  const receive = async (answer = OK): Promise<Receiver> => {
    const receiver = await startReceiver()
    receiver.answer = answer
    receivers.push(receiver)
    return receiver
  }
  const addHook = ({ url }: Receiver, path = '/hook'): Promise<number> =>
    outbox.addChannel('webhook', { url: `${url}${path}` })

  it('A13: begins anew where somebody deleted the message that was to be changed', async () => {
    const discord = await receive(withStatus(200, {}, '{"id":"1"}'))
    const channelId = await outbox.addChannel('discord', { url: `${discord.url}/hook` })
    await outbox.put({ channelId }, message())
    await outbox.send()
    discord.answer = ({ method }, response) => {
      if (method === 'PATCH') response.writeHead(404).end('{"code":10008}')
      else response.writeHead(200).end('{"id":"2"}')
    }
    await outbox.put({ channelId }, message({ stage: 'update' }))
    for (let passed = 0; passed < 2; passed += 1) {
      outbox.pass(MINUTE_MS)
      await outbox.send()
    }
    await outbox.put({ channelId }, message({ stage: 'update' }))
    outbox.pass(MINUTE_MS)
    await outbox.send()
    expect(discord.calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /hook?wait=true',
      'PATCH /hook/messages/1',
      'POST /hook?wait=true',
      'PATCH /hook/messages/2',
    ])
  })

  it('takes turns: who has many receivers that do not answer keeps nobody else waiting', async () => {
    let others: () => void = () => {}
    const otherCame = new Promise<void>((came) => {
      others = came
    })
    const hanging = await Promise.all(Array.from({ length: 20 }, () => receive(() => {})))
    const other = await receive((call, response) => {
      others()
      OK(call, response)
    })
    await opened.ledger.db
      .insertInto('organizations')
      .values({ slug: 'zeta', name: 'Zeta', retention_days: 90, settings: '{}', created_at: 0 })
      .execute()
    for (const receiver of hanging) {
      await outbox.put({ channelId: await addHook(receiver) }, message({ thread: receiver.url }))
    }
    const channelId = await outbox.addChannel('webhook', { url: `${other.url}/hook` }, {}, 2)
    await outbox.put({ channelId }, message(), { organizationId: 2 })
    const sent = outbox.send()
    await otherCame
    const underWay = hanging.reduce((sum, { calls }) => sum + calls.length, 0)
    expect(underWay).toBeLessThanOrEqual(LIMITS.DELIVERIES_PER_ORGANIZATION_AT_ONCE)
    for (const receiver of hanging) {
      receiver.answer = OK
      await receiver.close()
    }
    await sent
  })

  it('goes on at a host where what came of messages could not be noted, and tries those again', async () => {
    const hook = await receive()
    const channelIds = await Promise.all(Array.from({ length: 4 }, (_, index) => addHook(hook, `/${index}`)))
    for (const channelId of channelIds) await outbox.put({ channelId }, message({ thread: `of:${channelId}` }))
    const { queue } = outbox
    let isBroken = true
    const sender = outbox.makeSender({
      ledgerQueue: {
        ...queue,
        finish: (...noted) => (isBroken ? Promise.reject(new Error('the disk is full')) : queue.finish(...noted)),
      },
    })
    await sender.run()
    isBroken = false
    outbox.pass(LIMITS.DELIVERY_LEASE_MS)
    await sender.run()
    expect((await outbox.rows()).map(({ state, attempts }) => [state, attempts])).toEqual(
      channelIds.map(() => ['sent', 2]),
    )
  })

  it('sends a mail once that the mail server took, whatever those do who are told of it', async () => {
    await outbox.put({ userId: 1, unsubscribe: 'alert' }, message())
    for (let passed = 0; passed < HOUR_MS; passed += 10 * MINUTE_MS) {
      await outbox.send()
      outbox.pass(10 * MINUTE_MS)
    }
    expect([mailbox.mails.length, asked]).toEqual([1, [1]])
    expect((await outbox.rows())[0]).toMatchObject({ state: 'sent', attempts: 1 })
  })

  it('ends with a channel whose secrets nobody can open', async () => {
    const channelId = await addHook(await receive())
    await opened.ledger.db.updateTable('channels').set({ sealed: 'v1.AAAA' }).where('id', '=', channelId).execute()
    await outbox.put({ channelId }, message())
    for (let passed = 0; passed < 3 * DAY_MS; passed += HOUR_MS) {
      await outbox.send()
      outbox.pass(HOUR_MS)
    }
    expect((await outbox.rows())[0]).toMatchObject({
      state: 'failed',
      attempts: LIMITS.DELIVERY_ATTEMPTS,
      error: expect.stringContaining('its log says which one'),
    })
  })

  it('ends with a message over which each server ended', async () => {
    await outbox.put({ channelId: await addHook(await receive()) }, message())
    const nobody = { ways: [], lanes: [], organizations: [] }
    for (let attempt = 1; attempt <= LIMITS.DELIVERY_ATTEMPTS; attempt += 1) {
      expect(await outbox.queue.take(opened.clock.now(), nobody)).toMatchObject({ attempt })
      outbox.pass(LIMITS.DELIVERY_LEASE_MS)
    }
    expect(await outbox.queue.take(opened.clock.now(), nobody)).toBeNull()
    expect((await outbox.rows())[0]).toMatchObject({ state: 'failed', due_at: null })
  })

  it('A49: switches off what nothing reaches, and not what is used once a week and did not answer twice', async () => {
    const chat = await receive(withStatus(400))
    const channelId = await outbox.addChannel('slack', { url: `${chat.url}/hook` })
    const isOn = async (): Promise<boolean | undefined> => (await outbox.channels.find(1, channelId))?.isOn
    await outbox.put({ channelId }, message({ thread: 'monday' }))
    await outbox.send()
    outbox.pass(5 * DAY_MS)
    chat.answer = withStatus(503)
    await outbox.put({ channelId }, message({ thread: 'saturday' }))
    await outbox.send()
    expect(await isOn()).toBe(true)
    for (let passed = 0; passed < 3 * DAY_MS; passed += HOUR_MS) {
      await outbox.send()
      outbox.pass(HOUR_MS)
    }
    expect(await isOn()).toBe(false)
    expect(mailbox.mails[0]?.raw).toContain('was switched off')
  })

  it('switches a channel off and tells of it at once, or does neither', async () => {
    const channelId = await addHook(await receive(withStatus(410)))
    const { schema } = opened.ledger.db
    await outbox.put({ channelId }, message())
    await schema.alterTable('members').renameTo('moved').execute()
    // Tests after this one may have the same database.
    try {
      await outbox.send()
    } finally {
      await schema.alterTable('moved').renameTo('members').execute()
    }
    expect(await outbox.channels.find(1, channelId)).toMatchObject({ isOn: true })
  })

  it('A51: goes on with mails to others where one after the other is refused by a full mailbox', async () => {
    for (let person = 0; person < LIMITS.DELIVERY_HOST_FAILURES; person += 1) {
      const email = `full${person}@acme.example`
      mailbox.full.add(email)
      const userId = await addMember(opened, { name: 'Full', email, role: 'member' })
      await outbox.put({ userId, unsubscribe: 'alert' }, message({ thread: email }))
    }
    await outbox.send()
    await outbox.put({ userId: 1, unsubscribe: 'alert' }, message())
    await outbox.send()
    expect(mailbox.mails.flatMap(({ to }) => to)).toEqual(['ann@acme.example'])
  })

  it('says of a mail what the mail server said, and for whom it does not take it', async () => {
    const addresses = ['ann@acme.example', 'bob@acme.example']
    const channelId = await outbox.addChannel('mail', {}, { addresses })
    await outbox.put({ channelId }, message())
    await outbox.send()
    const answered = () =>
      opened.ledger.db.selectFrom('outbox_attempts').select(['answer', 'error']).orderBy('outbox_id', 'desc')
    expect(await answered().executeTakeFirst()).toEqual({ answer: '250 queued as 4711', error: null })
    mailbox.unknown.add('bob@acme.example')
    await outbox.put({ channelId }, message({ thread: 'another' }))
    await outbox.send()
    expect(mailbox.mails.map(({ to }) => to)).toEqual([addresses, ['ann@acme.example']])
    const error = expect.stringContaining('bob@acme.example: 550 no such user') as string
    expect(await answered().executeTakeFirst()).toEqual({ answer: '250 queued as 4711', error })
    expect((await outbox.rows()).at(-1)).toMatchObject({ state: 'sent', error })
    // Most of it arrives: nobody switches it off.
    const channel = await outbox.channels.find(1, channelId)
    expect(channel).toMatchObject({ failingSince: null, lastError: error })
    if (channel === null) throw new Error('the channel is gone')
    const tryChannel = createTryChannel({
      ...outbox,
      mailer: mailbox.mailer,
      publicUrl: PUBLIC_URL,
      clock: opened.clock,
    })
    const tried = () => tryChannel(channel, { slug: 'acme', name: 'Acme' }, { name: 'Ann', email: 'ann@acme.example' })
    expect(await tried()).toMatchObject({ isSent: false, sentence: error, attempt: { answer: '250 queued as 4711' } })
    mailbox.unknown.clear()
    expect(await tried()).toMatchObject({ isSent: true, attempt: { answer: '250 queued as 4711', error: null } })
  })

  it('leaves messages where they are while their host has enough to do', async () => {
    const held: (() => void)[] = []
    const crowded = await receive((call, response) => {
      held.push(() => OK(call, response))
    })
    let putBack = 0
    const { queue } = outbox
    const sender = outbox.makeSender({
      ledgerQueue: {
        ...queue,
        putBack: (...given) => {
          putBack += 1
          return queue.putBack(...given)
        },
      },
    })
    for (let index = 0; index < 12; index += 1) {
      await outbox.put({ channelId: await addHook(crowded, `/${index}`) }, message({ thread: `of:${index}` }))
    }
    const sent = sender.run()
    while (crowded.calls.length < 12) {
      await new Promise((turn) => setImmediate(turn))
      for (const answer of held.splice(0)) answer()
    }
    await sent
    expect((await outbox.rows()).map(({ state }) => state)).toEqual(Array.from({ length: 12 }, () => 'sent'))
    // Each of them once, until it is known where it goes.
    expect(putBack).toBeLessThanOrEqual(12)
  })
})
