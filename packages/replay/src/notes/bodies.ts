import { guard, isObject } from '@firsthand/browser/parts'

/** Characters of one body, as in Sentry's recorder, */
export const MAX_BODY = 150_000
/** of all bodies of one segment, */
const MAX_BODIES = 1_000_000
/** and milliseconds in which an answer is read that comes in pieces. */
const READ_MS = 500

export interface Read {
  readonly text?: string | undefined
  /** In Sentry's words: why there is no text, or not all of it. */
  readonly warning?: string
}

/** What was sent along with a request, as far as it is text. */
export const readRequestBody = (body: unknown): Read => {
  if (body === undefined || body === null || body === '') return {}
  if (typeof body === 'string') return { text: body }
  if (body instanceof URLSearchParams) return { text: body.toString() }
  if (body instanceof FormData) {
    const said = [...body].filter((pair): pair is [string, string] => typeof pair[1] === 'string')
    return { text: new URLSearchParams(said).toString() }
  }
  return { warning: 'UNPARSEABLE_BODY_TYPE' }
}

/** @returns bytes, as far as they are known */
export const sizeOfBody = (body: unknown): number | undefined =>
  guard(() => {
    if (body instanceof Blob) return body.size
    if (body instanceof ArrayBuffer || ArrayBuffer.isView(body)) return body.byteLength
    const { text = '' } = readRequestBody(body)
    return text ? new TextEncoder().encode(text).length : undefined
  })

const BINARY = /^(?:image|audio|video|font)\/(?!svg)|octet-stream|pdf|zip|wasm|protobuf/i

/** Nothing more is wanted of it. A body that failed cannot be cancelled; whoever reads it was told. */
const letGo = (reader: Pick<ReadableStreamDefaultReader, 'cancel'>): void => {
  void reader.cancel().catch(() => undefined)
}

/** An answer that is the page's as well: this is a copy of it, of which no more is read than is kept. */
export const readResponse = async (copy: Response): Promise<Read> => {
  const reader = copy.body?.getReader()
  if (!reader) return {}
  if (BINARY.test(copy.headers.get('content-type') ?? '')) {
    letGo(reader)
    return { warning: 'UNPARSEABLE_BODY_TYPE' }
  }
  const decoder = new TextDecoder()
  let text = ''
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    letGo(reader)
  }, READ_MS)
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done || text.length > MAX_BODY) break
      text += decoder.decode(value, { stream: true })
    }
  } catch {
    return { warning: 'BODY_PARSE_ERROR' }
  } finally {
    clearTimeout(timer)
    letGo(reader)
  }
  return isLate ? { warning: 'BODY_PARSE_TIMEOUT' } : { text }
}

export const readXhr = (xhr: XMLHttpRequest): Read => {
  const { responseType } = xhr
  if (responseType === '' || responseType === 'text') return { text: xhr.responseText }
  if (responseType === 'json' && isObject(xhr.response)) return { text: JSON.stringify(xhr.response) }
  return xhr.response ? { warning: 'UNPARSEABLE_BODY_TYPE' } : {}
}

export interface Kept {
  readonly body?: unknown
  readonly warnings: readonly string[]
}

/** As much of each as fits, of all of a segment together. */
export const createBodies = () => {
  let left = MAX_BODIES
  return {
    /** Another segment begins. */
    renew: (): void => {
      left = MAX_BODIES
    },
    keep: ({ text, warning }: Read): Kept => {
      const warnings = warning === undefined ? [] : [warning]
      if (!text) return { warnings }
      const room = Math.min(MAX_BODY, left)
      const isJson = /^(?:\[[^]*\]|\{[^]*\})$/.test(text) || /^[[{]/.test(text)
      left -= Math.min(text.length, room)
      if (text.length > room)
        return isJson
          ? { body: text.slice(0, room), warnings: [...warnings, 'MAYBE_JSON_TRUNCATED'] }
          : { body: `${text.slice(0, room)}…`, warnings: [...warnings, 'TEXT_TRUNCATED'] }
      return { body: isJson ? guard((): unknown => JSON.parse(text), text) : text, warnings }
    },
  }
}
