import { createServer } from 'node:http'
import type { Server } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tunnelListener } from '../../packages/tunnel/src/node.ts'
import { apiOf } from '../lib/api.ts'
import { joinServer, type SharedServer } from '../lib/shared.ts'
import { until } from '../lib/until.ts'

const ORGANIZATION = 'tunnel'

describe('a tunnel of the site', () => {
  let server: SharedServer
  let site: Server
  let address = ''

  beforeAll(async () => {
    server = await joinServer(ORGANIZATION)
    const tunnel = tunnelListener({ dsns: [server.account.dsn] })
    site = createServer((request, response) => void tunnel(request, response))
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
    const bound = site.address()
    address = `http://127.0.0.1:${typeof bound === 'object' && bound !== null ? bound.port : 0}/reports`
  })
  afterAll(async () => {
    site.closeAllConnections()
    site.close()
  })

  const send = (dsn: string, message: string): Promise<Response> => {
    const id = crypto.randomUUID().replaceAll('-', '')
    const body = `${JSON.stringify({ event_id: id, dsn })}\n{"type":"event"}\n${JSON.stringify({ message })}`
    return fetch(address, { method: 'POST', body, headers: { 'content-type': 'text/plain;charset=UTF-8' } })
  }

  it('leads an envelope to Firsthand: what the SDK sends to the site is an issue', async () => {
    const response = await send(server.account.dsn, 'through the tunnel')
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ id: expect.stringMatching(/^[0-9a-f]{32}$/) })
    const issue = await until('the issue', async () => (await apiOf(server).issues('')).at(0) ?? null)
    expect(issue.title).toBe('through the tunnel')
  })

  it('leads nowhere else', async () => {
    const other = new URL(server.account.dsn)
    other.pathname = '/999'
    expect((await send(other.href, 'elsewhere')).status).toBe(403)
  })
})
