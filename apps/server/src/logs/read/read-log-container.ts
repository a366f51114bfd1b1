import { isObject } from '@firsthand/protocol'
import {
  addClient,
  addSender,
  Attributes,
  createMomentOf,
  knownSender,
  readJson,
  readSpanId,
  readTraceId,
  sequenceOf,
  TextBudget,
  type KnownSender,
  type MomentOf,
} from '../../event/index.ts'
import { drop, type DigestItem, type Drop } from '../../ingest/index.ts'
import { err, ok, type Result } from '../../lib/result.ts'
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
  const json = readJson(item.item.payload)
  if (!json.ok) return json
  const sent = json.value.value
  const items = isObject(sent) ? sent['items'] : undefined
  if (!isObject(sent) || !Array.isArray(items)) {
    return err(drop('invalid', 'invalid_log', 'The payload of a log container must be an object with a list `items`.'))
  }
  const context = {
    momentOf: createMomentOf(item.header.sentAt, item.receivedAt),
    budget: new TextBudget(item.item.payload.byteLength),
    sender: knownSender(sent['ingest_settings'], item),
  }
  const logs: ReadLog[] = []
  let unreadable = 0
  items.slice(0, LIMITS.LOGS_PER_ITEM).forEach((element: unknown, place) => {
    const log = isObject(element) ? readLog(element, place, context) : null
    if (log === null) unreadable += 1
    else logs.push(log)
  })
  return ok({ logs, unreadable, beyondLimit: Math.max(0, items.length - LIMITS.LOGS_PER_ITEM) })
}

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
