import { isFields, type Fields, type RecordedEvent } from '@firsthand/recording'
import { LIMITS } from '../limits.ts'
import type { Mark } from '../mark.ts'
import { consoleWords } from './console-words.ts'
import { cut, numberIn, textIn } from './fields.ts'
import { clicksOf, readElement, slowClickKind, waitedOf } from './read-clicks.ts'
import { isRequestOp, statusIn } from './requests.ts'

/** What an SDK notes beside the picture: breadcrumbs and spans of the page, as marks. */

const EMPTY: Fields = {}

const dataOf = (fields: Fields): Fields => (isFields(fields['data']) ? fields['data'] : EMPTY)

const markOf = (at: number, kind: Mark['kind'], more: Partial<Mark> = {}): Mark => ({
  at,
  kind,
  text: '',
  url: '',
  element: null,
  value: null,
  duration: null,
  status: 0,
  detail: {},
  ...more,
})

const detailOf = (pairs: readonly (readonly [string, string])[]): { [name: string]: string } =>
  Object.fromEntries(pairs.filter(([, value]) => value !== ''))

const wordIn = (fields: Fields, name: string): string => textIn(fields, name, LIMITS.REPLAY_WORD_CHARS)
const urlIn = (fields: Fields, name: string): string => textIn(fields, name, LIMITS.REPLAY_URL_CHARS)
const longIn = (fields: Fields, name: string): string => textIn(fields, name, LIMITS.REPLAY_MARK_TEXT_CHARS)

/**
 * What a recorder, ours or Sentry's, says of the recording itself or of the phone, and our routers of their routes; with
 * the data that a reader is told.
 */
const OWN_NOTES: ReadonlyMap<string, readonly string[]> = new Map([
  ['device.battery', ['level', 'charging']],
  ['device.connectivity', ['state']],
  ['device.orientation', ['position']],
  ['navigation.route', ['from', 'to']],
  ['replay.canvas-not-recorded', ['reason']],
  ['replay.canvas-slowed', ['intervalMs']],
  ['replay.mutations', ['count', 'limit']],
  ['replay.page-too-large', ['count', 'limit']],
  ['replay.throttled', []],
  ['replay.too-much', ['limit']],
])

/** Whether a note is of a recorder, a phone or our routers; all others are breadcrumbs that the page wrote itself. */
export const isOwnNote = (category: string): boolean => OWN_NOTES.has(category)

const noteMark = (payload: Fields, at: number, category: string): Mark => {
  const data = dataOf(payload)
  const said = (OWN_NOTES.get(category) ?? []).map((name) => [name, wordIn(data, name)] as const)
  return markOf(at, 'note', { text: category, detail: detailOf([['message', longIn(payload, 'message')], ...said]) })
}

/** @param at milliseconds */
const breadcrumbMark = (payload: Fields, at: number): Mark | null => {
  const data = dataOf(payload)
  const category = wordIn(payload, 'category')
  switch (category) {
    case 'ui.click':
      return elementMark(payload, at, 'click')
    case 'ui.tap':
      return { ...elementMark(payload, at, 'click'), detail: tappedView(data) }
    case 'ui.slowClickDetected': {
      const kind = slowClickKind(data, readElement(payload, data)?.element.tag ?? '')
      // The click itself was noted before.
      if (kind === null) return null
      const more = { url: urlIn(data, 'url'), value: clicksOf(data), duration: waitedOf(data) }
      return { ...elementMark(payload, at, kind), ...more }
    }
    case 'ui.multiClick':
      return null
    case 'ui.input':
      return elementMark(payload, at, 'input')
    case 'ui.focus':
    case 'ui.blur':
      return { ...elementMark(payload, at, 'focus'), detail: { category } }
    case 'ui.keyDown':
      return { ...elementMark(payload, at, 'key'), text: wordIn(data, 'key') }
    case 'navigation':
      return markOf(at, 'navigation', { url: urlIn(data, 'to'), detail: detailOf([['from', urlIn(data, 'from')]]) })
    case 'console':
      return markOf(at, 'console', {
        text: consoleWords(payload, data),
        detail: detailOf([['level', wordIn(payload, 'level')]]),
      })
    case 'sentry.feedback':
      return markOf(at, 'feedback', { detail: detailOf([['feedbackId', wordIn(data, 'feedbackId')]]) })
    case 'replay.hydrate-error':
      return markOf(at, 'hydration_error', { url: urlIn(data, 'url') })
    default:
      return noteMark(payload, at, category)
  }
}

