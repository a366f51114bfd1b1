import type { Capability } from '../capability.ts'
import { LIMITS as INGEST_LIMITS } from '../ingest/limits.ts'
import { LIMITS } from './limits.ts'
import { statements as metricValues } from './telemetry/migrations/0009-metrics.ts'

/** What programs measure: counters, gauges and distributions of SDKs and of OpenTelemetry. */
export const metrics: Capability = {
  name: 'metrics',
  limits: LIMITS,
  telemetryMigrations: [{ number: 9, name: 'metrics', statements: metricValues }],
  agingTables: [{ table: 'metrics', time: 'timestamp' }],
  itemRules: new Map([
    ['trace_metric', { bytes: INGEST_LIMITS.CONTAINER_BYTES }],
    ['otel_metrics_data', { bytes: INGEST_LIMITS.CONTAINER_BYTES }],
  ]),
  otlpAddresses: new Map([['metrics', 'otel_metrics_data']]),
  digest: async ({ writer }) => [(await import('./metric-items.ts')).createMetricItems({ writer })],
  datasets: async () => [(await import('./dataset.ts')).metricsDataset],
  serve: async (parts) => (await import('./serve.ts')).serveMetrics(parts),
}
