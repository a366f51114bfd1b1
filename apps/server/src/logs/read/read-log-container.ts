import { isObject } from '@firsthand/protocol'
import {
  addClient,
  addSender,
  Attributes,
  createMomentOf,
  knownSender,
  readItems,
  readSpanId,
  readTraceId,
  sequenceOf,
  TextBudget,
  type KnownSender,
  type MomentOf,
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

/** What SDKs send (protocol.md 3.10). `version` and `ingest_settings` may be missing: SDKs before 10.52 send neither. */
export const readLogContainer = (item: DigestItem): Result<ReadLogs, Drop> => {
  const read = readItems(item, { limit: LIMITS.LOGS_PER_ITEM, invalid: NO_CONTAINER }, (container) => {
    const context = {
      momentOf: createMomentOf(item.header.sentAt, item.receivedAt),
      budget: new TextBudget(item.item.payload.byteLength),
      sender: knownSender(container['ingest_settings'], item),
    }
    return (element, place) => readLog(element, place, context)
  })
  if (!read.ok) return read
  const { read: logs, ...lost } = read.value
  return ok({ logs, ...lost })
}

const NO_CONTAINER = drop(
  'invalid',
  'invalid_log',
  'The payload of a log container must be an object with a list `items`.',
)

interface Context {
  readonly momentOf: MomentOf
  readonly budget: TextBudget
  readonly sender: KnownSender
}

/** Null when it says nothing. */
const readLog = (
  raw: Readonly<Record<string, unknown>>,
  place: number,
  { momentOf, budget, sender }: Context,
): ReadLog | null => {
  const sentBody = raw['body']
  if (typeof sentBody !== 'string') return null
  const attributes = new Attributes(budget)
  const sent = raw['attributes']
  if (isObject(sent)) for (const name in sent) attributes.addTyped(name, sent[name])
  addSender(attributes, sender)
  addClient(attributes)
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
