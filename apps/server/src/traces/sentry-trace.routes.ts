import { getTraceMeta, getTraceTree } from '@firsthand/contract'
import { todaysName } from '../event/index.ts'
import { bind, notFound, type Route } from '../http/index.ts'
import { LIMITS } from './limits.ts'
import { loadTrace, scopeOfTrace, type ErrorOfTrace, type LoadedTrace } from './trace.ts'
import { COUNT_LOGS_OF_TRACE } from './trace-logs.ts'
import type { TraceServices } from './trace-services.ts'
import { keyOfSpan, type SpanAttributes, type SpanSummary } from './traces.view.ts'

/** Traces as Sentry's clients read them. */
export const createSentryTraceRoutes = (services: TraceServices): Route[] => [
  getTraceTreeRoute(services),
  getTraceMetaRoute(services),
]

const getTraceTreeRoute = (services: TraceServices): Route =>
  bind(getTraceTree, async ({ params, query, request }) => {
    const asked = await scopeOfTrace(services, request.organization.id, params.trace)
    if (asked === null) throw notFound()
    const limit = Math.min(query.limit ?? LIMITS.TRACE_SPANS_NESTED, LIMITS.TRACE_SPANS_NESTED)
    const names = query.additional_attributes ?? []
    const [loaded, attributes] = await Promise.all([
      loadTrace(services, asked, limit),
      names.length === 0
        ? new Map<string, SpanAttributes>()
        : services.traces.attributes(asked.scope, names.map(todaysName), limit),
    ])
    return { body: treeJson(loaded, attributes) }
  })

type Json = Record<string, unknown>

interface SpanNode extends Json {
  readonly children: SpanNode[]
  readonly errors: Json[]
  readonly occurrences: Json[]
}

/** Nested to `TRACE_NESTED_LEVELS`: a reader that recurses, as all do, must not fall over a deep one. */
export const treeJson = (loaded: LoadedTrace, attributes: ReadonlyMap<string, SpanAttributes>): Json[] => {
  const { spans, arrangement, errors, occurrences, projects } = loaded
  const slugs = new Map(projects.map(({ id, slug }) => [id, slug]))
  const nodes = spans.map((span) =>
    spanNode(span, slugs.get(span.projectId) ?? '', attributes.get(keyOfSpan(span)) ?? {}),
  )
  const roots: Json[] = []
  /** Below which place each stands: its parent, or the deepest one above it that may have children here. */
  const hosts: number[] = []
  nodes.forEach((node, place) => {
    const above = arrangement.parent[place] ?? -1
    const isTooDeep = (arrangement.depth[above] ?? 0) >= LIMITS.TRACE_NESTED_LEVELS
    const host = isTooDeep ? (hosts[above] ?? -1) : above
    hosts.push(host)
    const parent = nodes[host]
    if (parent === undefined) roots.push(node)
    else parent.children.push(node)
  })
  const placeOf = new Map(spans.map(({ id, projectId }, place) => [`${projectId} ${id}`, place]))
  for (const error of errors) {
    const node = nodes[placeOf.get(`${error.projectId} ${error.spanId}`) ?? -1]
    const json = errorNode(error, slugs.get(error.projectId) ?? '')
    if (node === undefined) roots.push(json)
    else node.errors.push(json)
  }
  for (const occurrence of occurrences) {
    const about = errorNode(occurrence, slugs.get(occurrence.projectId) ?? '')
    const json = { ...about, event_type: 'occurrence', issue_type: occurrence.typeId }
    const node = nodes[placeOf.get(`${occurrence.projectId} ${occurrence.spanId}`) ?? -1]
    if (node === undefined) roots.push(json)
    else node.occurrences.push(json)
  }
  return roots
}

const MICROSECONDS = 1_000_000

const spanNode = (span: SpanSummary, slug: string, attributes: SpanAttributes): SpanNode => ({
  event_type: 'span',
  event_id: span.id,
  transaction_id: span.segmentId,
  project_id: span.projectId,
  project_slug: slug,
  parent_span_id: span.parentId === '' ? null : span.parentId,
  start_timestamp: span.start / MICROSECONDS,
  end_timestamp: (span.start + span.duration) / MICROSECONDS,
  duration: span.duration / 1000,
  op: span.op,
  name: span.name,
  description: span.description === '' ? span.name : span.description,
  transaction: span.transaction,
  is_transaction: span.isSegment,
  sdk_name: span.sdkName,
  profile_id: span.profileId,
  profiler_id: span.profilerId,
  measurements: {},
  children: [],
  errors: [],
  occurrences: [],
  additional_attributes: { 'span.status': span.status, ...attributes },
})

const errorNode = (error: ErrorOfTrace, slug: string): Json => ({
  event_type: 'error',
  event_id: error.eventId,
  issue_id: error.issueId,
  short_id: error.shortId,
  project_id: error.projectId,
  project_slug: slug,
  level: error.level,
  title: error.title,
  description: error.title,
  culprit: error.culprit,
  transaction: error.culprit,
  start_timestamp: error.timestamp / 1000,
  end_timestamp: error.timestamp / 1000,
  span_id: error.spanId,
  children: [],
  errors: [],
  occurrences: [],
})

const getTraceMetaRoute = (services: TraceServices): Route =>
  bind(getTraceMeta, async ({ params, request }) => {
    const asked = await scopeOfTrace(services, request.organization.id, params.trace)
    if (asked === null) throw notFound()
    const [operations, errors, occurrences, children, logs] = await Promise.all([
      services.traces.operations(asked.scope),
      services.traces.countErrors(asked.scope),
      services.traces.countOccurrences(asked.scope),
      services.traces.spansOfSegments(asked.scope, LIMITS.TRACE_SPANS_SHOWN),
      services.ask(COUNT_LOGS_OF_TRACE, asked.scope),
    ])
    return {
      body: {
        logs,
        errors,
        performance_issues: occurrences,
        span_count: [...operations.values()].reduce((sum, count) => sum + count, 0),
        transaction_child_count_map: [...children].map(([id, count]) => ({
          'transaction.event_id': id,
          'count()': count,
        })),
        span_count_map: Object.fromEntries(operations),
      },
    }
  })
