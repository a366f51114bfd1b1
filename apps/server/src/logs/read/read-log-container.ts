import {
  addSent,
  Attributes,
  createMomentOf,
  readItems,
  readSpanId,
  readTraceId,
  sequenceOf,
  type MomentOf,
  type OfContainer,
} from '../../event/index.ts'
import { drop, type DigestItem, type Drop } from '../../ingest/index.ts'
import { ok, type Result } from '../../lib/result.ts'
import { LIMITS } from '../limits.ts'
import { severityOf, type ReadLog } from '../log.ts'
import { cutBody } from './body.ts'

/** What was read of an item. */
export interface ReadLogs {
  readonly logs: readonly ReadLog[]
  /** Elements that are no line. */
  readonly unreadable: number
  readonly beyondLimit: number
}

/** What SDKs send (protocol.md 3.10). */
export const readLogContainer = (item: DigestItem): Result<ReadLogs, Drop> => {
  const momentOf = createMomentOf(item.header.sentAt, item.receivedAt)
  const bounds = { limit: LIMITS.LOGS_PER_ITEM, invalid: NO_CONTAINER }
  const read = readItems(item, bounds, (element, place, of) => readLog(element, { ...of, momentOf, place }))
  if (!read.ok) return read
  const { read: logs, ...lost } = read.value
  return ok({ logs, ...lost })
}

const NO_CONTAINER = drop(
  'invalid',
  'invalid_log',
  'The payload of a log container must be an object with a list `items`.',
)

interface Context extends OfContainer {
  readonly momentOf: MomentOf
  readonly place: number
}

/** Null when it says nothing. */
const readLog = (
  raw: Readonly<Record<string, unknown>>,
  { momentOf, budget, sender, place }: Context,
): ReadLog | null => {
  const sentBody = raw['body']
  if (typeof sentBody !== 'string') return null
  const attributes = new Attributes(budget)
  addSent(attributes, raw['attributes'], sender)
  const { values, notes } = attributes
  const moment = momentOf.ofSeconds(raw['timestamp'])
  if (moment.note !== null) notes.push(moment.note)
  const body = cutBody(sentBody, notes)
  const parent = values['sentry.trace.parent_span_id']
  return {
    at: moment.at,
    nanos: moment.nanos,
    sequence: sequenceOf(values['sentry.timestamp.sequence']) ?? place,
    traceId: readTraceId(raw['trace_id']) ?? '',
    spanId: readSpanId(raw['span_id']) ?? readSpanId(parent) ?? '',
    ...severityOf(raw['level'], raw['severity_number']),
    body,
    attributes: values,
    notes: attributes.done(),
  }
}
