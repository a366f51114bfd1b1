import { EventType, fieldsOf, isFields, type Fields, type RecordedEvent } from '@firsthand/recording'
import type { ReplayRequest, ReplayRequestSide } from '@firsthand/contract'
import { LIMITS } from '../limits.ts'
import { cut, numberIn, textIn } from '../read/fields.ts'
import { isRequestOp, statusIn } from '../read/requests.ts'

/** What a recorder noted of requests beyond their marks: headers and bodies. */

const isRequest = (payload: unknown): payload is Fields => isFields(payload) && isRequestOp(payload['op'])

/** Only what is shown: recorders send headers as texts. */
const headersOf = (side: Fields): Pick<ReplayRequestSide, 'headers' | 'headersLeftOut'> => {
  const { headers } = side
  if (!isFields(headers)) return { headers: [], headersLeftOut: 0 }
  const names = Object.keys(headers)
  const shown: ReplayRequestSide['headers'] = []
  for (const given of names.slice(0, LIMITS.REPLAY_REQUEST_HEADERS)) {
    const name = cut(given, LIMITS.REPLAY_WORD_CHARS)
    const value = textIn(headers, given, LIMITS.REPLAY_URL_CHARS)
    shown.push({ name, value })
  }
  return { headers: shown, headersLeftOut: names.length - shown.length }
}

const isNestedBeyond = (levels: number, value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((one) => isNestedBeyond(levels - 1, one)))

/** Over several lines, whose indents grow with the square of how deeply a value is nested: only what is small and flat. */
const writeValue = (value: unknown): string => {
  const line = JSON.stringify(value)
  return line.length > LIMITS.REPLAY_REQUEST_BODY_CHARS || isNestedBeyond(LIMITS.REPLAY_REQUEST_BODY_LEVELS, value)
    ? line
    : JSON.stringify(value, null, 2)
}

/** A text as it was sent; values as JSON, which only those have that the recorder could read. */
const textOfBody = (body: unknown): { readonly text: string; readonly isJson: boolean } | null => {
  if (body === undefined || body === null) return null
  if (typeof body === 'string') return { text: body, isJson: false }
  try {
    return { text: writeValue(body), isJson: true }
  } catch {
    // Nested too deeply to be written.
    return null
  }
}

const warningsOf = (side: Fields): readonly string[] => {
  const { _meta: meta } = side
  const warnings = isFields(meta) ? meta['warnings'] : []
  if (!Array.isArray(warnings)) return []
  return (warnings as readonly unknown[])
    .filter((warning) => typeof warning === 'string')
    .slice(0, LIMITS.REPLAY_REQUEST_WARNINGS)
    .map((warning) => cut(warning, LIMITS.REPLAY_WORD_CHARS))
}

const sideOf = (data: Fields, name: 'request' | 'response'): ReplayRequestSide | null => {
  const side = data[name]
  if (!isFields(side)) return null
  const headers = headersOf(side)
  const body = textOfBody(side['body'])
  const shown = body === null ? null : cut(body.text, LIMITS.REPLAY_REQUEST_BODY_CHARS)
  return {
    ...headers,
    size: numberIn(side, 'size'),
    body: shown,
    isJson: body?.isJson ?? false,
    bodyLeftOut: (body?.text.length ?? 0) - (shown?.length ?? 0),
    warnings: [...warningsOf(side)],
  }
}

const requestOf = (payload: Fields): ReplayRequest => {
  const data = fieldsOf(payload['data'])
  return {
    method: textIn(data, 'method', LIMITS.REPLAY_ELEMENT_WORD_CHARS).toUpperCase() || 'GET',
    url: textIn(payload, 'description', LIMITS.REPLAY_URL_CHARS),
    status: statusIn(data),
    request: sideOf(data, 'request'),
    response: sideOf(data, 'response'),
  }
}

/**
 * One of the requests of a segment that began at a moment; null when it has none there.
 *
 * @param events of the segment, by the visitor's clock
 * @param at by the same clock, in whole milliseconds
 * @param place among those that began then, in their order
 */
export const readRequestAt = (
  events: readonly RecordedEvent[],
  { at, place }: { readonly at: number; readonly place: number },
): ReplayRequest | null => {
  let before = place
  for (const { data, timestamp, type } of events) {
    if (type !== EventType.Custom || Math.round(timestamp) !== at || !isFields(data)) continue
    const { payload, tag } = data
    if (tag !== 'performanceSpan' || !isRequest(payload)) continue
    if (before === 0) return requestOf(payload)
    before -= 1
  }
  return null
}
