import { request } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

const ANSWER_MS = 60_000

/** One POST on a connection of its own; status 0 when the server cut the connection without an answer. */
export const post = (
  port: number,
  path: string,
  body: Buffer | string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> =>
  new Promise((resolve) => {
    let answered = false
    const asked = request(
      {
        host: '127.0.0.1',
        port,
        path,
        method: 'POST',
        agent: false,
        timeout: ANSWER_MS,
        headers: { 'content-length': String(Buffer.byteLength(body)), ...headers },
      },
      (answer) => {
        answered = true
        const chunks: Buffer[] = []
        const settle = (): void =>
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text: Buffer.concat(chunks).toString() })
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('close', settle)
      },
    )
    asked.on('timeout', () => asked.destroy())
    // A refusal may come, and the connection go, while the body is still being written.
    asked.on('error', (error) => {
      if (!answered) resolve({ status: 0, headers: {}, text: error.message })
    })
    asked.end(body)
  })
