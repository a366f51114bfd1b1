import {
  addPairs,
  addResource,
  Attributes,
  createMomentOf,
  readExport,
  readSpanId,
  readThings,
  readTraceId,
  TextBudget,
  type MomentOf,
  type OtlpScope,
} from '../../event/index.ts'
import type { DigestItem, Drop } from '../../ingest/index.ts'
import { ok, type Result } from '../../lib/result.ts'
import { LIMITS } from '../limits.ts'
import { severityOf, type ReadLog } from '../log.ts'
import { cutBody } from './body.ts'
import { LOG_EXPORT, saysSomething, type OtlpLog } from './otlp-log.ts'
import type { ReadLogs } from './read-log-container.ts'

/** Log records that OpenTelemetry exports. */
export const readOtlpLogs = (item: DigestItem): Result<ReadLogs, Drop> => {
  const sent = readExport(item, LOG_EXPORT)
  if (!sent.ok) return sent
  const context = {
    momentOf: createMomentOf(item.header.sentAt, item.receivedAt),
    budget: new TextBudget(item.item.payload.byteLength),
  }
  const { read, ...lost } = readThings(sent.value, LIMITS.LOGS_PER_ITEM, (one, scope, place) =>
    readRecord(one, scope, { ...context, place }),
  )
  return ok({ logs: read, ...lost })
}

interface Context {
  readonly momentOf: MomentOf
  readonly budget: TextBudget
  /** Among those of its item. */
  readonly place: number
}

/** Null when it says nothing. */
const readRecord = (
  sent: OtlpLog,
  { resource, scopeName }: OtlpScope<OtlpLog>,
  { momentOf, budget, place }: Context,
): ReadLog | null => {
  if (!saysSomething(sent.body, sent.attributes.length, sent.eventName)) return null
  const attributes = new Attributes(budget)
  addPairs(attributes, sent.attributes)
  attributes.add('event.name', sent.eventName)
  // The instrumentation of a bridge is named like the logger that it bridges.
  attributes.add('logger.name', scopeName)
  addResource(attributes, resource)
  const { values, notes } = attributes
  const moment = momentOf.ofNanoseconds(sent.timeUnixNano, sent.observedTimeUnixNano)
  if (moment.note !== null) notes.push(moment.note)
  return {
    at: moment.at,
    nanos: moment.nanos,
    sequence: place,
    traceId: readTraceId(sent.traceId) ?? '',
    spanId: readSpanId(sent.spanId) ?? '',
    ...severity(sent),
    body: cutBody(bodyOf(sent), notes),
    attributes: values,
    notes: attributes.done(),
  }
}

/** The number counts; a text alone is a word of the library. */
const severity = ({ severityNumber, severityText }: OtlpLog): ReturnType<typeof severityOf> =>
  severityNumber >= 1 && severityNumber <= 24 ? severityOf(null, severityNumber) : severityOf(severityText, null)

/** A structured body is its JSON, an event without one its name. */
const bodyOf = ({ body, eventName }: OtlpLog): string => {
  if (body === null || body === undefined || body === '') return eventName
  return typeof body === 'string' ? body : JSON.stringify(body)
}
