import type { Duplex } from 'node:stream'

/** Why Node could not read a request, and what its sender is told. */
const ANSWERS: ReadonlyMap<string, readonly [status: string, detail: string]> = new Map([
  [
    'HPE_HEADER_OVERFLOW',
    [
      '431 Request Header Fields Too Large',
      'The address and the headers of the request are too long. Shorten the search, or ask for fewer ids at once.',
    ],
  ],
  [
    'HPE_CHUNK_EXTENSIONS_OVERFLOW',
    ['413 Payload Too Large', 'The chunks of the body carry too much beside the body.'],
  ],
  ['ERR_HTTP_REQUEST_TIMEOUT', ['408 Request Timeout', 'The request did not arrive in time.']],
])
const UNREADABLE = ['400 Bad Request', 'This is no HTTP request that can be read.'] as const

/**
 * Says why in the shape of every other refusal, readable for pages of other sites too, and ends the connection: what
 * follows on it cannot be told from the rest of the broken request.
 */
export const answerBrokenRequest = (code: string | undefined, socket: Duplex): void => {
  const [status, detail] = ANSWERS.get(code ?? '') ?? UNREADABLE
  const body = JSON.stringify({ detail })
  const head = [
    `HTTP/1.1 ${status}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Access-Control-Allow-Origin: *',
    'Access-Control-Expose-Headers: x-sentry-error',
    `X-Sentry-Error: ${detail}`,
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
}
