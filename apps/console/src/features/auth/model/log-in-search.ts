export interface LogInSearch {
  /** Where the person was going: a path of this console. */
  readonly next?: string
}

/** Only paths of this console: `//evil.test` and `https://evil.test` would lead away. */
export function readLogInSearch(search: Record<string, unknown>): LogInSearch {
  const { next } = search
  return typeof next === 'string' && /^\/(?![/\\])/.test(next) ? { next } : {}
}
