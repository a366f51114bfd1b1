import { once } from 'node:events'
import { createServer } from 'node:http'
import type { RequestListener, Server } from 'node:http'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../conformance/engines.ts'
import { createPinger } from './ping.ts'
import type { Pinger } from './ping.ts'

const LONG_MS = 60_000

/** An engine on a thread of its own, which counts its answers. */
const ENGINE = `
const { workerData: { socketPath, answers }, parentPort } = require('node:worker_threads')
require('node:http').createServer((_, response) => response.end('Ok.', () => {
  Atomics.add(answers, 0, 1)
  Atomics.notify(answers, 0)
})).listen(socketPath, () => parentPort.postMessage('listening'))`

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

  it('have the answer that came while this process stood still, and heard of its time being over first', async () => {
    const answers = new Int32Array(new SharedArrayBuffer(4))
    const ownPath = join(folder.path, 'own')
    const engine = new Worker(ENGINE, { eval: true, workerData: { socketPath: ownPath, answers } })
    await once(engine, 'message')
    const own = createPinger(ownPath)
    expect(await own.ping(LONG_MS)).toBe(true)
    const asked = own.ping(20)
    // It is on its way over the kept connection.
    await new Promise(process.nextTick)
    Atomics.wait(answers, 0, 1, LONG_MS)
    Atomics.wait(answers, 0, 2, 50)
    expect(await asked).toBe(true)
    own.close()
    await engine.terminate()
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
