import { errorsDataset } from '../../issues/errors-dataset.ts'
import { logsDataset } from '../../logs/dataset.ts'
import { metricsDataset } from '../../metrics/dataset.ts'
import { profilesDataset } from '../../profiles/telemetry/profile-dataset.ts'
import { spansDataset } from '../../traces/telemetry/span-dataset.ts'
import type { OpenedTelemetry } from '../../storage/conformance/engines.ts'
import { createExploreView } from '../explore.view.ts'
import type { ExploreServices } from '../scope.ts'
import { readTable, type Table, type TableQuery } from '../table.ts'

/** Spans for questions, and what the answers are computed from. */

export const FROM = Date.parse('2026-11-20T12:00:00.000Z')
export const HOUR = 3_600_000
export const NOW = FROM + HOUR

export interface SampleSpan {
  readonly name?: string
  readonly op?: string
  readonly transaction?: string
  readonly isSegment?: boolean
  /** Milliseconds. */
  readonly duration?: number
  /** Of it, in which children ran. */
  readonly childrenTime?: number
  readonly at?: number
  readonly status?: string
  readonly user?: string
  readonly rate?: number
  readonly httpStatus?: number
  readonly project?: number
  readonly organization?: number
  readonly trace?: string
  readonly parent?: number
  readonly environment?: string
  readonly browser?: string
  readonly device?: string
  readonly country?: string
  /** What spans alike have in common, and where it was. */
  readonly groupText?: string
  readonly domain?: string
  readonly strings?: Readonly<Record<string, string>>
  readonly numbers?: Readonly<Record<string, number>>
  readonly flags?: Readonly<Record<string, boolean>>
  readonly received?: number
}

let ids = 0

export const rowOf = (span: SampleSpan) => {
  ids += 1
  const at = span.at ?? FROM
  return {
    organization_id: span.organization ?? 1,
    project_id: span.project ?? 1,
    trace_id: span.trace ?? ids.toString(16).padStart(32, '2'),
    span_id: String(ids),
    parent_span_id: String(span.parent ?? 0),
    segment_id: String(ids),
    is_segment: span.isSegment ?? false,
    // As the engine counts it.
    timestamp: at,
    duration: Math.round((span.duration ?? 100) * 1000),
    children_time: Math.round((span.childrenTime ?? 0) * 1000),
    name: span.name ?? 'work',
    op: span.op ?? 'function',
    status: span.status ?? 'ok',
    transaction: span.transaction ?? '/',
    environment: span.environment ?? 'production',
    user: span.user ?? '',
    http_status: span.httpStatus ?? 0,
    browser: span.browser ?? '',
    device: span.device ?? '',
    country: span.country ?? '',
    group_text: span.groupText ?? '',
    domain: span.domain ?? '',
    sample_rate: span.rate ?? 1,
    strings: span.strings ?? {},
    numbers: span.numbers ?? {},
    flags: span.flags ?? {},
    received: span.received ?? at,
  }
}

export const insertSpans = async ({ telemetry }: OpenedTelemetry, spans: readonly SampleSpan[]): Promise<void> => {
  await telemetry.client.insert({ table: 'spans', values: spans.map(rowOf), format: 'JSONEachRow' })
}

const PROJECTS = [
  { id: 1, slug: 'shop' },
  { id: 2, slug: 'api' },
].map((project) => ({ ...project, name: project.slug, platform: 'javascript', settings: '{}' }))

export const createServices = ({ telemetry }: OpenedTelemetry): ExploreServices => ({
  view: createExploreView({ client: telemetry.client }),
  datasets: [errorsDataset, spansDataset, logsDataset, metricsDataset, profilesDataset],
  projects: async () => PROJECTS,
  clock: { now: () => NOW },
  ask: async ({ otherwise }) => otherwise,
})

export type Ask = (more: Partial<TableQuery>) => Promise<Table>

/** Asks for a table of the hour in which the spans are. */
export const tableOf =
  (services: ExploreServices, organizationId = 1): Ask =>
  (more) =>
    readTable(services, organizationId, {
      dataset: 'spans',
      field: ['count()'],
      statsPeriod: '1h',
      limit: 100,
      ...more,
    })
