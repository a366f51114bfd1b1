import { normaliseEventId } from './event-id.ts'
import { jsonDepthWithin } from './json-depth.ts'
import { isObject } from './objects.ts'
import { decodeUtf8, encodeUtf8 } from './text.ts'
import type { ParseResult } from './result.ts'
import type { Envelope, EnvelopeHeader, Item, ItemHeader } from './types.ts'
import { headerLine, itemParts } from './wire.ts'

/**
 * Envelope bytes to items and back (protocol.md 1.1).
 *
 *     Envelope = Header ( LF Item )* [ LF ]
 *     Item     = ItemHeader LF Payload
 *
 * Only header lines are parsed as JSON. Payloads are views into the given bytes, so an envelope costs little more than
 * the search for its line feeds, and whoever changes the bytes changes the payloads.
 */
export type EnvelopeErrorCode =
  | 'empty_body'
  | 'invalid_header'
  | 'invalid_item_header'
  | 'missing_item_type'
  | 'invalid_length'
  | 'unexpected_end'
  | 'missing_newline'
  | 'too_many_items'
  | 'header_too_long'

export interface EnvelopeError {
  readonly code: EnvelopeErrorCode
  readonly message: string
  /** Byte where the trouble starts. */
  readonly offset: number
}

export interface EnvelopeLimits {
  readonly maxItems: number
  /** Of one header line, in bytes. */
  readonly maxHeaderBytes: number
  readonly maxHeaderDepth: number
}

const DEFAULT_LIMITS: EnvelopeLimits = { maxItems: 10_000, maxHeaderBytes: 256 * 1024, maxHeaderDepth: 128 }

const LF = 0x0a
const CR = 0x0d
const MAX_LENGTH = 0xffff_ffff

