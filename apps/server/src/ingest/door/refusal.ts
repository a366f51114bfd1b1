/**
 * Why the door keeps nothing of a request, in the words that the sender reads. `detail` says what happened and, where the
 * sender can do something, what; it never repeats text from the request.
 */
export interface Refusal {
  readonly status: 400 | 401 | 403 | 404 | 405 | 408 | 413 | 415 | 429 | 503
  readonly detail: string
  readonly causes: readonly string[]
  /** Reason of the outcome, from the catalogue in docs/spec.md. */
  readonly reason: string
  /** Value of `Retry-After`. */
  readonly retryAfterSeconds?: number
  /** Value of `X-Sentry-Rate-Limits`. */
  readonly rateLimits?: string
  /** More of the answer's JSON, where the protocol wants its own names. */
  readonly fields?: Readonly<Record<string, unknown>>
}

export const refuse = (
  status: Refusal['status'],
  reason: string,
  detail: string,
  more: Partial<Pick<Refusal, 'causes' | 'retryAfterSeconds' | 'rateLimits' | 'fields'>> = {},
): Refusal => ({ status, reason, detail, causes: [], ...more })
