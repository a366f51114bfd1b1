import { isObject } from '@firsthand/protocol'
import { EVENT_LIMITS } from '../limits.ts'
import type { EventRequest, Json, Pairs } from '../event.ts'
import { sayCut } from '../remarks.ts'
import { isEmpty, readBag, trimValue } from './bag.ts'
import { firstOf, readObject, readText } from './fields.ts'
import { memoise } from '../../lib/memoise.ts'
import { type MutablePairs, parseCookies, parseQuery, readPairs, readPairsOrText } from './pairs.ts'
import { parseEmbeddedJson } from './read-json.ts'
import { isAbsent, type Raw, type Reading } from './reading.ts'
import { cut } from './text.ts'

const FILTERED = '[Filtered]'
const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'

/** Reads the HTTP request (protocol.md 3.1.7). */
export const readRequest = (reading: Reading, event: Raw): EventRequest | undefined => {
  const key = firstOf(event, 'request', 'sentry.interfaces.Http')
  const raw = readObject(reading, event, key)
  if (raw === undefined) return undefined
  reading.enter(key)
  const request: EventRequest = {}
  readUrl(reading, raw, request)
  const method = readText(reading, raw, 'method', EVENT_LIMITS.METHOD_CHARS)
  if (method !== undefined) {
    if (/^[\w-]+$/.test(method)) request.method = method.toUpperCase()
    else reading.invalid('method', method, 'expected an HTTP method')
  }
  const headers = readHeaders(reading, raw)
  const cookies =
    readPairsOrText(reading, raw, 'cookies', parseCookies, EVENT_LIMITS.COOKIES) ?? takeCookieHeader(headers)
  if (headers.length > 0) request.headers = headers
  if (cookies !== undefined) request.cookies = cookies
  readBody(raw['data'], request)
  const env = readBag(reading, raw, 'env', EVENT_LIMITS.LARGE_BAG_DEPTH, EVENT_LIMITS.LARGE_BAG_CHARS)
  if (env !== undefined) request.env = env
  const target = readText(reading, raw, 'api_target', EVENT_LIMITS.WORD_CHARS)
  if (target !== undefined) request.api_target = target
  reading.leave()
  return isEmpty(request) ? undefined : request
}

/** The URL without what has a field of its own. */
const readUrl = (reading: Reading, raw: Raw, request: EventRequest): void => {
  const query = readPairsOrText(reading, raw, 'query_string', parseQuery, EVENT_LIMITS.QUERY_PARAMETERS)
  const fragment = readText(reading, raw, 'fragment', EVENT_LIMITS.NAME_CHARS)
  const text = readText(reading, raw, 'url', EVENT_LIMITS.URL_CHARS)
  const parts = text === undefined ? undefined : splitUrl(text)
  if (parts !== undefined && parts.url !== '') request.url = parts.url
  const parameters = query ?? (parts === undefined ? undefined : nonEmpty(parseQuery(parts.query)))
  if (parameters !== undefined) request.query_string = parameters
  const anchor = fragment ?? parts?.fragment
  if (anchor !== undefined && anchor !== '') request.fragment = cut(anchor, EVENT_LIMITS.NAME_CHARS)
}

const splitUrl = (text: string): { url: string; query: string; fragment: string } => {
  const hash = text.indexOf('#')
  const beforeHash = hash < 0 ? text : text.slice(0, hash)
  const fragment = hash < 0 ? '' : text.slice(hash + 1)
  const mark = beforeHash.indexOf('?')
  return mark < 0
    ? { url: beforeHash, query: '', fragment }
    : { url: beforeHash.slice(0, mark), query: beforeHash.slice(mark + 1), fragment }
}

const nonEmpty = (pairs: Pairs): Pairs | undefined => (pairs.length > 0 ? pairs : undefined)

const readHeaders = (reading: Reading, raw: Raw): MutablePairs => {
  const headers = readPairs(reading, raw['headers'], 'headers', EVENT_LIMITS.HEADERS)
  for (const header of headers) header[0] = titleCase(header[0])
  return headers
}

/** `user-agent` → `User-Agent` */
const titleCase = memoise(
  (name: string) => name.toLowerCase().replace(/(?<![a-z0-9])[a-z]/g, (letter) => letter.toUpperCase()),
  EVENT_LIMITS.MEMO_ENTRIES,
  EVENT_LIMITS.WORD_CHARS,
)

/** Cookies that were only sent as a header; the header goes, so that they are kept once. */
const takeCookieHeader = (headers: MutablePairs): Pairs | undefined => {
  const index = headers.findIndex(([name]) => name === 'Cookie')
  const value = headers[index]?.[1]
  if (value === undefined || value === FILTERED) return undefined
  const cookies = parseCookies(value)
  if (cookies.length === 0) return undefined
  headers.splice(index, 1)
  return cookies
}

const readBody = (data: unknown, request: EventRequest): void => {
  if (isAbsent(data) || data === '' || isEmpty(data)) return
  const parsed = typeof data === 'string' ? parseBody(data, contentType(request)) : { value: data }
  request.data = trimValue(parsed.value, EVENT_LIMITS.LARGE_BAG_DEPTH, EVENT_LIMITS.LARGE_BAG_CHARS)
  if (typeof parsed.value === 'string' && typeof request.data === 'string' && request.data !== parsed.value) {
    sayCut(request, 'data', request.data, parsed.value.length)
  }
  if (parsed.type !== undefined) request.inferred_content_type = parsed.type
}

const contentType = (request: EventRequest): string | undefined =>
  request.headers
    ?.find(([name]) => name === 'Content-Type')?.[1]
    .split(';', 1)[0]
    ?.trim()
    .toLowerCase()

const parseBody = (text: string, declared: string | undefined): { value: unknown; type?: string } => {
  if (
    declared === JSON_TYPE ||
    declared?.endsWith('+json') === true ||
    (declared === undefined && /^\s*[[{]/.test(text))
  ) {
    const value = parseEmbeddedJson(text)
    if (isObject(value) || Array.isArray(value)) return { value, type: JSON_TYPE }
  }
  if (declared === FORM_TYPE || (declared === undefined && /^[\w.%+[\]-]+=[^\s{<"]*$/.test(text))) {
    return { value: asObject(parseQuery(text)), type: FORM_TYPE }
  }
  return declared === undefined ? { value: text } : { value: text, type: cut(declared, EVENT_LIMITS.NAME_CHARS) }
}

/** A repeated field becomes a list. */
const asObject = (pairs: Pairs): { [name: string]: Json } => {
  const object = new Map<string, string | string[]>()
  for (const [name, value] of pairs) {
    const known = object.get(name)
    if (known === undefined) object.set(name, value)
    else if (typeof known === 'string') object.set(name, [known, value])
    else known.push(value)
  }
  object.delete('__proto__')
  return Object.fromEntries(object)
}
