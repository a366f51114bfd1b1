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
  | 'otlp_traces'
  | 'otlp_logs'
  | 'otlp_metrics'
  | 'tunnel'
  | 'form'

export interface Route {
  readonly kind: RouteKind
  /** Null where the path names no project; -1 when it names something that is not a number. */
  readonly projectId: number | null
  /** Public key in the path (cron, unreal). */
  readonly key: string | null
  /** Monitor slug (cron), event id (attachments) or project (form), as in the path. */
  readonly subject: string | null
  /** Raw query string, without `?`. */
  readonly query: string
  /** Set for the kind `form`. */
  readonly form: DoorForm | null
}

/** Stands for a project id that is not a number; answered with 400. */
export const MALFORMED_PROJECT = -1

const API = '/api/'

/**
 * Null when the path is not an ingest route.
 *
 * @param url the request target as received
 * @param tunnelPath one more path of the tunnel, which no list of an ad-blocker has; null for none
 * @param forms addresses of capabilities
 */
export const matchRoute = (
  url: string,
  tunnelPath: string | null = null,
  forms: readonly DoorForm[] = [],
): Route | null => {
  const mark = url.indexOf('?')
  const path = mark < 0 ? url : url.slice(0, mark)
  const query = mark < 0 ? '' : url.slice(mark + 1)
  const clean = path.includes('//') ? path.replaceAll(/\/{2,}/g, '/') : path
  let at = clean.indexOf(API)
  while (at >= 0) {
    const route = matchApi(clean.slice(at + API.length), query, forms)
    if (route !== null) return route
    at = clean.indexOf(API, at + 1)
  }
  if (tunnelPath !== null && (clean === tunnelPath || clean === `${tunnelPath}/`)) return plain('tunnel', null, query)
  if (clean.endsWith('/tunnel') || clean.endsWith('/tunnel/')) return plain('tunnel', null, query)
  return null
}

const matchApi = (rest: string, query: string, forms: readonly DoorForm[]): Route | null => {
  const segments = rest.split('/')
  if (segments.at(-1) === '') segments.pop()
  for (const form of forms) {
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
  return matchDeep(name, more, projectId, query)
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
  if (name === 'cron' && more.length <= 2) {
    return { ...plain('cron', projectId, query), key: more.length === 2 ? third : null, subject: second }
  }
  if (name === 'unreal' && more.length === 1) return { ...plain('unreal', projectId, query), key: second }
  if (name === 'events' && more.length === 2 && third === 'attachments') {
    return { ...plain('attachments', projectId, query), subject: second }
  }
  const kind = OTLP.get([name, ...more].join('/'))
  return kind === undefined ? null : plain(kind, projectId, query)
}

const OTLP: ReadonlyMap<string, RouteKind> = new Map([
  ['integration/otlp/v1/traces', 'otlp_traces'],
  ['integration/otlp/v1/logs', 'otlp_logs'],
  ['integration/otlp/v1/metrics', 'otlp_metrics'],
  ['otlp/v1/traces', 'otlp_traces'],
  ['otlp/v1/logs', 'otlp_logs'],
  ['otlp/v1/metrics', 'otlp_metrics'],
])

const plain = (kind: RouteKind, projectId: number | null, query: string): Route => ({
  kind,
  projectId,
  key: null,
  subject: null,
  query,
  form: null,
})

const parseProject = (text: string): number => {
  if (!/^\d{1,16}$/.test(text)) return MALFORMED_PROJECT
  const id = Number(text)
  return Number.isSafeInteger(id) ? id : MALFORMED_PROJECT
}
