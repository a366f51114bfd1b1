import { fieldsOf, type Fields } from '../fields.ts'

/** A request of the page, as an SDK noted it. Times are milliseconds since 1970. */
export interface RecordedRequest {
  readonly from: number
  readonly to: number
  readonly method: string
  /** As it was recorded: some are relative. */
  readonly url: string
  /** 0 when there was no answer. */
  readonly status: number
  /** Null when it was not recorded, or not as a whole. */
  readonly body: string | null
  readonly type: string
}

const METHOD = /^[A-Z]{3,10}$/
/** Recorders cut bodies off at 150,000 characters. */
const MAX_BODY = 150_000
const CUT = /TRUNCATED|INVALID_JSON|UNPARSEABLE|BODY_PARSE/

const fieldsIn = (fields: Fields, name: string): Fields => {
  const value = fields[name]
  return fieldsOf(value)
}

const isWhole = (response: Fields): boolean => {
  const { warnings } = fieldsIn(response, '_meta')
  return !Array.isArray(warnings) || !warnings.some((one) => typeof one === 'string' && CUT.test(one))
}

const bodyOf = (response: Fields): string | null => {
  const { body } = response
  if (body === undefined || body === null || !isWhole(response)) return null
  try {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    return text.length >= MAX_BODY ? null : text
  } catch {
    // Nested too deeply to be written.
    return null
  }
}

const typeOf = (response: Fields): string => {
  for (const [name, value] of Object.entries(fieldsIn(response, 'headers'))) {
    if (name.toLowerCase() === 'content-type' && typeof value === 'string' && value.length <= 200) return value
  }
  return 'application/json'
}

const seconds = (value: unknown): number | null =>
  typeof value === 'number' && value > 0 ? Math.round(value * 1000) : null

/**
 * @param payload of a `performanceSpan`
 * @param shift what is added to its times
 */
export const readRequest = (payload: Fields, shift: number): RecordedRequest | null => {
  const { op, description, startTimestamp, endTimestamp } = payload
  if (op !== 'resource.fetch' && op !== 'resource.xhr') return null
  const from = seconds(startTimestamp)
  const to = seconds(endTimestamp)
  const data = fieldsIn(payload, 'data')
  const method = typeof data['method'] === 'string' ? data['method'].toUpperCase() : 'GET'
  const status = data['statusCode']
  if (from === null || typeof description !== 'string' || description.length > 2048 || !METHOD.test(method)) return null
  const response = fieldsIn(data, 'response')
  return {
    from: from + shift,
    to: Math.max(from, to ?? from) + shift,
    method,
    url: description,
    status: typeof status === 'number' && Number.isInteger(status) && status >= 200 && status <= 599 ? status : 0,
    body: bodyOf(response),
    type: typeOf(response),
  }
}
