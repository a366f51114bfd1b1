/** The floor for receiving: a bare node:http server that inflates and parses each body, and does nothing else. */
import { createServer } from 'node:http'
import { gunzipSync } from 'node:zlib'

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    let body = Buffer.concat(chunks)
    if (request.headers['content-encoding'] === 'gzip') body = gunzipSync(body)
    const lines = body.toString('utf8').split('\n')
    JSON.parse(lines[0] ?? '{}')
    JSON.parse(lines[1] ?? '{}')
    JSON.parse(lines[2] ?? '{}')
    response.setHeader('content-type', 'application/json')
    response.end('{"id":"00000000000000000000000000000000"}')
  })
})
server.listen(0, '127.0.0.1', () => process.send?.(server.address()))
process.on('disconnect', () => process.exit())
