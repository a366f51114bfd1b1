import type { Capability } from '../capability.ts'
import { LIMITS as INGEST_LIMITS } from '../ingest/limits.ts'
import { LIMITS } from './limits.ts'
import { statements as logLines } from './telemetry/migrations/0007-logs.ts'

/** What programs write while they run: structured log lines of SDKs and of OpenTelemetry. */
export const logs: Capability = {
  name: 'logs',
  limits: LIMITS,
  telemetryMigrations: [{ number: 7, name: 'logs', statements: logLines }],
  agingTables: [{ table: 'logs', time: 'timestamp' }],
  itemRules: new Map([
    ['log', { bytes: INGEST_LIMITS.CONTAINER_BYTES }],
    ['otel_log', { bytes: INGEST_LIMITS.CONTAINER_BYTES }],
  ]),
  otlpAddresses: new Map([['logs', 'otel_log']]),
  digest: async ({ writer }) => [(await import('./log-items.ts')).createLogItems({ writer })],
  datasets: async () => [(await import('./dataset.ts')).logsDataset],
  serve: async (parts) => (await import('./serve.ts')).serveLogs(parts),
}