/** Never throws. An error is about the whole envelope: nothing of it may be kept (protocol.md checks 4 and 5). */
export const parseEnvelope = (
  bytes: Uint8Array,
  limits: Partial<EnvelopeLimits> = {},
): ParseResult<Envelope, EnvelopeError> => {
  const steps = envelopeSteps(bytes, limits, Infinity)
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/**
 * The same for whoever has other work to do meanwhile: yields whenever about `stepBytes` more have been read. An envelope
 * of a hundred megabytes that are line feeds takes seconds.
 */
export const envelopeSteps = function* (
  bytes: Uint8Array,
  limits: Partial<EnvelopeLimits>,
  stepBytes: number,
): Generator<void, ParseResult<Envelope, EnvelopeError>, void> {
  const bounds: EnvelopeLimits = { ...DEFAULT_LIMITS, ...limits }
  if (bytes.byteLength === 0) return failure('empty_body', 'empty request body', 0)

  const headerEnd = endOfLine(bytes, 0)
  if (headerEnd > bounds.maxHeaderBytes) return failure('header_too_long', 'envelope header is too long', 0)
  const rawHeader = parseObject(bytes.subarray(0, headerEnd), bounds.maxHeaderDepth)
  if (rawHeader === null) return failure('invalid_header', 'envelope header is not a JSON object', 0)

  const items: Item[] = []
  let position = headerEnd + 1
  let pause = position + stepBytes
  while (position < bytes.byteLength) {
    if (position >= pause) {
      pause = position + stepBytes
      yield
    }
    // A blank line, told without a search for its end: there may be millions.
    if (bytes[position] === LF) {
      position += 1
      continue
    }
    const lineEnd = endOfLine(bytes, position)
    if (isBlank(bytes, position, lineEnd)) {
      position = lineEnd + 1
      continue
    }
    if (items.length >= bounds.maxItems) {
      return failure('too_many_items', `envelope has more than ${bounds.maxItems} items`, position)
    }
    if (lineEnd - position > bounds.maxHeaderBytes) {
      return failure('header_too_long', 'item header is too long', position)
    }
    const raw = parseObject(bytes.subarray(position, lineEnd), bounds.maxHeaderDepth)
    if (raw === null) return failure('invalid_item_header', 'item header is not a JSON object', position)
    if (typeof raw['type'] !== 'string') {
      return failure('missing_item_type', 'item header has no type', position)
    }
    const length = raw['length'] ?? null
    if (length !== null && !isLength(length)) {
      return failure('invalid_length', 'length of an item is not a number of bytes', position)
    }

    const start = Math.min(lineEnd + 1, bytes.byteLength)
    const end = length === null ? endOfLine(bytes, start) : start + length
    if (end > bytes.byteLength) {
      return failure('unexpected_end', 'envelope ends before the length of its last item', start)
    }
    if (end < bytes.byteLength && bytes[end] !== LF) {
      return failure('missing_newline', 'item is not followed by a line feed where its length ends', end)
    }
    items.push({ header: readItemHeader(raw, raw['type'], length), payload: bytes.subarray(start, end) })
    position = end + 1
  }
  return { ok: true, value: { header: readHeader(rawHeader), items } }
}

/**
 * The bytes of an envelope. Headers are written as given, except `length`, which every item gets, so that any payload is
 * possible.
 */
export const serializeEnvelope = (
  header: Readonly<Record<string, unknown>>,
  items: readonly { readonly header: Readonly<Record<string, unknown>>; readonly payload: Uint8Array }[],
): Uint8Array => {
  const lines = envelopeParts(header, items)
  const bytes = new Uint8Array(lines.reduce((sum, line) => sum + line.byteLength, 0))
  let position = 0
  for (const line of lines) {
    bytes.set(line, position)
    position += line.byteLength
  }
  return bytes
}

/** What `serializeEnvelope` joins: lines, and the payloads as they were given. */
export const envelopeParts = (
  header: Readonly<Record<string, unknown>>,
  items: readonly { readonly header: Readonly<Record<string, unknown>>; readonly payload: Uint8Array }[],
): readonly Uint8Array[] => {
  const parts = itemParts(items.map(({ header: own, payload }) => [own, payload, payload.byteLength] as const))
  return [headerLine(header), ...parts].map((part) => (typeof part === 'string' ? encodeUtf8(part) : part))
}

const failure = (code: EnvelopeErrorCode, message: string, offset: number): ParseResult<never, EnvelopeError> => ({
  ok: false,
  error: { code, message, offset },
})

const endOfLine = (bytes: Uint8Array, from: number): number => {
  const end = bytes.indexOf(LF, from)
  return end < 0 ? bytes.byteLength : end
}

/** Some senders put blank lines between items or at the end; the written grammar has one line feed at most. */
const isBlank = (bytes: Uint8Array, start: number, end: number): boolean =>
  start === end || (end - start === 1 && bytes[start] === CR)

const isLength = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_LENGTH

const parseObject = (line: Uint8Array, maxDepth: number): Record<string, unknown> | null => {
  if (!jsonDepthWithin(line, maxDepth)) return null
  try {
    const value: unknown = JSON.parse(decodeUtf8(line))
    return isObject(value) ? value : null
  } catch {
    // The caller says which line is no JSON.
    return null
  }
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)

const readItemHeader = (raw: Record<string, unknown>, type: string, length: number | null): ItemHeader => ({
  type,
  length,
  contentType: textOrNull(raw['content_type']),
  itemCount: isLength(raw['item_count']) ? raw['item_count'] : null,
  filename: textOrNull(raw['filename']),
  attachmentType: textOrNull(raw['attachment_type']),
  platform: textOrNull(raw['platform']),
  raw,
})

const readHeader = (raw: Record<string, unknown>): EnvelopeHeader => ({
  eventId: normaliseEventId(raw['event_id']),
  dsn: textOrNull(raw['dsn']),
  sdk: readSdk(raw['sdk']),
  sentAt: readTime(raw['sent_at']),
  trace: readTrace(raw['trace']),
  raw,
})

const readSdk = (value: unknown): EnvelopeHeader['sdk'] => {
  if (!isObject(value) || typeof value['name'] !== 'string') return null
  const { name, version, settings } = value
  const inferIp = isObject(settings) ? settings['infer_ip'] : undefined
  return {
    name,
    version: typeof version === 'string' ? version : '',
    ...(isObject(settings) ? { settings: typeof inferIp === 'string' ? { infer_ip: inferIp } : {} } : {}),
  }
}

/** An ISO 8601 date with time; `Date.parse` alone would also take "7" or "Tuesday". */
const ISO_TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d{1,12})?(?:Z|[+-]\d\d:?\d\d)?$/i

const readTime = (value: unknown): number | null => {
  if (typeof value !== 'string' || !ISO_TIME.test(value)) return null
  const zoned = /(?:Z|[+-]\d\d:?\d\d)$/i.test(value) ? value : `${value}Z`
  const time = Date.parse(zoned)
  return Number.isNaN(time) ? null : time
}

/** The dynamic sampling context; without a trace id it says nothing (protocol.md 4.1 and check 19). */
const readTrace = (value: unknown): EnvelopeHeader['trace'] => {
  if (!isObject(value) || normaliseEventId(value['trace_id']) === null) return null
  const trace: Record<string, string> = Object.create(null)
  for (const key of Object.keys(value)) {
    const entry = value[key]
    if (typeof entry === 'string') trace[key] = entry
    else if (typeof entry === 'number' || typeof entry === 'boolean') trace[key] = String(entry)
  }
  return trace
}
