import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnvelope } from '@firsthand/protocol'
import { DEFAULT_PROJECT_SETTINGS } from '../accounts/index.ts'
import { digestItem, RECEIVED } from '../event/normalise/digest-item.fixture.ts'
import type { DigestItem } from '../ingest/index.ts'
import type { OpenedTelemetry } from '../storage/conformance/engines.ts'
import { storeOf } from '../../test/stores/store-items.ts'
import { createRowWriter } from '../storage/telemetry/row-writer.ts'
import { createMetricItems } from './metric-items.ts'

/** Test helpers: metrics as they are sent, and how they come into the table. */

const CONTAINER = 'application/vnd.sentry.items.trace-metric+json'

const ofProject = (item: DigestItem, projectId: number): DigestItem => ({
  ...item,
  sender: { ...item.sender, projectId },
})

export const containerOf = (
  projectId: number,
  items: readonly unknown[],
  more: object = { version: 2 },
): DigestItem => {
  const item = digestItem({ ...more, items }, { type: 'trace_metric' })
  const header = { ...item.item.header, contentType: CONTAINER, itemCount: items.length }
  return ofProject({ ...item, item: { ...item.item, header } }, projectId)
}

export const exportOf = (projectId: number, payload: Uint8Array | object): DigestItem => {
  const item = digestItem(payload, { type: 'otel_metrics_data' })
  const contentType = payload instanceof Uint8Array ? 'application/x-protobuf' : 'application/json'
  return ofProject({ ...item, item: { ...item.item, header: { ...item.item.header, contentType } } }, projectId)
}

export const measured = (name: string, value: unknown, more: object = {}) => ({
  timestamp: RECEIVED - 1,
  trace_id: 'a'.repeat(32),
  name,
  type: 'counter',
  value,
  ...more,
})

const FIXTURES = join(import.meta.dirname, '..', '..', '..', '..', 'fixtures', 'envelopes')

/** What an SDK has really sent. */
export const recorded = (name: string, projectId: number): DigestItem => {
  const parsed = parseEnvelope(readFileSync(join(FIXTURES, `${name}.envelope`)))
  if (!parsed.ok) throw new Error(parsed.error.message)
  const { header, items } = parsed.value
  const item = items.find((one) => one.header.type === 'trace_metric')
  if (item === undefined) throw new Error(`${name} has no metrics`)
  // Their time is that of the recording.
  const sent = JSON.parse(Buffer.from(item.payload).toString()) as { items: { timestamp: number }[] }
  const receivedAt = Math.round((sent.items[0]?.timestamp ?? 0) * 1000) + 1000
  const { sender } = digestItem('{}')
  return { sender: { ...sender, projectId }, receivedAt, header, eventId: null, item }
}

export type MetricRow = Readonly<Record<string, unknown>>

/** Expands, writes and reads items as the digest does. */
export const createMetricStore = ({ telemetry }: OpenedTelemetry) => {
  const kind = createMetricItems({ writer: createRowWriter({ client: telemetry.client }) })
  const expand = (item: DigestItem, settings = DEFAULT_PROJECT_SETTINGS) =>
    kind.expand(item, { settings, siblings: [item.item] })
  return {
    kind,
    expand,
    /** @returns what ended before it was stored */
    store: storeOf(kind),
    rowsOf: async (project: number): Promise<readonly MetricRow[]> => {
      const result = await telemetry.client.query({
        query: `SELECT name, toString(type) AS type, toString(unit) AS unit, value, weight, nanos, sequence,
            toUnixTimestamp64Milli(timestamp) AS at, replaceAll(toString(trace_id), '-', '') AS trace,
            lower(hex(span_id)) AS span, toString(environment) AS environment, toString(release) AS release,
            toString(service) AS service, toString(server) AS server, toString(sdk_name) AS sdk, user,
            strings, numbers, flags, lists, notes
          FROM metrics FINAL WHERE project_id = {project:UInt64} ORDER BY timestamp, sequence, value`,
        query_params: { project },
        format: 'JSONEachRow',
      })
      return result.json<MetricRow>()
    },
  }
}
