import type { Capability } from '../capability.ts'
import { LIMITS as INGEST_LIMITS } from '../ingest/limits.ts'
import { nameTables } from './ledger/migrations/0018-names.ts'
import { spanDays } from './ledger/migrations/0021-span-days.ts'
import { LIMITS } from './limits.ts'
import { statements as spans } from './telemetry/migrations/0005-spans.ts'
import { statements as descriptions } from './telemetry/migrations/0006-descriptions.ts'
import { statements as eventIds } from './telemetry/migrations/0010-event-ids.ts'
import { statements as summedDays } from './telemetry/migrations/0013-span-days.ts'

/** How slow it was, where, and for whom: transactions and spans of all SDK generations. */
export const traces: Capability = {
  name: 'traces',
  limits: LIMITS,
  telemetryMigrations: [
    { number: 5, name: 'spans', statements: spans },
    { number: 6, name: 'descriptions of spans', statements: descriptions },
    { number: 10, name: 'event ids of transactions', statements: eventIds },
    { number: 13, name: 'days of spans, summed up', statements: summedDays },
  ],
  agingTables: [
    { table: 'spans', time: 'timestamp' },
    { table: 'segments', time: 'timestamp' },
    { table: 'span_days', time: 'timestamp' },
  ],
  itemRules: new Map([
    ['transaction', { bytes: INGEST_LIMITS.EVENT_BYTES, perEnvelope: 1, json: 'refuse' }],
    ['span', { bytes: INGEST_LIMITS.CONTAINER_BYTES, perEnvelope: LIMITS.SPANS_V1_PER_ENVELOPE }],
    ['otel_span', { bytes: INGEST_LIMITS.CONTAINER_BYTES }],
    ['otel_traces_data', { bytes: INGEST_LIMITS.CONTAINER_BYTES }],
  ]),
  otlpAddresses: new Map([['traces', 'otel_traces_data']]),
  ledgerMigrations: (dialect) => [
    { number: 18, name: 'names of transactions', statements: nameTables(dialect) },
    { number: 21, name: 'days of spans', statements: spanDays(dialect) },
  ],
  digest: async ({ clock, ledger, writer }) => {
    const [{ createSpanItems }, { namesOf }] = await Promise.all([
      import('./span-items.ts'),
      import('./names/names.ts'),
    ])
    return [createSpanItems({ names: namesOf(ledger, clock), writer })]
  },
  datasets: async () => [(await import('./telemetry/span-dataset.ts')).spansDataset],
  serve: async (parts) => (await import('./serve.ts')).serveTraces(parts),
}
