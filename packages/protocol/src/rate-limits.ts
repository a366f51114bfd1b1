/** One entry of `X-Sentry-Rate-Limits` (protocol.md 2.5). */
export interface RateLimitEntry {
  readonly retryAfterSeconds: number
  /** Names of data categories; empty means every category. */
  readonly categories: readonly string[]
  /** `organization`, `project`, `key`; unknown scopes are kept. */
  readonly scope: string
  readonly reasonCode: string | null
  /** Meaningful for `metric_bucket` only. */
  readonly namespaces: readonly string[]
}

/** What SDKs assume when the number cannot be read. */
const DEFAULT_RETRY_AFTER_SECONDS = 60

/** Never fails: entries that say nothing are skipped, extra fields are ignored. */
export const parseRateLimits = (header: string): RateLimitEntry[] => {
  const entries: RateLimitEntry[] = []
  for (const part of header.split(',')) {
    const text = part.trim()
    if (text === '') continue
    const [retryAfter = '', categories = '', scope = '', reasonCode = '', namespaces = ''] = text.split(':')
    const seconds = Number.parseInt(retryAfter, 10)
    entries.push({
      retryAfterSeconds: Number.isFinite(seconds) && seconds >= 0 ? seconds : DEFAULT_RETRY_AFTER_SECONDS,
      categories: splitList(categories),
      scope: scope.trim(),
      reasonCode: reasonCode.trim() === '' ? null : reasonCode.trim(),
      namespaces: splitList(namespaces),
    })
  }
  return entries
}

/** The header's value. Names must not hold `,`, `:` or `;`. */
export const formatRateLimits = (entries: readonly RateLimitEntry[]): string =>
  entries
    .map(({ retryAfterSeconds, categories, scope, reasonCode, namespaces }) => {
      const fields = [String(Math.max(0, Math.ceil(retryAfterSeconds))), categories.join(';'), scope]
      if (reasonCode !== null || namespaces.length > 0) fields.push(reasonCode ?? '')
      if (namespaces.length > 0) fields.push(namespaces.join(';'))
      return fields.join(':')
    })
    .join(', ')

const splitList = (text: string): string[] =>
  text
    .split(';')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
