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
