import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { boundRequestTime } from './request-time.ts'

let server: Server
let port: number
beforeEach(async () => {
  server = createServer((request, response) => {
    boundRequestTime(request, 200)
    request.resume().on('end', () => response.end('all of it'))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
})
afterEach(async () => {
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
})

const send = async (text: string) => {
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.on('data', (piece) => (answer += piece.toString()))
  socket.write(text)
  await expect.poll(() => answer, { timeout: 20_000 }).not.toBe('')
  socket.destroy()
  return answer
}

it('ends a request that does not arrive in time, and says so', async () => {
  const answer = await send('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf')
  expect(answer).toMatch(/^HTTP\/1\.1 408 /)
  expect(answer).toContain('The request did not arrive in time.')
})

it('leaves alone what has arrived', async () => {
  expect(await send('GET / HTTP/1.1\r\nHost: x\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /)
  expect(await send('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nfull')).toMatch(/^HTTP\/1\.1 200 /)
})

it('gives more time once it is known who sends, and the first bound ends nothing then', async () => {
  server.removeAllListeners('request').on('request', (request, response) => {
    boundRequestTime(request, 50)
    if (request.url === '/files') boundRequestTime(request, 20_000)
    request.resume().on('end', () => response.end('all of it'))
  })
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.on('data', (piece) => (answer += piece.toString()))
  const arrived = once(server, 'request')
  socket.write('POST /files HTTP/1.1\r\nHost: x\r\nContent-Length: 8\r\n\r\nhalf')
  await arrived
  // Its first bound is over as well when that of a later one is.
  expect(await send('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 8\r\n\r\nhalf')).toMatch(/^HTTP\/1\.1 408 /)
  expect(answer).toBe('')
  socket.write('half')
  await expect.poll(() => answer, { timeout: 20_000 }).toContain('all of it')
  socket.destroy()
})
