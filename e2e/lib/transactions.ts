import { randomBytes } from 'node:crypto'
import { type EventPayload, newEventId, sendItems } from './send.ts'

/** Transactions as SDKs of the generations before 11 send them: for shapes, numbers and times that no test application has. */

export const newTraceId = (): string => randomBytes(16).toString('hex')
export const newSpanId = (): string => randomBytes(8).toString('hex')

export interface SpanToSend {
  readonly id?: string
  readonly op: string
  readonly name: string
  /** Milliseconds after the start of the trace. */
  readonly from: number
  readonly to: number
  readonly status?: string
  readonly data?: EventPayload
  readonly children?: readonly SpanToSend[]
}

export interface TransactionToSend {
  readonly traceId: string
  readonly root: SpanToSend
  /** When the trace began. */
  readonly startMs: number
  readonly parent?: string
  readonly user?: string
  /** Of the event that it is. */
  readonly eventId?: string
}

const transactionItem = ({ traceId, root, startMs, parent, user = '7', eventId = newEventId() }: TransactionToSend) => {
  const seconds = (ms: number): number => (startMs + ms) / 1000
  const spans: EventPayload[] = []
  const add = (span: SpanToSend, above: string): void => {
    const id = span.id ?? newSpanId()
    spans.push({
      span_id: id,
      parent_span_id: above,
      trace_id: traceId,
      op: span.op,
      description: span.name,
      start_timestamp: seconds(span.from),
      timestamp: seconds(span.to),
      status: span.status ?? 'ok',
      data: span.data ?? {},
    })
    for (const child of span.children ?? []) add(child, id)
  }
  const rootId = root.id ?? newSpanId()
  for (const child of root.children ?? []) add(child, rootId)
  const trace = { trace_id: traceId, span_id: rootId, op: root.op, status: root.status ?? 'ok', data: root.data ?? {} }
  return {
    type: 'transaction',
    payload: {
      event_id: eventId,
      type: 'transaction',
      platform: 'node',
      transaction: root.name,
      start_timestamp: seconds(root.from),
      timestamp: seconds(root.to),
      release: 'shop@1.2.3',
      environment: 'production',
      user: { id: user },
      contexts: { trace: parent === undefined ? trace : { ...trace, parent_span_id: parent } },
      spans,
    },
  }
}

/** Sends one transaction and insists that it is taken. */
export const sendTransaction = async (dsn: string, transaction: TransactionToSend): Promise<void> => {
  const answer = await sendItems(dsn, [transactionItem(transaction)])
  if (!answer.ok) throw new Error(`the transaction was refused: ${answer.status} ${await answer.text()}`)
}
