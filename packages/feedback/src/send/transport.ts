import { post, type Report } from './envelope.ts'

/** Waiting for an answer (specification.md 1): after this nobody knows. */
export const TIMEOUT_MS = 5000

export interface Answer {
  /** HTTP status; 0 when the request was blocked or the connection failed. */
  readonly status: number
  /** Page where the visitor finds the answer, when the server gives one. */
  readonly threadUrl?: string
  /** Wait that a 429 or 503 asks for, in milliseconds. */
  readonly retryAfterMs?: number
}

export const isSuccess = ({ status }: Answer): boolean => status >= 200 && status < 300

/** Tries the addresses in order until one of them answers at all. Never rejects; never gives up by itself. */
export const deliver = async (report: Report): Promise<Answer> => {
  for (const url of report.urls) {
    // No answer: the next address may have one.
    const response = await post(report, url).catch(() => null)
    if (response !== null) return await answerOf(response, report, url)
  }
  return { status: 0 }
}

const answerOf = async (response: Response, report: Report, asked: string): Promise<Answer> => {
  const { status, headers } = response
  if (status >= 200 && status < 300) {
    const threadUrl = await threadUrlOf(response, report, asked)
    return { status, ...(threadUrl !== null && { threadUrl }) }
  }
  // A body that nobody reads would hold the connection.
  response.body?.cancel().catch(() => undefined)
  const retryAfterMs = retryAfterOf(headers.get('retry-after'))
  return { status, ...(retryAfterMs !== null && { retryAfterMs }) }
}

/**
 * The status says that the report is stored; a body that breaks off changes nothing. A link that leads anywhere but to the server of
 * the DSN, or to what the report was sent to, is not shown: whoever answers in its place must not lead visitors away.
 */
const threadUrlOf = async (response: Response, { header }: Report, asked: string): Promise<string | null> => {
  const body: unknown = await response.json().catch(() => null)
  const url = typeof body === 'object' && body !== null && 'thread_url' in body ? body.thread_url : null
  const origin = typeof url === 'string' && /^https?:\/\//i.test(url) ? originOf(url) : null
  if (origin === null || (origin !== originOf(String(header['dsn'])) && origin !== originOf(asked))) return null
  return url as string
}

const originOf = (address: string): string | null => {
  try {
    return new URL(address, location.href).origin
  } catch {
    // What is no address has no origin.
    return null
  }
}

/** Seconds or a date (RFC 9110, 10.2.3). */
const retryAfterOf = (value: string | null): number | null => {
  if (value === null) return null
  const ms = /^\d+$/.test(value.trim()) ? Number(value) * 1000 : Date.parse(value) - Date.now()
  return Number.isFinite(ms) ? Math.max(0, ms) : null
}
