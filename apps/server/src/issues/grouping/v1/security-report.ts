import type { JsonObject, NormalisedEvent } from '../../event.ts'
import type { Recorder } from './recorder.ts'

/** CSP, HPKP, Expect-CT, Expect-Staple and NEL reports (protocol.md 5.3). */
export const isSecurityReport = (event: NormalisedEvent): boolean =>
  event.csp !== undefined ||
  event.hpkp !== undefined ||
  event.expectct !== undefined ||
  event.expectstaple !== undefined ||
  event.nel !== undefined

export const hashSecurityReport = (event: NormalisedEvent, parts: string[], recorder: Recorder): boolean => {
  if (event.csp !== undefined) {
    const { directive, source } = readCsp(event.csp)
    recorder.leaf('salt', 'report', 'csp', true)
    recorder.leaf('violation', 'directive', directive, directive !== '')
    recorder.leaf('uri', 'blocked source', source, source !== '')
    parts.push('csp', directive, source)
    return true
  }
  const report = event.hpkp ?? event.expectct ?? event.expectstaple ?? event.nel
  if (report === undefined) return false
  const host = readText(report, 'hostname') || hostOf(readText(report, 'url'))
  const kind = readText(report, 'type')
  recorder.leaf('salt', 'report', event.type, true)
  recorder.leaf('hostname', 'host', host, host !== '')
  if (kind !== '') recorder.leaf('type', 'type', kind, true)
  parts.push(event.type, host, kind)
  return true
}

export interface CspViolation {
  /** The effective directive, e.g. `script-src-elem`. */
  readonly directive: string
  /** `'self'`, `'inline'`, `'eval'`, a scheme such as `data:`, or a host without `www.` and port. */
  readonly source: string
}

const KEYWORDS = new Set(['inline', 'eval', 'self', 'wasm-eval', 'trusted-types-policy', 'trusted-types-sink'])

export const readCsp = (report: JsonObject): CspViolation => {
  const [directive = ''] = (readText(report, 'effective_directive') || readText(report, 'violated_directive')).split(
    /\s+/,
    1,
  )
  const blocked = readText(report, 'blocked_uri').trim()
  const document = hostOf(readText(report, 'document_uri'))
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

const hostOf = (url: string): string => {
  const match = /^(?:[a-z][a-z0-9+.-]*:)?(?:\/\/)?([^/?#:\s]+)/i.exec(url)
  return (match?.[1] ?? '').toLowerCase().replace(/^www\./, '')
}

/** Reports come in `snake_case` and, from tolerant readers, `kebab-case`. */
const readText = (report: JsonObject, key: string): string => {
  const value = report[key] ?? report[key.replaceAll('_', '-')]
  return typeof value === 'string' ? value : ''
}
