/** Why something that a person asked for was not done. `detail` is for that person. */
export interface Failure {
  readonly kind: 'not_found' | 'conflict' | 'invalid' | 'forbidden' | 'wrong_credentials' | 'too_many_attempts' | 'busy'
  readonly detail: string
  /** Which field of the form it is about. */
  readonly field?: string
  readonly retryAfterSeconds?: number
}

export const failure = (
  kind: Failure['kind'],
  detail: string,
  more: Omit<Failure, 'kind' | 'detail'> = {},
): Failure => ({ kind, detail, ...more })
