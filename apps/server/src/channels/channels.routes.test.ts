import {
  createChannel,
  deleteChannel,
  getChannel,
  getDelivery,
  listChannels,
  listDeliveries,
  redeliver,
  restoreChannel,
  rotateChannelSecret,
  testChannel,
  updateChannel,
  type Endpoint,
} from '@firsthand/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Route } from '../http/index.ts'
import { LEDGER_ENGINES, type OpenedLedger } from '../storage/conformance/engines.ts'
import { createChannelRoutes } from './channels.routes.ts'
import { createDeliveryRoutes } from './deliveries.routes.ts'
import { createDeliveries } from './ledger/deliveries.ts'
import { LIMITS } from './limits.ts'
import { message, openOutbox, PUBLIC_URL, type OpenedOutbox } from './test/outbox.ts'
import { startReceiver, withStatus, type Receiver } from './test/receiver.ts'
import { createTryChannel } from './try-channel.ts'

describe.each(LEDGER_ENGINES)('calls about channels on $name', ({ open }) => {
  let opened: OpenedLedger
  let outbox: OpenedOutbox
  let receiver: Receiver
  let routes: readonly Route[]

  beforeEach(async () => {
    opened = await open()
    receiver = await startReceiver()
    outbox = await openOutbox(opened)
    const { channels, outgoing } = outbox
    const { clock, ledger } = opened
    const tryChannel = createTryChannel({ outgoing, mailer: null, publicUrl: PUBLIC_URL, clock })
    routes = [
      ...createChannelRoutes({ channels, outgoing, tryChannel, clock, changed: () => {} }),
      ...createDeliveryRoutes({ channels, deliveries: createDeliveries({ ledger }), clock, waiting: () => {} }),
    ]
  })
  afterEach(async () => {
    await receiver.close()
    await opened.close()
  })

  /** Where the page after the last answer begins. */
  let next: string | null = null

  /** As the owner of an organisation. */
  const call = async (
    endpoint: Endpoint,
    params: Readonly<Record<string, string>>,
    body: unknown = null,
    organizationId = 1,
    asking: Readonly<Record<string, unknown>> = {},
  ) => {
    const route = routes.find((one) => one.endpoint === endpoint)
    if (route === undefined) throw new Error(`no route takes ${endpoint.path}`)
    const request = {
      caller: { kind: 'session', user: { id: 1, name: 'Ann', email: 'ann@acme.example' } },
      organization: { id: organizationId, slug: 'acme', name: 'Acme' },
    } as unknown as Parameters<Route['handle']>[0]['request']
    const asked = endpoint.body === undefined ? null : endpoint.body.parse(body)
    const query = endpoint.query?.parse(asking)
    const reply = await route.handle({ params: { org: 'acme', ...params }, query, body: asked, request })
    next = 'page' in reply ? (reply.page?.next ?? null) : null
    return JSON.parse(JSON.stringify('body' in reply ? reply.body : null)) as never
  }
  const add = (url: string): Promise<{ readonly id: string; readonly signingSecret: string }> =>
    call(createChannel, {}, { kind: 'webhook', name: 'Board', settings: {}, secrets: { url } })

  it('A54: show the secret of a new webhook once, and of its address only the host', async () => {
    const made = await add(`${receiver.url}/hooks/a-secret-path`)
    expect(made.signingSecret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const listed = JSON.stringify(await call(listChannels, {}))
    expect(listed).toContain(new URL(receiver.url).host)
    for (const secret of ['a-secret-path', made.signingSecret]) expect(listed).not.toContain(secret)
  })

  it('A56: refuse an address inside of a network when it is entered, at its field', async () => {
    const sentence = expect.stringContaining('FIRSTHAND_REACHABLE_RANGES') as string
    for (const url of ['http://169.254.169.254/latest', 'http://[::1]/', 'http://2886729729/']) {
      await expect(add(url)).rejects.toMatchObject({ status: 400, fields: { url: sentence } })
    }
    const { id } = await add(receiver.url)
    const change = call(updateChannel, { channel: id }, { secrets: { url: 'http://10.0.0.1/' } })
    await expect(change).rejects.toMatchObject({ status: 400, fields: { url: sentence } })
    await expect(call(createChannel, {}, { kind: 'slack', name: 'x', secrets: { token: 'y' } })).rejects.toMatchObject({
      fields: { token: 'A channel of this kind has no "token".', url: expect.stringContaining('https://') as string },
    })
  })

  it('keep secrets that nobody enters again', async () => {
    const { id } = await add(`${receiver.url}/kept`)
    await call(updateChannel, { channel: id }, { name: 'Other', settings: { format: 'sentry' } })
    await call(testChannel, { channel: id })
    expect(receiver.calls.map(({ path, headers }) => [path, headers['sentry-hook-resource']])).toEqual([
      ['/kept', 'event_alert'],
    ])
  })

  it('change what one saw: nothing, where somebody else changed it meanwhile', async () => {
    const made = await add(receiver.url)
    const rotated: { readonly version: number } = await call(rotateChannelSecret, { channel: made.id })
    await expect(call(updateChannel, { channel: made.id }, { name: 'Late', version: 1 })).rejects.toMatchObject({
      status: 409,
    })
    const before = await outbox.channels.find(1, Number(made.id))
    if (before === null) throw new Error('no channel')
    await call(updateChannel, { channel: made.id }, { name: 'Board', version: rotated.version })
    // What was read before may not bring the old secret back.
    expect(await outbox.channels.change(before, { sealed: before.sealed })).toBe(false)
    expect(await call(getChannel, { channel: made.id })).toMatchObject({
      version: 3,
      rotatesUntil: expect.any(String) as string,
    })
  })

  it('bring none back where there are as many as may be', async () => {
    const { id } = await add(receiver.url)
    await call(deleteChannel, { channel: id })
    for (let index = 0; index < LIMITS.CHANNELS_PER_ORGANIZATION; index += 1) {
      await outbox.addChannel('webhook', { url: receiver.url })
    }
    await expect(call(restoreChannel, { channel: id })).rejects.toMatchObject({ status: 409 })
  })

  it('send nothing that was entered for one server to another one', async () => {
    const { id }: { readonly id: string } = await call(
      createChannel,
      {},
      {
        kind: 'ntfy',
        name: 'Phone',
        settings: { server: receiver.url },
        secrets: { topic: 'topic-of-ann', token: 'tk_of_ann' },
      },
    )
    const other = await startReceiver()
    const sentence = expect.stringContaining('enter it again') as string
    const change = call(updateChannel, { channel: id }, { settings: { server: other.url } })
    await expect(change).rejects.toMatchObject({ status: 400, fields: { topic: sentence, token: sentence } })
    await call(
      updateChannel,
      { channel: id },
      { settings: { server: other.url }, secrets: { topic: 'topic-of-ann', token: 'tk_new' } },
    )
    await call(testChannel, { channel: id })
    expect([receiver.calls.length, other.calls.map(({ headers }) => headers.authorization)]).toEqual([
      0,
      ['Bearer tk_new'],
    ])
    await other.close()
  })

  it('begin messages anew in another place', async () => {
    receiver.answer = withStatus(200, {}, '{"id":"1"}')
    const { id }: { readonly id: string } = await call(
      createChannel,
      {},
      { kind: 'discord', name: 'Talk', secrets: { url: `${receiver.url}/a` } },
    )
    await outbox.put({ channelId: Number(id) }, message())
    await outbox.send()
    await call(updateChannel, { channel: id }, { name: 'Other name', secrets: { url: `${receiver.url}/a` } })
    await outbox.put({ channelId: Number(id) }, message({ stage: 'update' }))
    outbox.pass(60_000)
    await outbox.send()
    await call(updateChannel, { channel: id }, { secrets: { url: `${receiver.url}/b` } })
    await outbox.put({ channelId: Number(id) }, message({ stage: 'over' }))
    outbox.pass(60_000)
    await outbox.send()
    expect(receiver.calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /a?wait=true',
      'PATCH /a/messages/1',
      'POST /b?wait=true',
    ])
  })

  it('A25: perform what was saved when it is tested, and show what the other side answered', async () => {
    receiver.answer = withStatus(422, {}, 'no such field: colour')
    const { id } = await add(receiver.url)
    expect(await call(testChannel, { channel: id })).toMatchObject({
      isSent: false,
      sentence: 'The other side answered 422.',
      attempt: { status: 422, answer: 'no such field: colour', request: { method: 'POST' } },
    })
    expect(await opened.ledger.db.selectFrom('outbox').selectAll().execute()).toEqual([])
  })

  it('A25: have reached the other side when a test did, and are not called unused', async () => {
    const { id } = await add(receiver.url)
    const state = async () =>
      ((await call(listChannels, {})) as { lastSentAt: string | null; failingSince: string | null }[])[0]
    receiver.answer = withStatus(500, {}, '')
    await call(testChannel, { channel: id })
    expect(await state()).toMatchObject({ lastSentAt: null, failingSince: null })
    await opened.ledger.db.updateTable('channels').set({ failing_since: 1, last_error: 'away' }).execute()
    receiver.answer = withStatus(200, {}, '')
    expect(await call(testChannel, { channel: id })).toMatchObject({ isSent: true })
    expect(await state()).toMatchObject({
      lastSentAt: expect.any(String) as string,
      failingSince: null,
      lastError: null,
    })
  })

  it('bring a deleted channel back, and send nothing to it meanwhile', async () => {
    const { id } = await add(receiver.url)
    await call(deleteChannel, { channel: id })
    expect(await call(listChannels, {})).toEqual([])
    await outbox.put({ channelId: Number(id) }, message())
    await call(restoreChannel, { channel: id })
    await outbox.send()
    expect([receiver.calls.length, ((await call(listChannels, {})) as { id: string }[]).map((one) => one.id)]).toEqual([
      0,
      [id],
    ])
    await call(deleteChannel, { channel: id })
    outbox.pass(LIMITS.CHANNEL_RESTORE_MS + 1)
    await outbox.channels.forgetDeleted(opened.clock.now())
    await expect(call(restoreChannel, { channel: id })).rejects.toMatchObject({ status: 404 })
  })

  it('A45: say until when the secret before is good, and give the new one once', async () => {
    const made = await add(receiver.url)
    const rotated: { readonly signingSecret: string; readonly rotatesUntil: string } = await call(rotateChannelSecret, {
      channel: made.id,
    })
    expect(rotated.signingSecret).not.toBe(made.signingSecret)
    expect(Date.parse(rotated.rotatesUntil)).toBe(opened.clock.now() + LIMITS.CHANNEL_ROTATION_MS)
  })

  it('list each delivery once, also where others come above it between two pages', async () => {
    const { id } = await add(receiver.url)
    const put = (thread: string) => outbox.put({ channelId: Number(id) }, message({ thread, headline: thread }))
    for (const thread of ['one', 'two', 'three']) await put(thread)
    const list = (asking: Readonly<Record<string, unknown>>): Promise<readonly { readonly headline: string }[]> =>
      call(listDeliveries, { channel: id }, null, 1, { limit: 2, ...asking })
    const first = await list({})
    await put('four')
    const second = await list({ cursor: next })
    expect([...first, ...second].map(({ headline }) => headline)).toEqual(['three', 'two', 'one'])
    expect(next).toBeNull()
  })

  it('A53: list deliveries with their tries, to nobody of another organisation', async () => {
    const { id } = await add(receiver.url)
    await outbox.put({ channelId: Number(id) }, message())
    const waiting: { readonly id: string }[] = await call(listDeliveries, { channel: id })
    const delivery = waiting[0]?.id ?? ''
    await expect(call(redeliver, { channel: id, delivery })).rejects.toMatchObject({ status: 409 })
    await outbox.send()
    expect(await call(getDelivery, { channel: id, delivery })).toMatchObject({
      state: 'sent',
      tries: [{ number: 1, status: 200, answer: '{}' }],
    })
    expect(await call(redeliver, { channel: id, delivery })).toMatchObject({ state: 'waiting' })
    for (const [endpoint, params] of [
      [listDeliveries, { channel: id }],
      [getDelivery, { channel: id, delivery }],
      [redeliver, { channel: id, delivery }],
      [testChannel, { channel: id }],
    ] as const) {
      await expect(call(endpoint, params, null, 2)).rejects.toMatchObject({ status: 404 })
    }
  })
})
