/** Transactions as SDKs send them. Times are seconds since 1970. */

export interface SpanPart {
  readonly op: string
  readonly description: string
  /** Seconds after the transaction has begun. */
  readonly from: number
  readonly seconds: number
  readonly status?: string
  readonly data?: Readonly<Record<string, string | number>>
}

export interface Transaction {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string | undefined
  readonly name: string
  readonly op: string
  readonly source: 'route' | 'url'
  readonly platform: 'javascript' | 'node'
  readonly start: number
  readonly seconds: number
  readonly status: string
  readonly release: string
  readonly parts: readonly SpanPart[]
  /** More of the event: request, user, measurements. */
  readonly more?: object
}

export const newId = (): string => crypto.randomUUID().replaceAll('-', '')
export const newSpanId = (): string => newId().slice(16)

/** @param eventId 32 hexadecimal digits */
export const transactionEvent = (transaction: Transaction, eventId: string): object => {
  const { traceId, spanId, parentSpanId, name, op, source, platform, start, seconds, status } = transaction
  return {
    event_id: eventId,
    type: 'transaction',
    transaction: name,
    transaction_info: { source },
    platform,
    environment: 'demo',
    release: transaction.release,
    start_timestamp: start,
    timestamp: start + seconds,
    contexts: {
      trace: { trace_id: traceId, span_id: spanId, op, status, ...(parentSpanId && { parent_span_id: parentSpanId }) },
    },
    spans: transaction.parts.map((part) => ({
      trace_id: traceId,
      span_id: newSpanId(),
      parent_span_id: spanId,
      op: part.op,
      description: part.description,
      start_timestamp: start + part.from,
      timestamp: start + part.from + part.seconds,
      status: part.status ?? 'ok',
      ...(part.data && { data: part.data }),
    })),
    ...transaction.more,
  }
}
