import { isObject } from '@firsthand/protocol'
import { EVENT_LIMITS } from '../limits.ts'
import type { EventType, Json, JsonObject, NormalisedEvent } from '../event.ts'
import { trimValue } from './bag.ts'
import { isAbsent, type Raw } from './reading.ts'
import { cut } from './text.ts'

/**
 * Browser reports (protocol.md 2.7 and 3.13): CSP, HPKP, Expect-CT, Expect-Staple and network errors, in the classic form
 * or as an entry of the Reporting API. One report per item.
 */
export interface Report {
  readonly type: Exclude<EventType, 'error' | 'default' | 'generic'>
  /** Fields in snake_case. */
  readonly fields: JsonObject
  readonly message: string
  readonly level: 'error' | 'info'
  readonly url: string | undefined
  readonly userAgent: string | undefined
  /** How long before it was sent it happened, in milliseconds. */
  readonly ageMs: number
  readonly tags: readonly (readonly [string, string])[]
}

/** Undefined when this is no report that Firsthand knows: the Reporting API also delivers deprecations and the like. */
export const readReport = (payload: unknown): Report | undefined => {
  if (Array.isArray(payload)) {
    for (const entry of payload) {
      const report = readReport(entry)
      if (report !== undefined) return report
    }
    return undefined
  }
  if (!isObject(payload)) return undefined
  return readClassic(payload) ?? readReportingApi(payload)
}

const readClassic = (raw: Raw): Report | undefined => {
  const classic = [
    ['csp-report', csp],
    ['expect-ct-report', expectCt],
    ['expect-staple-report', expectStaple],
  ] as const
  for (const [key, read] of classic) {
    const body = raw[key]
    if (isObject(body)) return { ...NO_SURROUNDINGS, ...read(snakeCase(body)) }
  }
  return 'known-pins' in raw ? { ...NO_SURROUNDINGS, ...hpkp(snakeCase(raw)) } : undefined
}

const readReportingApi = (raw: Raw): Report | undefined => {
  const { type, body } = raw
  if (!isObject(body)) return undefined
  const url = typeof raw['url'] === 'string' ? cut(raw['url'], EVENT_LIMITS.URL_CHARS) : undefined
  const surroundings = {
    url,
    userAgent:
      typeof raw['user_agent'] === 'string' ? cut(raw['user_agent'], EVENT_LIMITS.USER_AGENT_CHARS) : undefined,
    ageMs: typeof raw['age'] === 'number' && raw['age'] > 0 ? raw['age'] : 0,
  }
  if (type === 'csp-violation') {
    const report = csp(snakeCase(body))
    return { ...surroundings, ...report, url: report.url ?? url }
  }
  return type === 'network-error' ? { ...surroundings, ...networkError(snakeCase(body), url) } : undefined
}

const NO_SURROUNDINGS = { url: undefined, userAgent: undefined, ageMs: 0 }

type Fields = { [key: string]: Json }
type ReadBody = Pick<Report, 'type' | 'fields' | 'message' | 'level' | 'tags' | 'url'>

