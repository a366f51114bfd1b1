import { filter, firstIdOf, scrubAttributes, surroundingsOf } from '../event/index.ts'
import { LIMITS as READING_LIMITS } from '../event/limits.ts'
import type { DigestItem, Drop, ExpandContext, ItemKind, ItemPart } from '../ingest/index.ts'
import { drop } from '../ingest/index.ts'
import { err, ok, type Result } from '../lib/result.ts'
import { Work } from '../lib/work.ts'
import { insertRowsOfItems, type EncodedRow, type RowWriter } from '../storage/telemetry/row-writer.ts'
import type { ReadMetrics } from './metric.ts'
import { readMetricContainer } from './read/read-metric-container.ts'
import { readOtlpMetrics } from './read/read-otlp-metrics.ts'
import { encodeMetric, METRICS } from './telemetry/metric-row.ts'

/** Metrics of an item as they wait for telemetry. */
interface MetricsToStore {
  readonly rows: readonly EncodedRow[]
  /** A histogram is one, however many rows it has. */
  readonly quantity: number
  readonly parts: readonly ItemPart[]
  /** Of its first row; others follow it. */
  readonly firstId: bigint
}

const partsOf = ({ unreadable, unaddable, beyondLimit }: ReadMetrics): readonly ItemPart[] => {
  const parts: readonly ItemPart[] = [
    { quantity: unreadable, outcome: { kind: 'invalid', reason: 'invalid_metric' } },
    { quantity: unaddable, outcome: { kind: 'invalid', reason: 'unaddable_metric' } },
    { quantity: beyondLimit, outcome: { kind: 'invalid', reason: 'too_many_metrics' } },
  ]
  return parts.filter(({ quantity }) => quantity > 0)
}

const expand = (item: DigestItem, { settings }: ExpandContext): Result<MetricsToStore, Drop> => {
  const found = item.item.header.type === 'otel_metrics_data' ? readOtlpMetrics(item) : readMetricContainer(item)
  if (!found.ok) return found
  const { metrics, unaddable } = found.value
  if (metrics.length === 0) {
    return err(
      unaddable > 0
        ? drop('invalid', 'unaddable_metric', 'Its histograms count from their beginning on, or are summaries.')
        : drop('invalid', 'invalid_metric', 'None of its metrics can be read.'),
    )
  }
  const work = new Work(READING_LIMITS.RULE_STEPS_PER_EVENT)
  const filtered = filter(surroundingsOf(item, metrics), item.sender, settings, work)
  if (filtered !== null) return err(filtered)
  const firstId = firstIdOf(item)
  const rows: EncodedRow[] = []
  for (const metric of metrics) {
    const name = scrubAttributes(metric.attributes, metric.name, settings)
    rows.push(...encodeMetric(item, { ...metric, name }, firstId + BigInt(rows.length)))
  }
  return ok({ rows, quantity: metrics.length, parts: partsOf(found.value), firstId })
}

/** Metrics, as rows of `metrics`. */
export const createMetricItems = ({ writer }: { readonly writer: RowWriter }): ItemKind<MetricsToStore> => ({
  name: 'metrics',
  takes: ['trace_metric', 'otel_metrics_data'],
  expand,
  // What an SDK sends again holds the same values, in the same order.
  keyOf: (item, { firstId }) => `${item.sender.projectId}:${firstId}`,
  quantityOf: ({ quantity }) => quantity,
  partsOf: ({ parts }) => parts,
  write: (stored, to) => {
    const rows = stored.map(({ entry }) => entry.value.rows)
    return insertRowsOfItems(writer, METRICS, rows, to)
  },
})
