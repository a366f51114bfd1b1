import { EventType, isFields, type Fields, type RecordedEvent } from '@firsthand/recording'
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
  return {
    headers: names.slice(0, LIMITS.REPLAY_REQUEST_HEADERS).map((name) => ({
      name: cut(name, LIMITS.REPLAY_WORD_CHARS),
      value: textIn(headers, name, LIMITS.REPLAY_URL_CHARS),
    })),
    headersLeftOut: Math.max(0, names.length - LIMITS.REPLAY_REQUEST_HEADERS),
  }
}

/** A text as it was sent; values as JSON, which only those have that the recorder could read. */
const textOfBody = (body: unknown): { readonly text: string; readonly isJson: boolean } | null => {
  if (body === undefined || body === null) return null
  if (typeof body === 'string') return { text: body, isJson: false }
  try {
    return { text: JSON.stringify(body, null, 2), isJson: true }
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
  const body = textOfBody(side['body'])
  return {
    ...headersOf(side),
    size: numberIn(side, 'size'),
    body: body === null ? null : cut(body.text, LIMITS.REPLAY_REQUEST_BODY_CHARS),
    isJson: body?.isJson ?? false,
    bodyLeftOut: Math.max(0, (body?.text.length ?? 0) - LIMITS.REPLAY_REQUEST_BODY_CHARS),
    warnings: [...warningsOf(side)],
  }
}

const requestOf = (payload: Fields): ReplayRequest => {
  const data = isFields(payload['data']) ? payload['data'] : {}
  return {
    method: textIn(data, 'method', LIMITS.REPLAY_ELEMENT_WORD_CHARS).toUpperCase() || 'GET',
    url: textIn(payload, 'description', LIMITS.REPLAY_URL_CHARS),
    status: statusIn(data),
    request: sideOf(data, 'request'),
    response: sideOf(data, 'response'),
  }
}

/**
 * The requests of one segment that began at a moment, in their order.
 *
 * @param events of the segment, by the visitor's clock
 * @param at by the same clock, in whole milliseconds
 */
export const readRequestsAt = (events: readonly RecordedEvent[], at: number): readonly ReplayRequest[] =>
  events.flatMap(({ data, timestamp, type }) => {
    if (type !== EventType.Custom || Math.round(timestamp) !== at || !isFields(data)) return []
    const { payload, tag } = data
    return tag === 'performanceSpan' && isRequest(payload) ? [requestOf(payload)] : []
  })
