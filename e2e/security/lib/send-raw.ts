import { Agent, request } from 'node:http'

/** One POST over kept connections, as bytes. Status 0: the connection ended without an answer. */

export interface RawAnswer {
  readonly status: number
  readonly text: string
  readonly milliseconds: number
}

export interface Sender {
  send(
    path: string,
    headers: Readonly<Record<string, string>>,
    body: Buffer,
    options?: { readonly slow?: boolean },
  ): Promise<RawAnswer>
  close(): void
}

const ANSWER_MS = 60_000
const SLOW_PARTS = 4
const SLOW_PAUSE_MS = 50

export const createSender = (port: number, connections: number): Sender => {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  return {
    send: (path, headers, body, { slow = false } = {}) =>
      new Promise((resolve) => {
        const started = performance.now()
        const settle = (status: number, text: string): void =>
          resolve({ status, text, milliseconds: performance.now() - started })
        let answered = false
        const asked = request(
          { host: '127.0.0.1', port, path, method: 'POST', agent, headers, timeout: ANSWER_MS },
          (answer) => {
            answered = true
            const chunks: Buffer[] = []
            answer.on('data', (chunk: Buffer) => chunks.push(chunk))
            answer.on('close', () => settle(answer.statusCode ?? 0, Buffer.concat(chunks).toString()))
          },
        )
        asked.on('timeout', () => asked.destroy())
        // A refusal may come, and the connection go, while the body is still being written.
        asked.on('error', (error) => {
          if (!answered) settle(0, error.message)
        })
        if (!slow) {
          asked.setHeader('content-length', body.length)
          asked.end(body)
          return
        }
        const size = Math.ceil(body.length / SLOW_PARTS) || 1
        const write = (at: number): void => {
          if (at >= body.length) {
            asked.end()
            return
          }
          asked.write(body.subarray(at, at + size))
          setTimeout(() => write(at + size), SLOW_PAUSE_MS)
        }
        write(0)
      }),
    close: () => agent.destroy(),
  }
}
