import { request } from 'node:http'
import type { ClientRequest, IncomingHttpHeaders } from 'node:http'

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

const ANSWER_MS = 60_000

/** What is answered, or status 0 and why there is no answer. */
export const answerOf = (asked: ClientRequest): Promise<Answer> =>
  new Promise((resolve) => {
    let answered = false
    asked.on('response', (answer) => {
      answered = true
      const chunks: Buffer[] = []
      const settle = (): void =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text: Buffer.concat(chunks).toString() })
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('close', settle)
    })
    asked.setTimeout(ANSWER_MS, () => asked.destroy(new Error(`nothing came or went for ${ANSWER_MS} ms`)))
    // A refusal may come, and the connection go, while the body is still being written.
    asked.on('error', (error) => {
      if (!answered) resolve({ status: 0, headers: {}, text: error.message })
    })
  })

/** One POST on a connection of its own. */
export const post = (
  port: number,
  path: string,
  body: Buffer | string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> => {
  const asked = request({
    host: '127.0.0.1',
    port,
    path,
    method: 'POST',
    agent: false,
    headers: { 'content-length': String(Buffer.byteLength(body)), ...headers },
  })
  const answer = answerOf(asked)
  asked.end(body)
  return answer
}
