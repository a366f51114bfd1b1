/** What `X-Sentry-Auth`, `Authorization: Sentry …` or the query string say (protocol.md 2.2). Secret and timestamp are ignored. */
export interface SentryAuth {
  readonly key: string
  /** As sent, `7`, `2.0`, …; null when absent. */
  readonly version: string | null
  /** `name/version`; null when absent. */
  readonly client: string | null
}

const SCHEME = /^\s*sentry\s+/i

/**
 * Parses `Sentry k=v, k=v`: scheme in any case, pairs separated by commas and/or spaces in any order.
 * Null when the scheme is another one or `sentry_key` is missing.
 */
export const parseSentryAuth = (header: string): SentryAuth | null => {
  const scheme = SCHEME.exec(header)
  if (scheme === null) return null
  let key = ''
  let version: string | null = null
  let client: string | null = null
  for (const pair of header.slice(scheme[0].length).split(/[\s,]+/)) {
    const equals = pair.indexOf('=')
    if (equals < 0) continue
    const name = pair.slice(0, equals).toLowerCase()
    const value = unquote(pair.slice(equals + 1))
    if (name === 'sentry_key') key = value
    else if (name === 'sentry_version') version = value
    else if (name === 'sentry_client') client = value
  }
  return key === '' ? null : { key, version, client }
}

const unquote = (text: string): string =>
  text.length > 1 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text
