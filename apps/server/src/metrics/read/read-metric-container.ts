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
import { METRIC_TYPES, type ReadMetric, type ReadMetrics } from '../metric.ts'
import { readName, readUnit } from './words.ts'

/** What SDKs send (protocol.md 3.11). */
export const readMetricContainer = (item: DigestItem): Result<ReadMetrics, Drop> => {
  const momentOf = createMomentOf(item.header.sentAt, item.receivedAt)
  const bounds = { limit: LIMITS.METRICS_PER_ITEM, invalid: NO_CONTAINER }
  const read = readItems(item, bounds, (element, place, of) => readMetric(element, { ...of, momentOf, place }))
  if (!read.ok) return read
  const { read: metrics, ...lost } = read.value
  return ok({ metrics, unaddable: 0, ...lost })
}

const NO_CONTAINER = drop(
  'invalid',
  'invalid_metric',
  'The payload of a metric container must be an object with a list `items`.',
)

interface Context extends OfContainer {
  readonly momentOf: MomentOf
  readonly place: number
}

/** Null when it measures nothing. */
const readMetric = (
  raw: Readonly<Record<string, unknown>>,
  { momentOf, budget, sender, place }: Context,
): ReadMetric | null => {
  const attributes = new Attributes(budget)
  const { values, notes } = attributes
  const name = readName(raw['name'], notes)
  const type = METRIC_TYPES.find((one) => one === raw['type'])
  const { value } = raw
  // A number that is too large for a double is read as infinite.
  if (name === null || type === undefined || typeof value !== 'number' || !Number.isFinite(value)) return null
  addSent(attributes, raw['attributes'], sender)
  const moment = momentOf.ofSeconds(raw['timestamp'])
  if (moment.note !== null) notes.push(moment.note)
  return {
    name,
    type,
    unit: readUnit(raw['unit']),
    at: moment.at,
    nanos: moment.nanos,
    sequence: sequenceOf(values['sentry.timestamp.sequence']) ?? place,
    attributes: values,
    values: [
      { value, weight: 1, traceId: readTraceId(raw['trace_id']) ?? '', spanId: readSpanId(raw['span_id']) ?? '' },
    ],
    notes: attributes.done(),
  }
}
