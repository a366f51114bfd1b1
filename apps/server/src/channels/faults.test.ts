import { createHmac } from 'node:crypto'
import { simpleParser } from 'mailparser'
import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { LEDGER_ENGINES, type OpenedLedger } from '../storage/conformance/engines.ts'
import { callChannel } from './call-way.ts'
import { attemptJson, channelJson, deliveryJson } from './channel-json.ts'
import { createDeliveries } from './ledger/deliveries.ts'
import { LIMITS } from './limits.ts'
import { addMember, message, openOutbox, PUBLIC_URL, SIGNING_SECRET, type OpenedOutbox } from './test/outbox.ts'
import { OK, startReceiver, withStatus, type Receiver } from './test/receiver.ts'
import { startMailbox, type Mailbox } from './test/mailbox.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const SECOND_SECRET = `whsec_${Buffer.alloc(32, 9).toString('base64')}`

const verifies = ({ body, headers }: Receiver['calls'][number], secret: string): boolean => {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>)
    return true
  } catch {
    // That is the answer.
    return false
  }
}

describe.each(LEDGER_ENGINES)('channels on $name', ({ open }) => {
  let opened: OpenedLedger
  let outbox: OpenedOutbox
  let receiver: Receiver
  let mailbox: Mailbox

  beforeEach(async () => {
    opened = await open()
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

  const addWebhook = (path = '/hook', settings: Readonly<Record<string, unknown>> = { format: 'firsthand' }) =>
    outbox.addChannel('webhook', { url: `${receiver.url}${path}` }, settings)
  const channelOf = async (id: number) => {
    const channel = await outbox.channels.find(1, id)
    if (channel === null) throw new Error('no channel')
    return channel
  }

  it('A45: are signed with the old secret as well, for 24 hours after a new one was made', async () => {
    const channelId = await addWebhook()
    const channel = await channelOf(channelId)
    const { sealed } = channel
    const until = opened.clock.now() + LIMITS.CHANNEL_ROTATION_MS
    await outbox.channels.change(channel, {
      sealed: { ...sealed, signing: SECOND_SECRET, former: { secret: SIGNING_SECRET, until } },
    })
    await outbox.put({ channelId }, message())
    await outbox.send()
    const [during] = receiver.calls
    if (during === undefined) throw new Error('nothing came')
    expect([verifies(during, SIGNING_SECRET), verifies(during, SECOND_SECRET)]).toEqual([true, true])
    opened.clock.set(until)
    await outbox.put({ channelId }, message({ thread: 'issue:2' }))
    await outbox.send()
    const after = String(receiver.calls[1]?.headers['webhook-signature'])
    expect([String(during.headers['webhook-signature']).split(' ').length, after.split(' ').length]).toEqual([2, 1])
  })

  it('A46: speak as Sentry does, with its headers, signature and bodies', async () => {
    const channelId = await addWebhook('/sentry', { format: 'sentry' })
    const issue = { id: 7, shortId: 'SHOP-7', title: 'TypeError', culprit: 'checkout', count: 3 }
    const about = { issue, project: { id: 1, slug: 'shop', name: 'Shop' }, rule: { id: 4, name: 'New issues' } }
    await outbox.put({ channelId }, message({ about }))
    const measured = { value: 212, limit: 200, window: '10 minutes', query: 'is:unresolved' }
    await outbox.put({ channelId }, message({ thread: 'rule:4', about: { ...about, measured } }))
    await outbox.put({ channelId }, message({ thread: 'rule:4', stage: 'over', level: 'ok', about: { measured } }))
    await outbox.send()
    const seen = receiver.calls.map(({ headers, body }) => {
      const signature = createHmac('sha256', SIGNING_SECRET).update(body).digest('hex')
      expect(headers['sentry-hook-signature']).toBe(signature)
      expect(headers['request-id']).toMatch(/^msg_/)
      expect(Number(headers['sentry-hook-timestamp'])).toBe(Math.floor(opened.clock.now() / 1000))
      const { action, data, installation } = JSON.parse(body) as {
        action: string
        data: Record<string, unknown>
        installation: { uuid: string }
      }
      expect(installation.uuid).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/)
      return [headers['sentry-hook-resource'], action, Object.keys(data)]
    })
    expect(seen).toEqual([
      ['event_alert', 'triggered', ['event', 'triggered_rule', 'issue_alert', 'issue']],
      ['metric_alert', 'critical', ['description_title', 'description_text', 'web_url', 'metric_alert']],
      ['metric_alert', 'resolved', ['description_title', 'description_text', 'web_url', 'metric_alert']],
    ])
  })

  it('A48: of which one answers 500 for a day hold up no other, and get each message once when it is well', async () => {
    const well = await startReceiver()
    const wellId = await outbox.addChannel('webhook', { url: `${well.url}/hook` }, { format: 'firsthand' })
    const illId = await addWebhook()
    receiver.answer = withStatus(500)
    for (let issue = 0; issue < 10; issue += 1) {
      await outbox.put({ channelId: illId }, message({ thread: `ill:${issue}` }))
      await outbox.put({ channelId: wellId }, message({ thread: `well:${issue}` }))
    }
    await outbox.send()
    expect(well.calls).toHaveLength(10)
    for (let passed = 0; passed < 24 * HOUR_MS; passed += 30 * MINUTE_MS) {
      await outbox.send()
      outbox.pass(30 * MINUTE_MS)
    }
    const taken: string[] = []
    receiver.answer = (call, response) => {
      taken.push(String(call.headers['webhook-id']))
      OK(call, response)
    }
    for (let passed = 0; passed < 36 * HOUR_MS; passed += HOUR_MS) {
      outbox.pass(HOUR_MS)
      await outbox.send()
    }
    expect([taken.length, new Set(taken).size, well.calls.length]).toEqual([10, 10, 10])
    await well.close()
  })

  it('A49: are switched off by 410, and those who may change them hear of it', async () => {
    await addMember(opened, { name: 'Ben', email: 'ben@acme.example', role: 'member' })
    receiver.answer = withStatus(410)
    const channelId = await addWebhook()
    await outbox.put({ channelId }, message())
    await outbox.send()
    expect(await channelOf(channelId)).toMatchObject({ isOn: false, offReason: expect.stringContaining('410') })
    await outbox.send()
    expect(mailbox.mails.flatMap(({ to }) => to)).toEqual(['ann@acme.example'])
    expect(mailbox.mails[0]?.raw).toContain('was switched off')
    await outbox.put({ channelId }, message({ thread: 'issue:2' }))
    await outbox.send()
    expect(receiver.calls).toHaveLength(1)
  })

  it('A49, A58: fail where they are led elsewhere, and nobody is asked there', async () => {
    receiver.answer = withStatus(302, { location: `${receiver.url}/elsewhere` })
    await outbox.put({ channelId: await addWebhook() }, message())
    await outbox.send()
    expect(receiver.calls.map(({ path }) => path)).toEqual(['/hook'])
    expect((await outbox.rows())[0]).toMatchObject({ state: 'failed', error: expect.stringContaining('302') })
  })

  it('A50: read no more than 64 kB of an answer, and wait no longer than 15 seconds for one', async () => {
    let written = 0
    receiver.answer = (_call, response) => {
      response.writeHead(200)
      const piece = Buffer.alloc(64 * 1024, 'x')
      const write = (): void => {
        while (written < 100 * 1024 * 1024) {
          written += piece.length
          if (!response.write(piece)) {
            response.once('drain', write)
            return
          }
        }
        response.end()
      }
      write()
    }
    const channelId = await addWebhook()
    await outbox.put({ channelId }, message())
    await outbox.send()
    expect((await outbox.rows())[0]?.state).toBe('sent')
    expect(written).toBeLessThan(20 * 1024 * 1024)
    const tries = await opened.ledger.db.selectFrom('outbox_attempts').selectAll().execute()
    expect(tries[0]?.answer).toHaveLength(LIMITS.DELIVERY_ANSWER_KEPT_CHARS)
    const asked: unknown[] = []
    await callChannel(
      {
        clock: opened.clock,
        outgoing: {
          send: (_url, { timeoutMs, maxBytes, maxRedirects }) => {
            asked.push({ timeoutMs, maxBytes, maxRedirects })
            return Promise.resolve({ ok: false, error: { why: 'too_slow', host: 'x', address: null } } as const)
          },
        },
      },
      await channelOf(channelId),
      {
        message: message(),
        id: 'msg_1',
        thread: 't',
        organization: { slug: 'acme', name: 'Acme' },
        publicUrl: PUBLIC_URL,
        now: 0,
        createdAt: 0,
        remote: null,
        isRepeated: false,
      },
    )
    expect(asked).toEqual([{ timeoutMs: 15_000, maxBytes: 65_536, maxRedirects: 0 }])
  })

  it('A53: show each try with request and answer, and a message that is sent again has its id', async () => {
    receiver.answer = withStatus(503, {}, 'not now')
    const channelId = await addWebhook()
    await outbox.put({ channelId }, message())
    await outbox.send()
    receiver.answer = withStatus(200, {}, 'thanks')
    outbox.pass(MINUTE_MS)
    await outbox.send()
    const deliveries = createDeliveries({ ledger: opened.ledger })
    const place = { organizationId: 1, channelId }
    const [delivery] = await deliveries.list(place, [], { behind: null, limit: 10 })
    if (delivery === undefined) throw new Error('no delivery')
    const tries = (await deliveries.attempts(delivery.id, 10)).map(attemptJson)
    expect(tries.map(({ number, status, answer }) => [number, status, answer])).toEqual([
      [1, 503, 'not now'],
      [2, 200, 'thanks'],
    ])
    expect(tries[0]?.request).toMatchObject({ method: 'POST', body: expect.stringContaining('TypeError in checkout') })
    expect(await deliveries.again({ ...place, organizationId: 2 }, delivery.id, opened.clock.now())).toBe(false)
    expect(await deliveries.again(place, delivery.id, opened.clock.now())).toBe(true)
    await outbox.send()
    const ids = receiver.calls.map(({ headers }) => headers['webhook-id'])
    expect([ids.length, new Set(ids).size, ids[0]]).toEqual([3, 1, deliveryJson(delivery).messageId])
  })

  it('A54: let no secret into an answer, a row, a log line or an error', async () => {
    const secret = 'T024BE7LR/B0/xyzzy-secret-part'
    receiver.answer = ({ path, headers, body }, response) => {
      response.writeHead(400).end(`You sent ${path} and ${JSON.stringify(headers)} and ${body}`)
    }
    const target = { url: `${receiver.url}/services/${secret}` }
    const tokens = [secret, 'https://x.example/?key=tk_0123456789secret']
    const ids = [
      await outbox.addChannel('slack', target),
      await outbox.addChannel(
        'ntfy',
        { topic: 'topic-secret-1', token: 'tk_0123456789secret' },
        { server: receiver.url },
      ),
      await outbox.addChannel('ntfy', { topic: 'abc' }, { server: receiver.url }),
      await outbox.addChannel('slack', { url: `http://10.0.0.1/${secret}` }),
      await outbox.addChannel('slack', { url: `http://127.0.0.1:1/${secret}` }),
    ]
    for (const channelId of ids) await outbox.put({ channelId }, message({ thread: `t:${channelId}` }))
    await outbox.send()
    const rows = await opened.ledger.db.selectFrom('outbox').selectAll().execute()
    const tries = await opened.ledger.db.selectFrom('outbox_attempts').selectAll().orderBy('outbox_id').execute()
    const channels = await opened.ledger.db.selectFrom('channels').selectAll().execute()
    const shown = (await outbox.channels.list(1)).map((channel) => channelJson(channel, opened.clock.now()))
    const everything = JSON.stringify([rows, tries, channels, shown, outbox.lines])
    for (const word of [...tokens, 'xyzzy', 'topic-secret-1', 'tk_0123456789secret', SIGNING_SECRET]) {
      expect(everything).not.toContain(word)
    }
    expect(everything).not.toMatch(/\babc\b/)
    expect(tries.map(({ error }) => error)).toEqual([
      'The other side answered 400.',
      'The other side answered 400.',
      'The other side answered 400.',
      expect.stringContaining('FIRSTHAND_REACHABLE_RANGES'),
      expect.stringContaining('The connection to 127.0.0.1 failed'),
    ])
  })

  it('A55: of one issue are one conversation of mails, with stop links where somebody may stop them', async () => {
    const to = { userId: 1, unsubscribe: 'new' }
    await outbox.put(to, message())
    await outbox.put(to, message({ stage: 'single', kind: 'regression', headline: 'Back: TypeError in checkout' }))
    await outbox.put(to, message({ thread: 'issue:2', headline: 'New: another' }))
    await outbox.send()
    await outbox.send()
    const mails = await Promise.all(mailbox.mails.map(({ raw }) => simpleParser(raw)))
    const bySubject = (subject: string) => mails.find((mail) => mail.subject === subject)
    const [first, second, other] = [
      bySubject('New: TypeError in checkout'),
      bySubject('Re: New: TypeError in checkout'),
      bySubject('New: another'),
    ]
    expect(first?.references).toBe(second?.references)
    expect(first?.references).not.toBe(other?.references)
    expect(first?.messageId).not.toBe(second?.messageId)
    expect(second?.text).toContain('Back: TypeError in checkout')
    expect(second?.html).toContain('Back: TypeError in checkout')
  })

  it('are tried again under the same id when a server dies between sending and noting it', async () => {
    await outbox.put({ channelId: await addWebhook() }, message())
    const taken = await outbox.queue.take(opened.clock.now(), { ways: [], lanes: [], organizations: [] })
    expect(taken?.attempt).toBe(1)
    // Somebody else looks meanwhile, and later.
    await outbox.makeSender().run()
    expect(receiver.calls).toEqual([])
    outbox.pass(LIMITS.DELIVERY_LEASE_MS)
    await outbox.makeSender().run()
    expect(receiver.calls).toHaveLength(1)
    if (taken === null) throw new Error('nothing was taken')
    // The first one comes back: it is no longer its message.
    const record = { durationMs: 1, request: '{}', status: 500, answer: '', remoteAddress: null, error: 'late' }
    expect(await outbox.queue.finish(taken, { kind: 'failed' }, record, opened.clock.now())).toBe(false)
    expect((await outbox.rows())[0]).toMatchObject({ state: 'sent', attempts: 2 })
  })

  it('A26: that a server left under way are tried at once by the next, unless others may be at work', async () => {
    await outbox.put({ channelId: await addWebhook() }, message())
    await outbox.queue.take(opened.clock.now(), { ways: [], lanes: [], organizations: [] })
    await outbox.queue.takeOver(opened.clock.now())
    await outbox.makeSender().run()
    const isAlone = opened.ledger.dialect === 'sqlite'
    expect(receiver.calls).toHaveLength(isAlone ? 1 : 0)
    expect((await outbox.rows())[0]).toMatchObject(
      isAlone ? { state: 'sent', attempts: 2 } : { state: 'sending', attempts: 1 },
    )
  })

  it('are held back when too many come, and one says how many', async () => {
    const channelId = await addWebhook()
    const count = LIMITS.CHANNEL_MESSAGES_PER_HOUR + 12
    for (let issue = 0; issue < count; issue += 1) {
      await outbox.put({ channelId }, message({ thread: `issue:${issue}`, stage: 'single' }))
    }
    await outbox.send()
    expect(receiver.calls).toHaveLength(LIMITS.CHANNEL_MESSAGES_PER_HOUR)
    outbox.pass(HOUR_MS)
    await outbox.send()
    const last = JSON.parse(receiver.calls.at(-1)?.body ?? '') as { data: { headline: string } }
    expect([receiver.calls.length, last.data.headline]).toEqual([
      LIMITS.CHANNEL_MESSAGES_PER_HOUR + 1,
      'Held back 12 messages',
    ])
  })
})
