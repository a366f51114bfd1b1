import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { originOf } from '../lib/account.ts'
import { apiOf } from '../lib/api.ts'
import { newEventId, sendItems } from '../lib/send.ts'
import { joinServer, type SharedServer } from '../lib/shared.ts'
import { until } from '../lib/until.ts'

const ORGANIZATION = 'check-ins'
/** A minute has to be over, and stored. */
const MINUTES_MS = 240_000

let server: SharedServer
let hook: Server
/** What came to the webhook. */
const bodies: string[] = []

beforeAll(async () => {
  server = await joinServer(ORGANIZATION)
  hook = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      bodies.push(Buffer.concat(parts).toString())
      response.end('heard you')
    })
  })
  await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve))
})
afterAll(
  () =>
    new Promise<void>((resolve) => {
      hook.close(() => resolve())
      hook.closeAllConnections()
    }),
)

const call = async <Body>(method: string, path: string, body: object): Promise<Body> => {
  const answer = await fetch(`${originOf(server)}/api/0/organizations/${ORGANIZATION}${path}`, {
    method,
    headers: { authorization: `Bearer ${server.account.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as Body
}

const checkIn = (status: 'error' | 'ok'): Promise<Response> =>
  sendItems(server.account.dsn, [
    {
      type: 'check_in',
      payload: {
        check_in_id: newEventId(),
        monitor_slug: 'backup',
        status,
        monitor_config: { schedule: { type: 'interval', value: 1, unit: 'day' } },
      },
    },
  ])

it('runs of a monitor that fail are counted, told by a webhook, explained, and shown by a dry run', async () => {
  const { port } = hook.address() as AddressInfo
  const channel = await call<{ id: string }>('POST', '/channels/', {
    name: 'jobs hook',
    kind: 'webhook',
    settings: {},
    secrets: { url: `http://127.0.0.1:${port}/hook` },
  })
  const rule = {
    name: 'Jobs fail',
    actions: [{ kind: 'channel', channelId: channel.id }],
    trigger: {
      source: 'measured',
      dataset: 'check_ins',
      aggregate: 'failure_count()',
      windowMinutes: 60,
      groupBy: ['monitor'],
      comparison: { kind: 'fixed', direction: 'above', limit: 2 },
    },
  }
  const { id } = await call<{ id: string }>('POST', '/alerts/', rule)
  await checkIn('ok')
  for (let count = 0; count < 3; count += 1) expect((await checkIn('error')).status).toBe(200)
  const said = '3 > 2 check-ins that failed or never came in an hour'
  const told = () => bodies.filter((body) => body.includes('Jobs fail'))
  await until(
    () => `the message; the hook got ${JSON.stringify(bodies)}`,
    () => Promise.resolve(told().length > 0 ? true : null),
    MINUTES_MS,
  )
  const [message] = told().map((body) => JSON.parse(body) as { data: { headline: string } })
  expect(message?.data.headline).toBe(`Jobs fail: ${said}, monitor backup`)
  const evaluations = await apiOf(server).get<readonly { decision: string; sentence: string }[]>(
    `/organizations/${ORGANIZATION}/alerts/${id}/evaluations/`,
  )
  expect(evaluations).toContainEqual(expect.objectContaining({ decision: 'fired', sentence: said }))
  const { firings } = await call<{ firings: readonly { sentence: string; group: unknown }[] }>(
    'POST',
    '/alert-dry-run/',
    { rule, days: 1 },
  )
  expect(firings).toMatchObject([{ sentence: said }])
  expect(told()).toHaveLength(1)
})
