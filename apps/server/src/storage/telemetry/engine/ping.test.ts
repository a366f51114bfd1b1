import { once } from 'node:events'
import { createServer } from 'node:http'
import type { RequestListener, Server } from 'node:http'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../conformance/engines.ts'
import { createPinger } from './ping.ts'
import type { Pinger } from './ping.ts'

const LONG_MS = 60_000

describe('pings of the engine', () => {
  let folder: ReturnType<typeof temporaryFolder>
  let socketPath: string
  let server: Server
  let connections: number
  let pinger: Pinger
  let answer: RequestListener

  beforeEach(async () => {
    folder = temporaryFolder()
    socketPath = join(folder.path, 'engine')
    connections = 0
    answer = (_, response) => response.end('Ok.')
    server = createServer((request, response) => answer(request, response))
    server.on('connection', () => (connections += 1))
    server.listen(socketPath)
    await once(server, 'listening')
    pinger = createPinger(socketPath)
  })
  afterEach(() => {
    pinger.close()
    server.closeAllConnections()
    server.close()
    folder.remove()
  })

  it('go over one connection, whatever is answered', async () => {
    for (const status of [200, 500, 200]) {
      answer = (_, response) => response.writeHead(status).end('words')
      expect(await pinger.ping(LONG_MS)).toBe(true)
    }
    expect(connections).toBe(1)
  })

  it('ask once more when the other end has given up the kept connection, and not for ever', async () => {
    expect(await pinger.ping(LONG_MS)).toBe(true)
    let refused = 0
    answer = (request, response) => {
      refused += 1
      if (refused === 1) request.socket.destroy()
      else response.end()
    }
    expect(await pinger.ping(LONG_MS)).toBe(true)
    expect(connections).toBe(2)
    answer = (request) => request.socket.destroy()
    expect(await pinger.ping(LONG_MS)).toBe(false)
  })

  it('have no answer when nothing is said in time, or nobody is there, and one again afterwards', async () => {
    answer = () => undefined
    expect(await pinger.ping(20)).toBe(false)
    answer = (_, response) => response.end('Ok.')
    expect(await pinger.ping(LONG_MS)).toBe(true)
    const nobody = createPinger(join(folder.path, 'nobody'))
    expect(await nobody.ping(LONG_MS)).toBe(false)
    nobody.close()
  })
})
