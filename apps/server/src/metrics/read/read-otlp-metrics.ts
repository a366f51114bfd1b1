import {
  addPairs,
  addResource,
  Attributes,
  createMomentOf,
  readExport,
  readSpanId,
  readTraceId,
  TextBudget,
  type MomentOf,
  type OtlpScope,
} from '../../event/index.ts'
import type { DigestItem, Drop } from '../../ingest/index.ts'
import { ok, type Result } from '../../lib/result.ts'
import { LIMITS } from '../limits.ts'
import type { MeasuredValue, MetricType, ReadMetric, ReadMetrics } from '../metric.ts'
import { measuredOf, type Part } from './measured-parts.ts'
import { METRIC_EXPORT, type OtlpMetric, type OtlpPoint } from './otlp-metric.ts'
import { readName, unitOfOtlp } from './words.ts'

/**
 * Metrics that OpenTelemetry exports.
 *
 * A sum of what happened since the last export is a counter. One since the beginning cannot be added up, but it is what
 * something was at a moment: a gauge. A histogram since the last export is a distribution, a value for each of its parts;
 * one since the beginning, and a summary, would tell what is not so, whatever was made of them: they are refused.
 */
export const readOtlpMetrics = (item: DigestItem): Result<ReadMetrics, Drop> => {
  const sent = readExport(item, METRIC_EXPORT)
  if (!sent.ok) return sent
  const momentOf = createMomentOf(item.header.sentAt, item.receivedAt)
  const budget = new TextBudget(item.item.payload.byteLength)
  const metrics: ReadMetric[] = []
  const lost = { unreadable: 0, unaddable: 0, beyondLimit: sent.value.beyondLimit }
  let room: number = LIMITS.METRICS_PER_ITEM
  for (const scope of sent.value.scopes) {
    for (const metric of scope.things) {
      for (const point of metric.points) {
        const measured = measuredOf(metric, point)
        if ('refused' in measured) {
          lost[measured.refused] += 1
          continue
        }
        // One in which nothing happened takes room, too: there may be millions.
        room -= Math.max(1, measured.parts.length)
        if (room < 0) lost.beyondLimit += 1
        else metrics.push(readPoint(metric, point, measured.parts, scope, { momentOf, budget, place: metrics.length }))
      }
    }
  }
  return ok({ metrics, ...lost })
}

/** How many of its data points will not be kept; null when it is no export. */
export const countRejected = (item: DigestItem['item']): number | null => {
  const sent = readExport({ item }, METRIC_EXPORT)
  if (!sent.ok) return null
  let rejected = sent.value.beyondLimit
  let room: number = LIMITS.METRICS_PER_ITEM
  for (const { things } of sent.value.scopes) {
    for (const metric of things) {
      for (const point of metric.points) {
        const measured = measuredOf(metric, point)
        if (!('refused' in measured)) room -= Math.max(1, measured.parts.length)
        if ('refused' in measured || room < 0) rejected += 1
      }
    }
  }
  return rejected
}

const typeOf = ({ kind, isDelta }: OtlpMetric): MetricType => {
  if (kind === 'sum') return isDelta ? 'counter' : 'gauge'
  return kind === 'gauge' ? 'gauge' : 'distribution'
}

interface Context {
  readonly momentOf: MomentOf
  readonly budget: TextBudget
  /** Among those of its item. */
  readonly place: number
}

const readPoint = (
  metric: OtlpMetric,
  point: OtlpPoint,
  parts: readonly Part[],
  { resource, scopeName }: OtlpScope<OtlpMetric>,
  { momentOf, budget, place }: Context,
): ReadMetric => {
  const attributes = new Attributes(budget)
  addPairs(attributes, point.attributes)
  attributes.add('otel.scope.name', scopeName)
  addResource(attributes, resource)
  const { values, notes } = attributes
  const name = readName(metric.name, notes) ?? ''
  const moment = momentOf.ofNanoseconds(point.timeUnixNano)
  if (moment.note !== null) notes.push(moment.note)
  if (metric.kind === 'sum' && metric.isMonotonic && !metric.isDelta) {
    notes.push('It counts from its beginning on and cannot be added up, so it is kept as a gauge.')
  }
  const affordable = affordableParts(parts, values, budget)
  if (affordable < parts.length) notes.push('Its parts are kept as their average: there is too much text beside them.')
  return {
    name,
    type: typeOf(metric),
    unit: unitOfOtlp(metric.unit),
    at: moment.at,
    nanos: moment.nanos,
    sequence: place,
    attributes: values,
    values: affordable < parts.length ? [averageOf(parts)] : parts.map((part) => valueOf(part, point)),
    notes: attributes.done(),
  }
}

/** Each part has the attributes of all: of a small export a very large one could be made. */
const affordableParts = (parts: readonly Part[], attributes: ReadMetric['attributes'], budget: TextBudget): number => {
  if (parts.length < 2) return parts.length
  return budget.take((parts.length - 1) * JSON.stringify(attributes).length) ? parts.length : 1
}

const averageOf = (parts: readonly Part[]): MeasuredValue => {
  const weight = parts.reduce((all, part) => all + part.weight, 0)
  const value = parts.reduce((all, part) => all + part.value * (part.weight / weight), 0)
  return { value, weight, traceId: '', spanId: '' }
}

/** With the trace of one of the things that were in it, where one is named. */
const valueOf = ({ value, weight, above, upTo }: Part, { exemplars }: OtlpPoint): MeasuredValue => {
  const exemplar = exemplars.findLast((one) => one.value !== null && one.value > above && one.value <= upTo)
  return {
    value,
    weight,
    traceId: readTraceId(exemplar?.traceId) ?? '',
    spanId: readSpanId(exemplar?.spanId) ?? '',
  }
}
