import type { JsonObject } from './event.ts'

export interface CspViolation {
  /** The effective directive, e.g. `script-src-elem`. */
  readonly directive: string
  /** `'self'`, `'inline'`, `'eval'`, a scheme such as `data:`, or a host without `www.` and port. */
  readonly source: string
}

const KEYWORDS = new Set(['inline', 'eval', 'self', 'wasm-eval', 'trusted-types-policy', 'trusted-types-sink'])

export const readCsp = (report: JsonObject): CspViolation => {
  const [directive = ''] = (
    readReportText(report, 'effective_directive') || readReportText(report, 'violated_directive')
  ).split(/\s+/, 1)
  const blocked = readReportText(report, 'blocked_uri').trim()
  const document = hostOf(readReportText(report, 'document_uri'))
  return { directive, source: normaliseSource(blocked, document) }
}

const normaliseSource = (blocked: string, documentHost: string): string => {
  // Browsers leave the blocked URI out, or empty, for what the page itself did.
  if (blocked === '') return "'self'"
  const word = blocked.replaceAll("'", '').toLowerCase()
  if (KEYWORDS.has(word)) return `'${word}'`
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(blocked)?.[1]?.toLowerCase()
  if (scheme !== undefined && !['http', 'https', 'ws', 'wss'].includes(scheme)) return `${scheme}:`
  const host = hostOf(blocked)
  return host !== '' && host === documentHost ? "'self'" : host || word
}

/** Of a URL, lower case, without `www.` and port; '' when there is none. */
export const hostOf = (url: string): string => {
  const match = /^(?:[a-z][a-z0-9+.-]*:)?(?:\/\/)?([^/?#:\s]+)/i.exec(url)
  return (match?.[1] ?? '').toLowerCase().replace(/^www\./, '')
}

/** Reports come in `snake_case` and, from tolerant readers, `kebab-case`. */
export const readReportText = (report: JsonObject, key: string): string => {
  const value = report[key] ?? report[key.replaceAll('_', '-')]
  return typeof value === 'string' ? value : ''
}
