import type { AttributeValue } from '../event/index.ts'

/** What one span says, whatever SDK and generation sent it. */

export interface SpanLink {
  readonly traceId: string
  readonly spanId: string
  /** Whether the other trace was kept; absent when its SDK does not say. */
  readonly sampled?: boolean
  readonly attributes: Readonly<Record<string, AttributeValue>>
}

/** A span as it was read: its attributes by the names of the OpenTelemetry and Sentry conventions, columns among them. */
export interface ReadSpan {
  /** 32 hex characters. */
  readonly traceId: string
  /** 16 hex characters. */
  readonly spanId: string
  /** '' for the root of a trace. */
  readonly parentId: string
  /** The root of what one service did: a transaction. */
  readonly isSegment: boolean
  /** Of a transaction that came as an event: what its SDK calls that, 32 hex characters. */
  readonly eventId?: string
  /** Span id of the transaction that it belongs to; '' when its SDK does not say. */
  readonly segmentId: string
  /** Microseconds since the epoch. */
  readonly start: number
  /** Microseconds. */
  readonly duration: number
  readonly name: string
  /** A word of `STATUSES`; '' when nobody set one. */
  readonly status: string
  readonly attributes: { [name: string]: AttributeValue }
  readonly links: readonly SpanLink[]
  /** Sentences about what was changed or left out. */
  readonly notes: readonly string[]
}

/** The words of gRPC, in which SDKs say how a span ended. `error` is all that some say. */
const STATUSES: ReadonlySet<string> = new Set([
  'ok',
  'cancelled',
  'unknown',
  'invalid_argument',
  'deadline_exceeded',
  'not_found',
  'already_exists',
  'permission_denied',
  'resource_exhausted',
  'failed_precondition',
  'aborted',
  'out_of_range',
  'unimplemented',
  'internal_error',
  'unavailable',
  'data_loss',
  'unauthenticated',
  'error',
])

/** Spellings of older SDKs. */
const OTHER_WORDS: ReadonlyMap<string, string> = new Map([
  ['unknown_error', 'unknown'],
  ['success', 'ok'],
  ['failure', 'internal_error'],
  ['canceled', 'cancelled'],
])

/** Those that count as no failure: it was fine, somebody left, or nobody knows. */
export const NOT_FAILED: readonly string[] = ['', 'ok', 'cancelled', 'unknown']

/** A word of the list above; '' for any other. */
export const statusOf = (value: unknown): string => {
  if (typeof value !== 'string') return ''
  const word = value.toLowerCase()
  const known = OTHER_WORDS.get(word) ?? word
  return STATUSES.has(known) ? known : ''
}

/**
 * A web vital, or what somebody did on a page. Sent by itself it has no parent, so SDKs call it the root of a segment; it is
 * no transaction all the same, and belongs to the page that it names.
 */
export const isOfPage = (op: unknown): boolean => typeof op === 'string' && /^ui\.(?:interaction|webvital)\./.test(op)
