import type { DoorParts } from './door.ts'
import type { DoorForm } from './form.ts'

/**
 * The ingest routes (protocol.md 2.1). Written by hand rather than with a router: every request of the server passes here
 * first, and a path prefix, doubled slashes and a missing final slash must not matter.
 */
export type RouteKind =
  | 'envelope'
  | 'store'
  | 'security'
  | 'nel'
  | 'cron'
  | 'minidump'
  | 'unreal'
  | 'attachments'
  | 'otlp'
  | 'tunnel'
  | 'form'

export interface Route {
  readonly kind: RouteKind
  /** Null where the path names no project; -1 when it names something that is not a number. */
  readonly projectId: number | null
  /** Public key in the path (cron, unreal). */
  readonly key: string | null
  /** Monitor slug (cron), event id (attachments), project (form) or last word (otlp), as in the path. */
  readonly subject: string | null
  /** Raw query string, without `?`. */
  readonly query: string
  /** Set for the kind `form`. */
  readonly form: DoorForm | null
  /** Type of the item that the body becomes. Set for the kind `otlp`. */
  readonly itemType: string | null
  /** End of the path of a check-in, which says how it went; null without one. */
  readonly action: string | null
}

/** Addresses of capabilities. */
type Declared = Pick<DoorParts, 'forms' | 'otlpAddresses'>

/** Stands for a project id that is not a number; answered with 400. */
export const MALFORMED_PROJECT = -1

const API = '/api/'

/**
 * Null when the path is not an ingest route.
 *
 * @param url the request target as received
 * @param tunnelPath one more path of the tunnel, which no list of an ad-blocker has; null for none
 */
export const matchRoute = (url: string, tunnelPath: string | null = null, declared: Declared = {}): Route | null => {
  const mark = url.indexOf('?')
  const path = mark < 0 ? url : url.slice(0, mark)
  const query = mark < 0 ? '' : url.slice(mark + 1)
  const clean = path.includes('//') ? path.replaceAll(/\/{2,}/g, '/') : path
  let at = clean.indexOf(API)
  while (at >= 0) {
    const route = matchApi(clean.slice(at + API.length), query, declared)
    if (route !== null) return route
    at = clean.indexOf(API, at + 1)
  }
  if (tunnelPath !== null && (clean === tunnelPath || clean === `${tunnelPath}/`)) return plain('tunnel', null, query)
  if (clean.endsWith('/tunnel') || clean.endsWith('/tunnel/')) return plain('tunnel', null, query)
  return null
}

const matchApi = (rest: string, query: string, declared: Declared): Route | null => {
  const segments = rest.split('/')
  if (segments.at(-1) === '') segments.pop()
  for (const form of declared.forms ?? []) {
    const match = form.match(segments)
    if (match !== null) return { ...plain('form', null, query), subject: match.project, form }
  }
  const [project = '', name = '', ...more] = segments
  if (more.length === 0) {
    if (name === '') return project === 'store' ? plain('store', null, query) : null
    const kind = SIMPLE.get(name)
    if (kind === undefined) return null
    const projectId = parseProject(project)
    // `/api/0/…` is the web API; a word instead of a number is a broken DSN only where no other route can be meant.
    if (projectId === 0) return null
    if (projectId === MALFORMED_PROJECT && kind !== 'envelope' && kind !== 'store') return null
    return plain(kind, projectId, query)
  }
  const projectId = parseProject(project)
  // `/api/0/…` is the web API.
  if (projectId <= 0) return null
  return matchDeep(name, more, projectId, query) ?? matchOtlp([name, ...more], projectId, query, declared)
}

const SIMPLE: ReadonlyMap<string, RouteKind> = new Map([
  ['envelope', 'envelope'],
  ['store', 'store'],
  ['security', 'security'],
  ['csp-report', 'security'],
  ['nel', 'nel'],
  ['minidump', 'minidump'],
])

const matchDeep = (name: string, more: readonly string[], projectId: number, query: string): Route | null => {
  const [second = '', third = ''] = more
  if (name === 'cron' && more.length <= 3) {
    const [, key = null, action = null] = more
    return { ...plain('cron', projectId, query), key, subject: second, action }
  }
  if (name === 'unreal' && more.length === 1) return { ...plain('unreal', projectId, query), key: second }
  if (name === 'events' && more.length === 2 && third === 'attachments') {
    return { ...plain('attachments', projectId, query), subject: second }
  }
  return null
}

/** `integration/otlp/v1/<word>`, or without `integration`, where a capability has declared the word. */
const matchOtlp = (
  segments: readonly string[],
  projectId: number,
  query: string,
  { otlpAddresses }: Declared,
): Route | null => {
  const word = /^(?:integration\/)?otlp\/v1\/([^/]+)$/.exec(segments.join('/'))?.[1] ?? ''
  const itemType = otlpAddresses?.get(word)
  return itemType === undefined ? null : { ...plain('otlp', projectId, query), subject: word, itemType }
}

const plain = (kind: RouteKind, projectId: number | null, query: string): Route => ({
  kind,
  projectId,
  key: null,
  subject: null,
  query,
  form: null,
  itemType: null,
  action: null,
})

const parseProject = (text: string): number => {
  if (!/^\d{1,16}$/.test(text)) return MALFORMED_PROJECT
  const id = Number(text)
  return Number.isSafeInteger(id) ? id : MALFORMED_PROJECT
}
