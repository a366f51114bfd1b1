import type { ReplayMark, ReplayRequest, ReplayRequestSide } from '@firsthand/contract'

import { formatBytes, formatCount } from '../../../lib/format.ts'
import { requestTone, type Row } from './rows.ts'

/** A request of the page as its tab shows it. */
export interface RequestRow {
  /** The id of its mark. */
  readonly key: string
  readonly at: number
  readonly method: string
  /** As it was recorded. */
  readonly url: string
  /** Null when it had none. */
  readonly status: number | null
  readonly tone: Row['tone']
  /** Milliseconds; null when nobody noted it. */
  readonly duration: number | null
  /** Of the answer. */
  readonly bytes: number | null
  /** `fetch`, `xhr`. */
  readonly kind: string
}

/** By time, as marks are. */
export function readRequestRows(marks: readonly ReplayMark[]): readonly RequestRow[] {
  return marks
    .filter(({ kind }) => kind === 'request')
    .map((mark) => ({
      key: mark.id,
      at: mark.at,
      method: (mark.detail['method'] ?? 'GET').toUpperCase(),
      url: mark.text,
      status: mark.status === 0 ? null : mark.status,
      tone: requestTone(mark),
      duration: mark.duration,
      bytes: mark.value,
      kind: mark.detail['category'] ?? '',
    }))
}

export const REQUEST_STATES = ['all', 'failed', 'slow', '2xx', '3xx', '4xx', '5xx', 'none'] as const
export type RequestState = (typeof REQUEST_STATES)[number]

export interface RequestFilter {
  readonly text: string
  readonly state: RequestState
  /** '' for all. */
  readonly kind: string
}

export const ALL_REQUESTS: RequestFilter = { text: '', state: 'all', kind: '' }

function isIn({ status, tone }: RequestRow, state: RequestState): boolean {
  switch (state) {
    case 'all':
      return true
    case 'failed':
      return tone === 'error'
    case 'slow':
      return tone === 'warning'
    case 'none':
      return status === null
    case '2xx':
    case '3xx':
    case '4xx':
    case '5xx':
      return status !== null && Math.floor(status / 100) === Number(state[0])
  }
}

export function filterRequests(rows: readonly RequestRow[], { kind, state, text }: RequestFilter) {
  const words = text.trim().toLowerCase()
  return rows.filter(
    (row) =>
      (kind === '' || row.kind === kind) &&
      isIn(row, state) &&
      (words === '' || `${row.method} ${row.url}`.toLowerCase().includes(words)),
  )
}

/** First and last moment of rows, for the bars of all of them. */
export interface Sight {
  readonly from: number
  readonly to: number
}

export function sightOf(rows: readonly RequestRow[]): Sight {
  const from = rows[0]?.at ?? 0
  const to = rows.reduce((last, { at, duration }) => Math.max(last, at + (duration ?? 0)), from)
  return { from, to: Math.max(to, from + 1) }
}

/** Whether the recorder said that it cut the body off. */
const CUT: ReadonlySet<string> = new Set(['TEXT_TRUNCATED', 'JSON_TRUNCATED', 'MAYBE_JSON_TRUNCATED'])
const WITHOUT_BODY: ReadonlySet<number | null> = new Set([204, 205, 304])

const NOT_ALLOWED =
  'The recorder was not allowed to keep headers and bodies of this address. It keeps those that networkDetailAllowUrls names.'

/** Why a side has no body; to be asked only where it has none. */
function whyNoBody(side: ReplayRequestSide, of: 'request' | 'response', { method, status }: ReplayRequest): string {
  const { size, warnings } = side
  if (warnings.includes('UNPARSEABLE_BODY_TYPE'))
    return 'The body was of a kind that recorders do not read, such as a file or a stream.'
  if (warnings.includes('BODY_PARSE_TIMEOUT'))
    return 'The recorder did not wait for the end of the body: it took too long.'
  if (warnings.includes('BODY_PARSE_ERROR')) return 'The recorder could not read the body.'
  if (warnings.includes('MAX_BODY_SIZE_EXCEEDED')) return 'The body was larger than the recorder keeps.'
  const [other] = warnings
  if (other !== undefined) return `The recorder kept no body. It says: ${other}.`
  if (of === 'request' && (method === 'GET' || method === 'HEAD')) return `A ${method} request sends no body.`
  if (of === 'response' && (method === 'HEAD' || WITHOUT_BODY.has(status))) return 'An answer like this has no body.'
  if (size === 0) return 'The body was empty.'
  return 'No body was recorded: it was empty, or the recorder was told to keep none (networkCaptureBodies).'
}

/** What of a side is shown, and why the rest of it is not. */
export interface SideWords {
  readonly headers: ReplayRequestSide['headers']
  /** Null when there is none to show. */
  readonly body: string | null
  /** Sentences. */
  readonly notes: readonly string[]
}

/** JSON over several lines; what is none stays. */
function pretty({ body, bodyLeftOut, isJson, warnings }: ReplayRequestSide): string | null {
  if (body === null || isJson || bodyLeftOut > 0 || warnings.some((one) => CUT.has(one))) return body
  if (!/^\s*[[{]/.test(body)) return body
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

export function sideWords(request: ReplayRequest, of: 'request' | 'response'): SideWords {
  const side = request[of]
  if (side === null) {
    const words =
      of === 'request'
        ? 'The recorder noted nothing of what was sent: neither headers nor a body.'
        : 'The recorder noted nothing of the answer: neither headers nor a body.'
    return { headers: [], body: null, notes: [words] }
  }
  if (side.warnings.includes('URL_SKIPPED')) return { headers: [], body: null, notes: [NOT_ALLOWED] }
  const notes: string[] = []
  if (side.headers.length === 0) notes.push('No header was recorded: recorders keep only those that are named to them.')
  if (side.headersLeftOut > 0) notes.push(`${formatCount(side.headersLeftOut)} more headers are not shown.`)
  const body = pretty(side)
  if (body === null) notes.push(whyNoBody(side, of, request))
  else {
    if (side.warnings.some((one) => CUT.has(one)))
      notes.push(
        `The recorder cut the body off${side.size === null ? '' : `; it had ${formatBytes(side.size)} in all`}.`,
      )
    if (side.warnings.some((one) => one.includes('INVALID_JSON')))
      notes.push('The body looks like JSON and is none, so it is shown as it was.')
    if (side.bodyLeftOut > 0) notes.push(`${formatCount(side.bodyLeftOut)} more characters of the body are not shown.`)
  }
  return { headers: side.headers, body, notes }
}
