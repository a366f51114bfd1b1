import type { Result } from '../lib/result.ts'
import { HttpError } from './errors.ts'

/** An expected failure of a slice, as it is shown to the caller. */
export interface ExpectedFailure {
  readonly kind: 'not_found' | 'conflict' | 'invalid' | 'forbidden' | 'wrong_credentials' | 'too_many_attempts' | 'busy'
  /** For a person: what happened, what to do. */
  readonly detail: string
  /** Which field of the body it is about. */
  readonly field?: string
  readonly retryAfterSeconds?: number
}

const STATUS: Readonly<Record<ExpectedFailure['kind'], number>> = {
  not_found: 404,
  conflict: 409,
  invalid: 400,
  forbidden: 403,
  wrong_credentials: 400,
  too_many_attempts: 429,
  busy: 503,
}

/**
 * The value, or the failure as an answer.
 *
 * @throws HttpError
 */
export const unwrap = <Value>(result: Result<Value, ExpectedFailure>): Value => {
  if (result.ok) return result.value
  const { kind, detail, field, retryAfterSeconds } = result.error
  throw new HttpError(STATUS[kind], detail, {
    ...(field === undefined ? {} : { fields: { [field]: detail } }),
    ...(retryAfterSeconds === undefined ? {} : { headers: { 'retry-after': String(retryAfterSeconds) } }),
  })
}
