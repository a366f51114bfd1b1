import { columnsOf, mapsOf, userOf } from '../../event/index.ts'
import type { DigestItem } from '../../ingest/index.ts'
import { encodedTable, type EncodedRow } from '../../storage/telemetry/row-writer.ts'
import {
  hexNumber,
  line,
  map,
  mapOf,
  milliseconds,
  strings,
  text,
  uuidOrNone,
} from '../../storage/telemetry/tab-separated.ts'
import { LIMITS } from '../limits.ts'
import type { ReadMetric } from '../metric.ts'

export const METRICS = encodedTable({ table: 'metrics', id: 'id', idType: 'UInt64', time: 'timestamp' }, [
  'organization_id',
  'project_id',
  'name',
  'type',
  'unit',
  'timestamp',
  'nanos',
  'sequence',
  'id',
  'value',
  'weight',
  'trace_id',
  'span_id',
  'environment',
  'release',
  'service',
  'server',
  'sdk_name',
  'sdk_version',
  'origin',
  'user',
  'payload_size',
  'strings',
  'numbers',
  'flags',
  'lists',
  'notes',
  'received',
])

/** Attributes that have a column of their own, in the order of the columns. */
const OF_COLUMNS = [
  'sentry.environment',
  'sentry.release',
  'service.name',
  'server.address',
  'sentry.sdk.name',
  'sentry.sdk.version',
  'sentry.origin',
] as const

/** Of no use once read. */
const NOT_KEPT = new Set(['sentry.timestamp.sequence'])

/** @param firstId of its first row; each further one has the next */
export const encodeMetric = (item: DigestItem, metric: ReadMetric, firstId: bigint): EncodedRow[] => {
  const { sender, receivedAt } = item
  const { attributes } = metric
  const user = userOf(attributes)
  const columns = columnsOf(attributes, OF_COLUMNS, LIMITS.METRIC_WORD_CHARS).map(text)
  const maps = mapsOf(attributes, NOT_KEPT)
  const before = [sender.organizationId, sender.projectId, text(metric.name), metric.type, text(metric.unit)]
  const after = [
    ...columns,
    text(user),
    metric.name.length + maps.characters,
    map(maps.strings),
    mapOf(maps.numbers),
    mapOf(maps.flags),
    map(maps.lists),
    strings(metric.notes.slice(0, LIMITS.METRIC_NOTES)),
    milliseconds(receivedAt),
  ]
  return metric.values.map(({ value, weight, traceId, spanId }, index) => {
    const id = BigInt.asUintN(64, firstId + BigInt(index)).toString()
    const row = line([
      ...before,
      milliseconds(metric.at),
      metric.nanos,
      metric.sequence,
      id,
      value,
      weight,
      uuidOrNone(traceId),
      hexNumber(spanId),
      ...after,
    ])
    return { place: { projectId: sender.projectId, id, at: metric.at }, line: row }
  })
}