const elementMark = (payload: Fields, at: number, kind: Mark['kind']): Mark => {
  const found = readElement(payload, dataOf(payload))
  const text = found?.text ?? longIn(payload, 'message')
  return markOf(at, kind, { text, element: found?.element ?? null })
}

/** What a phone calls that which was tapped. */
const tappedView = (data: Fields): Mark['detail'] =>
  detailOf([
    ['viewId', wordIn(data, 'view.id')],
    ['viewClass', wordIn(data, 'view.class')],
  ])

/** Ops of the largest contentful paint of SDK 7. */
const OLD_VITALS: ReadonlySet<string> = new Set(['largest-contentful-paint', 'cumulative-layout-shift'])

const spanMark = (payload: Fields, at: number): Mark | null => {
  const op = wordIn(payload, 'op')
  const data = dataOf(payload)
  const begin = numberIn(payload, 'startTimestamp')
  const end = numberIn(payload, 'endTimestamp')
  const duration = begin === null || end === null ? null : Math.max(0, Math.round((end - begin) * 1000))
  if (op === 'web-vital' || OLD_VITALS.has(op)) {
    const text = op === 'web-vital' ? wordIn(payload, 'description') : op
    const [nodeId = null] = Array.isArray(data['nodeIds']) ? (data['nodeIds'] as readonly unknown[]) : [data['nodeId']]
    const detail = detailOf([
      ['rating', wordIn(data, 'rating')],
      ['nodeId', typeof nodeId === 'number' && nodeId >= 0 ? String(nodeId) : ''],
    ])
    return markOf(at, 'vital', { text, value: numberIn(data, 'value'), detail })
  }
  if (op === 'memory') {
    const memory = isFields(data['memory']) ? data['memory'] : EMPTY
    return markOf(at, 'memory', { value: numberIn(memory, 'usedJSHeapSize') })
  }
  if (isRequestOp(op)) return requestMark(payload, at, { op, data, duration })
  if (op.startsWith('navigation.')) {
    const kind = detailOf([
      ['category', op.slice('navigation.'.length)],
      ['from', urlIn(data, 'previous')],
    ])
    return markOf(at, 'navigation', { url: urlIn(payload, 'description'), duration, detail: kind })
  }
  // Files of the page and moments of its painting: their times stand in the events themselves.
  return null
}

const requestMark = (
  payload: Fields,
  at: number,
  { op, data, duration }: { readonly op: string; readonly data: Fields; readonly duration: number | null },
): Mark => {
  const response = isFields(data['response']) ? data['response'] : EMPTY
  return markOf(at, 'request', {
    text: urlIn(payload, 'description'),
    duration,
    status: statusIn(data) ?? 0,
    value: numberIn(response, 'size') ?? numberIn(data, 'responseBodySize'),
    detail: detailOf([
      ['method', cut(wordIn(data, 'method').toUpperCase(), LIMITS.REPLAY_ELEMENT_WORD_CHARS)],
      ['category', op.slice('resource.'.length)],
    ]),
  })
}

/** The video beside this recording. Its length is told in milliseconds. */
const videoMark = (payload: Fields, at: number): Mark => {
  const duration = numberIn(payload, 'duration')
  return markOf(at, 'video', {
    value: numberIn(payload, 'segmentId'),
    duration: duration === null ? null : Math.round(Math.min(Math.max(0, duration), LIMITS.REPLAY_VIDEO_MS)),
    detail: detailOf([
      ['width', wordIn(payload, 'width')],
      ['height', wordIn(payload, 'height')],
    ]),
  })
}

/** Null for what is no moment that anybody looks for. */
export const readMark = ({ data, timestamp }: RecordedEvent): Mark | null => {
  if (!isFields(data)) return null
  const { payload, tag } = data
  if (!isFields(payload)) return null
  if (tag === 'breadcrumb') return breadcrumbMark(payload, timestamp)
  if (tag === 'video') return videoMark(payload, timestamp)
  return tag === 'performanceSpan' ? spanMark(payload, timestamp) : null
}

/** A page that was loaded, with the size of its window. */
export const readPage = ({ data, timestamp }: RecordedEvent): Mark | null => {
  if (!isFields(data)) return null
  const detail = detailOf([
    ['width', wordIn(data, 'width')],
    ['height', wordIn(data, 'height')],
  ])
  return markOf(timestamp, 'page', { url: urlIn(data, 'href'), detail })
}
