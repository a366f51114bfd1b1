import { simpleParser } from 'mailparser'
import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { LEDGER_ENGINES, type OpenedLedger } from '../storage/conformance/engines.ts'
import { LIMITS } from './limits.ts'
import { channelsThatPage, enqueueMessages, withdrawMessages } from './index.ts'
import { message, openOutbox, SIGNING_SECRET, type OpenedOutbox } from './test/outbox.ts'
import { startReceiver, withStatus, type Receiver } from './test/receiver.ts'
import { startMailbox, type Mailbox } from './test/mailbox.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

const verify = ({ body, headers }: Receiver['calls'][number], secret = SIGNING_SECRET): unknown =>
  new Webhook(secret).verify(body, headers as Record<string, string>)

describe.each(LEDGER_ENGINES)('messages on $name', ({ open }) => {
  let opened: OpenedLedger
  let outbox: OpenedOutbox
  let receiver: Receiver
  let mailbox: Mailbox

  beforeEach(async () => {
    opened = await open()
    // Signatures have the time of their try, and who checks them has the right one.
    opened.clock.set(Date.now())
    receiver = await startReceiver()
    mailbox = await startMailbox()
    outbox = await openOutbox(opened, { mailer: mailbox.mailer })
  })
  afterEach(async () => {
    await receiver.close()
    await mailbox.close()
    await opened.close()
  })

  const addWebhook = (path = '/hook'): Promise<number> =>
    outbox.addChannel('webhook', { url: `${receiver.url}${path}` })
  const enqueue = (key: string, channelId: number): Promise<void> =>
    opened.ledger.transaction((transaction) =>
      enqueueMessages(
        transaction,
        [{ organizationId: 1, to: { channelId }, key, message: message() }],
        opened.clock.now(),
      ),
    )

  it('go out once, whatever is put there under the same key', async () => {
    const channelId = await addWebhook()
    await enqueue('one', channelId)
    await enqueue('one', channelId)
    await outbox.send()
    await enqueue('one', channelId)
    await outbox.send()
    expect(receiver.calls).toHaveLength(1)
    expect(JSON.parse(receiver.calls[0]?.body ?? '')).toMatchObject({
      type: 'message.first',
      data: {
        headline: 'New: TypeError in checkout',
        links: [{ label: 'Open', url: 'https://firsthand.acme.example/organizations/acme/issues/1/' }],
      },
    })
  })

  it('may be for channels that page, and alerts can ask which', async () => {
    const webhook = await addWebhook()
    const pagers = [
      await outbox.addChannel('pagerduty', { routingKey: 'k'.repeat(32) }, { region: 'us' }),
      await outbox.addChannel('opsgenie', { apiKey: 'key' }, { region: 'eu' }),
    ]
    pagers.push(await outbox.addChannel('webhook', { url: receiver.url }, { format: 'sentry' }))
    const of = (organizationId: number) =>
      opened.ledger.transaction((transaction) => channelsThatPage(transaction, organizationId, [webhook, ...pagers]))
    expect(await of(1)).toEqual(new Set(pagers))
    expect(await of(2)).toEqual(new Set())
  })

  it('are not sent when their transaction is not committed, nor to a channel of somebody else', async () => {
    const channelId = await addWebhook()
    const failing = opened.ledger.transaction(async (transaction) => {
      const [to, now] = [{ channelId }, opened.clock.now()]
      await enqueueMessages(transaction, [{ organizationId: 1, to, key: 'one', message: message() }], now)
      await enqueueMessages(transaction, [{ organizationId: 2, to, key: 'two', message: message() }], now)
      throw new Error('undone')
    })
    await expect(failing).rejects.toThrow('undone')
    await outbox.put({ channelId }, message(), { organizationId: 2 })
    await outbox.send()
    expect(receiver.calls).toEqual([])
  })

  it('can be taken back until they are on their way', async () => {
    const channelId = await addWebhook()
    await outbox.put({ channelId }, message(), { key: 'undone', notBefore: opened.clock.now() + MINUTE_MS })
    await outbox.put({ channelId }, message({ thread: 'issue:2' }), { key: 'sent' })
    await outbox.send()
    const withdraw = (): Promise<number> =>
      opened.ledger.transaction((transaction) => withdrawMessages(transaction, 1, ['undone', 'sent']))
    expect(await withdraw()).toBe(1)
    outbox.pass(2 * MINUTE_MS)
    await outbox.send()
    expect(receiver.calls).toHaveLength(1)
    expect(await withdraw()).toBe(0)
  })

  it('A44: carry a signature that standardwebhooks verifies, and that no changed message has', async () => {
    await outbox.put({ channelId: await addWebhook() }, message())
    await outbox.send()
    const [call] = receiver.calls
    if (call === undefined) throw new Error('nothing came')
    expect(verify(call)).toMatchObject({ data: { kind: 'new' } })
    const id = String(call.headers['webhook-id'])
    const timestamp = Number(call.headers['webhook-timestamp'])
    const changed = [
      { ...call, body: call.body.replace('TypeError', 'typeError') },
      { ...call, headers: { ...call.headers, 'webhook-id': `${id}x` } },
      { ...call, headers: { ...call.headers, 'webhook-timestamp': String(timestamp + 1) } },
    ]
    for (const forged of changed) expect(() => verify(forged)).toThrow('No matching signature found')
    const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`
    expect(() => verify(call, other)).toThrow('No matching signature found')
  })

  it('A47: are tried again with the same id and a new time, by the schedule and by Retry-After', async () => {
    receiver.answer = withStatus(500)
    await outbox.put({ channelId: await addWebhook() }, message())
    await outbox.send()
    const waits: number[] = []
    for (let attempt = 1; attempt < LIMITS.DELIVERY_ATTEMPTS; attempt += 1) {
      const [row] = await outbox.rows()
      const before = opened.clock.now()
      waits.push(((row?.due_at ?? 0) - before) / 1000)
      opened.clock.set((row?.due_at ?? 0) - 1)
      await outbox.send()
      expect(receiver.calls).toHaveLength(attempt)
      opened.clock.set(row?.due_at ?? 0)
      await outbox.send()
      // A host that rests is asked when it has rested.
      const [later] = await outbox.rows()
      if (receiver.calls.length === attempt) {
        opened.clock.set(later?.due_at ?? 0)
        await outbox.send()
      }
      expect(receiver.calls).toHaveLength(attempt + 1)
    }
    const schedule = [5, 60, 300, 1800, 7200, 18_000, 36_000, 72_000]
    for (const [index, wait] of waits.entries()) {
      expect(wait).toBeGreaterThanOrEqual((schedule[index] ?? 0) * 0.8)
      expect(wait).toBeLessThanOrEqual((schedule[index] ?? 0) * 1.2)
    }
    expect(new Set(receiver.calls.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(new Set(receiver.calls.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(
      LIMITS.DELIVERY_ATTEMPTS,
    )
    expect((await outbox.rows())[0]).toMatchObject({ state: 'failed', due_at: null })
  })

  it('A47: wait as long as the other side asks', async () => {
    receiver.answer = withStatus(429, { 'retry-after': '120' })
    await outbox.put({ channelId: await addWebhook() }, message())
    await outbox.send()
    const [row] = await outbox.rows()
    expect(row?.due_at).toBe(opened.clock.now() + 2 * MINUTE_MS)
  })

  it('A51: wait for a mail server that is away for six hours, each sent once, and what is out of date told by the last', async () => {
    mailbox.refusal = 451
    const to = { userId: 1, unsubscribe: 'alert' }
    await outbox.put(to, message())
    await outbox.put(to, message({ thread: 'issue:2', stage: 'single', headline: 'Assigned: issue 2' }))
    for (let passed = 0; passed < 6 * HOUR_MS; passed += 10 * MINUTE_MS) {
      await outbox.send()
      outbox.pass(10 * MINUTE_MS)
    }
    await outbox.put(to, message({ stage: 'update', headline: 'Worse: TypeError in checkout' }))
    await outbox.put(to, message({ kind: 'over', level: 'ok', stage: 'over', headline: 'Over after 6 h' }))
    mailbox.refusal = null
    for (let passed = 0; passed < HOUR_MS; passed += 10 * MINUTE_MS) {
      outbox.pass(10 * MINUTE_MS)
      await outbox.send()
    }
    const mails = await Promise.all(mailbox.mails.map(({ raw }) => simpleParser(raw)))
    expect(new Set(mails.map(({ subject }) => subject))).toEqual(new Set(['Assigned: issue 2', 'Over after 6 h']))
    const text = mails.find(({ subject }) => subject === 'Over after 6 h')?.text ?? ''
    expect(text).toContain('New: TypeError in checkout')
    expect(text).toContain('Worse: TypeError in checkout')
    outbox.pass(24 * HOUR_MS)
    await outbox.send()
    expect(mailbox.mails).toHaveLength(2)
  })
})
