import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServer, type RunningServer } from '../../tools/harness/server.ts'
import { eventually } from '../lib/eventually.ts'

/** Keys may send half of it. */
const environment = { FIRSTHAND_ORGANIZATION_BYTES_PER_DAY: '16000000' }

let server: RunningServer
beforeAll(async () => {
  server = await startServer({ environment })
})
afterAll(async () => {
  await server.stop()
  server.remove()
})

it('a key over its bytes is refused, also after a restart, until somebody allows it more', async () => {
  const { dsn, projectId, token } = server.account
  const { username: key } = new URL(dsn)
  const send = (item: string): Promise<Response> =>
    fetch(`http://127.0.0.1:${server.port}/api/${projectId}/envelope/?sentry_key=${key}`, {
      method: 'POST',
      body: `{"event_id":"${crypto.randomUUID().replaceAll('-', '')}"}\n${item}\n`,
    })
  const api = async (method: string, path: string, body?: unknown): Promise<Record<string, unknown>> => {
    const answer = await fetch(`http://127.0.0.1:${server.port}/api/0${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    expect(answer.status).toBe(200)
    return (await answer.json()) as Record<string, unknown>
  }
  const allow = (bytesPerDay: number): Promise<unknown> =>
    api('PUT', `/projects/acme/shop/keys/${key}/`, { bytesPerDay })

  expect(await allow(1_000_000)).toMatchObject({ bytesPerDay: 1_000_000 })
  expect((await send(`{"type":"attachment","filename":"a"}\n${'x'.repeat(1_200_000)}`)).status).toBe(200)
  const event = '{"type":"event"}\n{"message":"after the flood"}'
  const refused = await send(event)
  expect(refused.status).toBe(429)
  expect(refused.headers.get('x-sentry-rate-limits')).toMatch(/:key:key_byte_quota$/)

  const { account, dataDir } = server
  await server.stop()
  server = { ...(await startServer({ dataDir, environment, setUp: false })), account }
  expect((await send(event)).status).toBe(429)

  await allow(100_000_000)
  expect((await send(event)).status).toBe(200)
  const endings = async (): Promise<readonly string[]> => {
    const { totals } = await api('GET', '/organizations/acme/receipts/?statsPeriod=1h')
    return (totals as { itemType: string; outcome: string; reason: string; quantity: number }[]).map(
      ({ itemType, outcome, reason, quantity }) => `${itemType} ${outcome} ${reason} ${quantity}`,
    )
  }
  await eventually(endings).toEqual(
    expect.arrayContaining(['attachment accepted  1', 'event accepted  1', 'event rate_limited key_byte_quota 2']),
  )
})
