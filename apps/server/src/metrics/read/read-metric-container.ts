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
import { METRIC_TYPES, type ReadMetric, type ReadMetrics } from '../metric.ts'
import { readName, readUnit } from './words.ts'

/** What SDKs send (protocol.md 3.11). `version` and `ingest_settings` may be missing: SDKs before 10.52 send neither. */
export const readMetricContainer = (item: DigestItem): Result<ReadMetrics, Drop> => {
  const json = readJson(item.item.payload)
  if (!json.ok) return json
  const sent = json.value.value
  const items = isObject(sent) ? sent['items'] : undefined
  if (!isObject(sent) || !Array.isArray(items)) {
    return err(
      drop('invalid', 'invalid_metric', 'The payload of a metric container must be an object with a list `items`.'),
    )
  }
  const context = {
    momentOf: createMomentOf(item.header.sentAt, item.receivedAt),
    budget: new TextBudget(item.item.payload.byteLength),
    sender: knownSender(sent['ingest_settings'], item),
  }
  const metrics: ReadMetric[] = []
  let unreadable = 0
  items.slice(0, LIMITS.METRICS_PER_ITEM).forEach((element: unknown, place) => {
    const metric = isObject(element) ? readMetric(element, place, context) : null
    if (metric === null) unreadable += 1
    else metrics.push(metric)
  })
  return ok({ metrics, unreadable, unaddable: 0, beyondLimit: Math.max(0, items.length - LIMITS.METRICS_PER_ITEM) })
}

interface Context {
  readonly momentOf: MomentOf
  readonly budget: TextBudget
  readonly sender: KnownSender
}

/** Null when it measures nothing. */
const readMetric = (
  raw: Readonly<Record<string, unknown>>,
  place: number,
  { momentOf, budget, sender }: Context,
): ReadMetric | null => {
  const attributes = new Attributes(budget)
  const { values, notes } = attributes
  const name = readName(raw['name'], notes)
  const type = METRIC_TYPES.find((one) => one === raw['type'])
  const { value } = raw
  // A number that is too large for a double is read as infinite.
  if (name === null || type === undefined || typeof value !== 'number' || !Number.isFinite(value)) return null
  const sent = raw['attributes']
  if (isObject(sent)) for (const key in sent) attributes.addTyped(key, sent[key])
  addSender(attributes, sender)
  addClient(attributes)
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
