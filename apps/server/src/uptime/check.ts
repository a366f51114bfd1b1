/** An address that is asked, and what its answer has to be; `SealedCheck` is how it is kept. */
export interface UptimeCheck {
  readonly url: string
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string
  readonly timeoutMs: number
  /** Statuses that are well: `200-299, 401`. */
  readonly statuses: string
  /** Text that the answer has to have, and one that it must not have; '' for none. */
  readonly textPresent: string
  readonly textAbsent: string
  /** `status.database` or `items[0].id`; '' for none. Without a value it has to be there. */
  readonly jsonPath: string
  readonly jsonValue: string
  /** Slower is a failure; null for any. */
  readonly latencyMs: number | null
}

/** What may be wrong, by name. */
export type FailureKind =
  | 'dns'
  | 'connect'
  | 'tls'
  | 'timeout'
  | 'redirects'
  | 'blocked'
  | 'status'
  | 'text'
  | 'json'
  | 'latency'

export interface Failure {
  readonly kind: FailureKind
  /** In a sentence. */
  readonly reason: string
}

/** Failures that may as well be of this server's own network. */
export const UNREACHABLE: ReadonlySet<FailureKind> = new Set(['dns', 'connect', 'timeout'])
