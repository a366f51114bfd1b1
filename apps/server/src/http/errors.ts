import type { Result } from '../lib/result.ts'
import type { StatementRefusal } from '../lib/statement-refusal.ts'
import { Unanswerable } from '../lib/unanswerable.ts'
import { LIMITS } from './limits.ts'
import { LIMITS as STORAGE_LIMITS } from '../storage/limits.ts'

/**
 * A failure that the caller is meant to see: what happened, why it matters, what to do. Everything else that is thrown
 * becomes a 500 with a digest.
 */
export class HttpError extends Error {
  override readonly name = 'HttpError'
  readonly status: number
  readonly detail: string
  readonly fields: Readonly<Record<string, string>> | undefined
  readonly headers: Readonly<Record<string, string>>

  /**
   * @param fields what is wrong with which field of the body or query, e.g. `{ password: 'Use at least 10 characters.' }`
   */
  constructor(
    status: number,
    detail: string,
    more: {
      fields?: Readonly<Record<string, string>>
      headers?: Readonly<Record<string, string>>
      cause?: unknown
    } = {},
  ) {
    super(detail, { cause: more.cause })
    this.status = status
    this.detail = detail
    this.fields = more.fields
    this.headers = more.headers ?? {}
  }
}

/** Sentry's words; also for what exists in an organisation that is not the caller's. */
export const notFound = (detail = 'The requested resource does not exist'): HttpError => new HttpError(404, detail)

export const unauthorized = (detail = 'Authentication credentials were not provided.'): HttpError =>
  new HttpError(401, detail, { headers: { 'www-authenticate': 'Bearer' } })

export const forbidden = (detail = 'You do not have permission to perform this action.'): HttpError =>
  new HttpError(403, detail)

export const conflict = (detail: string): HttpError => new HttpError(409, detail)

export const badRequest = (detail: string, fields?: Readonly<Record<string, string>>): HttpError =>
  new HttpError(400, detail, fields === undefined ? {} : { fields })

/** What was read of a request. @throws HttpError 400 */
export const orBadRequest = <Value>(result: Result<Value, string>): Value => {
  if (!result.ok) throw badRequest(result.error)
  return result.value
}

/** What went wrong in a route, as it is answered: a question that cannot be answered is a bad request. */
export const asAnswer = (error: unknown): unknown =>
  error instanceof Unanswerable ? new HttpError(400, error.message, { cause: error }) : error

/** What a caller is told whose read was not finished. */
export const explainRefusal = ({ reason, cause }: StatementRefusal): HttpError => {
  const headers = { 'retry-after': String(LIMITS.READ_RETRY_SECONDS) }
  switch (reason) {
    case 'slow':
      return new HttpError(
        503,
        `This search takes too long: it was stopped after ${STORAGE_LIMITS.LEDGER_READ_TIMEOUT_MS / 1000} seconds, so that others need not wait for it. Narrow it, for example to one project or a shorter time.`,
        { headers, cause },
      )
    case 'busy':
      return new HttpError(
        503,
        'Other searches of yours or of your organisation are still running, so this one was not begun. Try again in a few seconds.',
        { headers, cause },
      )
    case 'preparing':
      return new HttpError(
        503,
        'The server is at work on other replays, so what was asked of this one was not begun. Try again in a few seconds.',
        { headers, cause },
      )
    case 'unchanged':
      return new HttpError(
        503,
        `This change could not be made within ${STORAGE_LIMITS.LEDGER_READ_TIMEOUT_MS / 1000} seconds, because it waits for other changes or is large. Look what of it is there, then try again, or change less at once.`,
        { headers, cause },
      )
    case 'lost':
      return new HttpError(
        503,
        'A part of the server was restarted while it worked on this. Look whether what you changed is there, then try again. The log of the server says why.',
        { headers, cause },
      )
  }
}