/** `blocked-uri`, `blockedURL` → `blocked_uri` */
const snakeCase = (raw: Raw): Fields => {
  const fields: Fields = {}
  const trimmed = trimValue(raw, EVENT_LIMITS.LARGE_BAG_DEPTH, EVENT_LIMITS.LARGER_BAG_CHARS) as JsonObject
  for (const [key, value] of Object.entries(trimmed)) {
    if (isAbsent(value)) continue
    const snake = key
      .replace(/UR[LI]$/, 'Uri')
      .replaceAll(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter}`)
      .replaceAll('-', '_')
      .toLowerCase()
    fields[ALIASES.get(snake) ?? snake] = value
  }
  return fields
}

const ALIASES: ReadonlyMap<string, string> = new Map([['sample', 'script_sample']])

const textOf = (fields: Fields, key: string): string => {
  const value = fields[key]
  return typeof value === 'string' ? value : ''
}

const hostOf = (url: string): string => /^[a-z][a-z0-9+.-]*:\/\/([^/?#:\s]+)/i.exec(url)?.[1] ?? ''

const csp = (fields: Fields): ReadBody => {
  const [violated = ''] = textOf(fields, 'violated_directive').trim().split(/\s+/, 1)
  const directive = textOf(fields, 'effective_directive').trim() || violated
  const blocked = textOf(fields, 'blocked_uri').trim() || 'self'
  const document = textOf(fields, 'document_uri')
  if (directive !== '') fields['effective_directive'] = directive
  fields['blocked_uri'] = blocked
  return {
    type: 'csp',
    fields,
    message: cspMessage(directive, blocked, document),
    level: fields['disposition'] === 'report' ? 'info' : 'error',
    url: document === '' ? undefined : document,
    tags: [
      ['effective-directive', directive],
      ['blocked-uri', blocked],
    ],
  }
}

/** What a directive is about, for the message. */
const NOUNS: ReadonlyMap<string, string> = new Map([
  ['script-src', 'script'],
  ['script-src-elem', 'script'],
  ['script-src-attr', 'script'],
  ['style-src', 'style'],
  ['style-src-elem', 'style'],
  ['style-src-attr', 'style'],
  ['img-src', 'image'],
  ['connect-src', 'connect'],
  ['child-src', 'child'],
  ['frame-src', 'frame'],
  ['font-src', 'font'],
  ['media-src', 'media'],
  ['object-src', 'object'],
  ['worker-src', 'worker'],
  ['manifest-src', 'manifest'],
  ['form-action', 'form action'],
  ['frame-ancestors', 'frame ancestor'],
  ['base-uri', 'base'],
])

const cspMessage = (directive: string, blocked: string, document: string): string => {
  const noun = NOUNS.get(directive) ?? (directive === '' ? 'resource' : directive)
  switch (blocked.replaceAll("'", '').toLowerCase()) {
    case 'inline':
      return `Blocked inline '${noun}'`
    case 'eval':
    case 'wasm-eval':
      return `Blocked unsafe eval() '${noun}'`
    case 'self':
      return `Blocked '${noun}' from 'self'`
    default: {
      const host = hostOf(blocked)
      const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(blocked)?.[1] ?? blocked
      const source =
        host === '' ? (blocked.includes(':') ? `${scheme}:` : blocked) : host === hostOf(document) ? 'self' : host
      return `Blocked '${noun}' from '${cut(source, EVENT_LIMITS.NAME_CHARS)}'`
    }
  }
}

const hosted =
  (type: 'hpkp' | 'expectct' | 'expectstaple', what: string) =>
  (fields: Fields): ReadBody => {
    const hostname = cut(textOf(fields, 'hostname'), EVENT_LIMITS.NAME_CHARS)
    return {
      type,
      fields,
      message: `${what} failed for '${hostname}'`,
      level: 'error',
      url: undefined,
      tags: [
        ['hostname', hostname],
        ['port', typeof fields['port'] === 'number' ? String(fields['port']) : ''],
      ],
    }
  }

const hpkp = hosted('hpkp', 'Public key pinning validation')
const expectCt = hosted('expectct', 'Expect-CT')
const expectStaple = hosted('expectstaple', 'Expect-Staple')

const networkError = (fields: Fields, url: string | undefined): ReadBody => {
  const kind = textOf(fields, 'type') || 'unknown'
  if (url !== undefined) fields['url'] = url
  return {
    type: 'nel',
    fields,
    message: `Network error '${cut(kind, EVENT_LIMITS.NAME_CHARS)}' at '${cut(hostOf(url ?? ''), EVENT_LIMITS.NAME_CHARS)}'`,
    level: kind === 'ok' ? 'info' : 'error',
    url,
    tags: [
      ['nel.type', kind],
      ['nel.phase', textOf(fields, 'phase')],
    ],
  }
}

/** Puts a report into the field of the event that is named after its type. */
export const placeReport = (event: NormalisedEvent, report: Report): void => {
  event[report.type] = report.fields
}
