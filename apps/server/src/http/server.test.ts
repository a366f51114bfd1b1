import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { once } from 'node:events'
import { getRequestListener } from '@hono/node-server'
import { afterEach, beforeEach, expect, describe, it } from 'vitest'
import { createTestApp } from './test/app.ts'
import type { TestApp } from './test/app.ts'

/** What only real sockets show. */
describe('over a socket', () => {
  let test: TestApp
  let port: number
  let close: () => Promise<void>

  beforeEach(async () => {
    test = await createTestApp({
      options: {
        resolve: (path) =>
          Promise.resolve(path.startsWith('/old/') ? path.replace('/old/', '/organizations/acme/') : null),
      },
    })
    const listener = getRequestListener(test.app.fetch, { overrideGlobalObjects: false })
    const server = createServer((request, response) => void listener(request, response))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port
    close = () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  })

  afterEach(async () => {
    await close()
    await test.close()
  })

  it('knows the address of the client and its own', async () => {
    const owner = await test.owner()
    const login = await fetch(`http://127.0.0.1:${port}/api/0/auth/login/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'test' },
      body: JSON.stringify({ email: owner.email, password: 'orchid-lantern-42' }),
    })
    const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? ''
    const sessions = await fetch(`http://127.0.0.1:${port}/api/0/users/me/sessions/`, { headers: { cookie } })
    expect(await sessions.json()).toContainEqual(
      expect.objectContaining({ address: '127.0.0.1', userAgent: 'test', isCurrent: true }),
    )
    const keys = await fetch(`http://127.0.0.1:${port}/api/0/projects/acme/web/keys/`, { headers: { cookie } })
    expect(JSON.stringify(await keys.json())).toContain(`@127.0.0.1:${port}/1"`)
  })

  it('answers an older address as the one that stands for it: method, body, query, credentials', async () => {
    const owner = await test.owner()
    const url = `http://127.0.0.1:${port}/api/0/old/`
    const headers = { cookie: owner.cookie, 'content-type': 'application/json' }
    const body = JSON.stringify({ name: 'Acme & sons' })
    expect((await fetch(url)).status).toBe(401)
    expect((await fetch(url, { method: 'PUT', headers, body })).status).toBe(403)
    const put = await fetch(url, { method: 'PUT', headers: { ...headers, 'x-csrf-token': owner.csrf }, body })
    expect([put.status, await put.json()]).toMatchObject([200, { name: 'Acme & sons' }])
    const head = await fetch(url, { method: 'HEAD', headers })
    expect([head.status, head.headers.get('x-content-type-options')]).toEqual([200, 'nosniff'])
    const projects = await fetch(`${url}projects/?limit=oops`, { headers })
    const own = await fetch(`http://127.0.0.1:${port}/api/0/organizations/acme/projects/?limit=oops`, { headers })
    expect([projects.status, await projects.json()]).toEqual([own.status, await own.json()])
    expect((await fetch(`${url}nothing/`, { headers })).status).toBe(404)
    expect((await fetch(`http://127.0.0.1:${port}/api/0/older/`, { headers })).status).toBe(404)
  })

  it('forgets a live view when its reader goes away', async () => {
    const owner = await test.owner()
    const abort = new AbortController()
    const response = await fetch(`http://127.0.0.1:${port}/api/0/organizations/acme/live/`, {
      headers: { cookie: owner.cookie },
      signal: abort.signal,
    })
    const reader = response.body?.getReader()
    expect(new TextDecoder().decode((await reader?.read())?.value)).toContain('retry')
    test.live.publish({ topic: 'issues', organizationId: 1, projectId: 1, at: 0 })
    expect(new TextDecoder().decode((await reader?.read())?.value)).toContain('event: issues')
    expect(test.live.size).toBe(1)
    abort.abort()
    await expect.poll(() => test.live.size).toBe(0)
  })

  it('refuses an endless body without reading it all', async () => {
    const owner = await test.owner()
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    const answer: string[] = []
    socket.on('data', (bytes) => answer.push(String(bytes)))
    socket.write(
      `PUT /api/0/organizations/acme/ HTTP/1.1\r\nhost: x\r\ncookie: ${owner.cookie}\r\nx-csrf-token: ${owner.csrf}\r\n` +
        'content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n',
    )
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
    for (let count = 0; count < 40 && answer.length === 0; count += 1) {
      if (!socket.write(chunk)) await Promise.race([once(socket, 'drain'), once(socket, 'data')])
    }
    await expect.poll(() => answer.join('')).toContain('HTTP/1.1 413')
    socket.destroy()
  })
})
