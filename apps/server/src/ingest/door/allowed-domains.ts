/**
 * The project setting "Allowed Domains" (protocol.md 2.4). A pattern is `*`, or `[scheme://]host[:port]`, where the host
 * may contain `*`; `*.example.com` also means `example.com`, and a pattern without port means any port.
 *
 * @param origin `Origin`, else `Referer`; null or '' (not a browser) is always allowed
 */
export const isAllowedOrigin = (origin: string | null, patterns: readonly string[]): boolean => {
  if (origin === null || origin === '' || patterns.includes('*')) return true
  const from = parsePattern(origin)
  return from !== null && patterns.some((pattern) => matches(from, parsePattern(pattern)))
}

interface Origin {
  readonly scheme: string | null
  readonly host: string
  readonly port: string | null
}

/** A referer is longer than its origin, but nothing needs more than this. */
const MAX_LENGTH = 2048

const parsePattern = (text: string): Origin | null => {
  const trimmed = text.trim().slice(0, MAX_LENGTH).toLowerCase()
  const match = /^(?:([a-z*][a-z0-9+.*-]*):\/\/)?(\[[0-9a-f:.]+\]|[^:/?#\s]+)(?::(\d{1,5}|\*))?(?:[/?#]|$)/.exec(
    trimmed,
  )
  if (match === null) return null
  return { scheme: match[1] ?? null, host: match[2] ?? '', port: match[3] ?? null }
}

const matches = (from: Origin, pattern: Origin | null): boolean => {
  if (pattern === null) return false
  if (pattern.scheme !== null && pattern.scheme !== '*' && pattern.scheme !== from.scheme) return false
  if (pattern.port !== null && pattern.port !== '*' && pattern.port !== portOf(from)) return false
  if (pattern.host.startsWith('*.') && from.host === pattern.host.slice(2)) return true
  return globMatches(from.host, pattern.host)
}

const portOf = (origin: Origin): string | null => {
  if (origin.port !== null) return origin.port
  if (origin.scheme === 'https') return '443'
  return origin.scheme === 'http' ? '80' : null
}

/** `*` stands for any characters. Each part is found once from the left, so the time is linear in the text. */
const globMatches = (text: string, pattern: string): boolean => {
  const parts = pattern.split('*')
  const first = parts.shift() ?? ''
  const last = parts.pop()
  if (last === undefined) return text === first
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false
  let from = first.length
  for (const part of parts) {
    const at = text.indexOf(part, from)
    if (at < 0) return false
    from = at + part.length
  }
  return from <= text.length - last.length
}
