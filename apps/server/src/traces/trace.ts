import type { ProjectReference } from '../accounts/index.ts'
import { readTraceId } from '../event/index.ts'
import { standingIssues } from '../issues/index.ts'
import { inSlices, type Steps } from '../lib/sliced-work.ts'
import { arrange, SPANS_PER_SLICE, type Arrangement } from './arrange.ts'
import { LIMITS } from './limits.ts'
import { LOGS_OF_TRACE, type LogOfTrace } from './trace-logs.ts'
import type { TraceServices } from './trace-services.ts'
import type { SpanSummary, TraceError, TraceOccurrence, TraceScope } from './traces.view.ts'

/** An error of a trace, with the issue that it belongs to now. */
export interface ErrorOfTrace extends TraceError {
  readonly issueId: number
  readonly shortId: string
}

/** What was found in a trace, with its issue. */
export interface OccurrenceOfTrace extends TraceOccurrence {
  readonly issueId: number
  readonly shortId: string
}

/** A trace as it can be drawn. */
export interface LoadedTrace {
  readonly projects: readonly ProjectReference[]
  /** In the order of `arrangement`. */
  readonly spans: readonly SpanSummary[]
  readonly arrangement: Arrangement
  readonly errors: readonly ErrorOfTrace[]
  readonly occurrences: readonly OccurrenceOfTrace[]
  readonly logs: readonly LogOfTrace[]
  readonly truncated: boolean
}

/** All projects of the organisation: a trace goes through several. Null when the id is none. */
export const scopeOfTrace = async (
  { projects }: Pick<TraceServices, 'projects'>,
  organizationId: number,
  id: string,
): Promise<{ readonly scope: TraceScope; readonly projects: readonly ProjectReference[] } | null> => {
  const traceId = readTraceId(id)
  if (traceId === null) return null
  const living = await projects(organizationId)
  return { scope: { organizationId, projectIds: living.map((project) => project.id), traceId }, projects: living }
}

export const loadTrace = async (
  services: TraceServices,
  { scope, projects }: { readonly scope: TraceScope; readonly projects: readonly ProjectReference[] },
  limit: number = LIMITS.TRACE_SPANS_SHOWN,
): Promise<LoadedTrace> => {
  const [found, errors, occurrences, logs] = await Promise.all([
    services.traces.spans(scope, limit),
    services.traces.errors(scope, LIMITS.TRACE_ERRORS_SHOWN + 1),
    services.traces.occurrences(scope, LIMITS.TRACE_ERRORS_SHOWN),
    services.ask(LOGS_OF_TRACE, { ...scope, limit: LIMITS.TRACE_LOGS_SHOWN + 1 }),
  ])
  return {
    projects,
    ...(await inSlices(arranged(found.slice(0, limit)))),
    errors: await withIssues(services, scope.organizationId, errors.slice(0, LIMITS.TRACE_ERRORS_SHOWN)),
    occurrences: await withIssues(services, scope.organizationId, occurrences),
    logs: logs.slice(0, LIMITS.TRACE_LOGS_SHOWN),
    truncated:
      found.length > limit || errors.length > LIMITS.TRACE_ERRORS_SHOWN || logs.length > LIMITS.TRACE_LOGS_SHOWN,
  }
}

const arranged = function* (spans: readonly SpanSummary[]): Steps<Pick<LoadedTrace, 'arrangement' | 'spans'>> {
  const arrangement = yield* arrange(spans)
  yield
  const inOrder = arrangement.order.flatMap((index) => spans[index] ?? [])
  return { arrangement, spans: yield* withTransactions(inOrder, arrangement.parent) }
}

/**
 * A span may have come before the root of its transaction, which knows best what that is called; and some SDKs do not say
 * which it is: then it is its parent's.
 */
const withTransactions = function* (
  spans: readonly SpanSummary[],
  parent: readonly number[],
): Steps<readonly SpanSummary[]> {
  const names = new Map(spans.flatMap((span) => (span.isSegment ? [[keyOf(span), span.transaction] as const] : [])))
  const named: SpanSummary[] = []
  for (const [place, span] of spans.entries()) {
    if (place % SPANS_PER_SLICE === SPANS_PER_SLICE - 1) yield
    const ofParent = span.segmentId === '' ? named[parent[place] ?? -1]?.transaction : undefined
    const transaction = (span.isSegment ? undefined : names.get(keyOf(span)) || ofParent) || span.transaction
    named.push(transaction === span.transaction ? span : { ...span, transaction })
  }
  return named
}

const keyOf = ({ projectId, segmentId }: SpanSummary): string => `${projectId} ${segmentId}`

/** Events of merged issues belong to the issue that they were merged into; those of deleted issues are left out. */
const withIssues = async <Event extends TraceError>(
  { issues }: Pick<TraceServices, 'issues'>,
  organizationId: number,
  errors: readonly Event[],
): Promise<(Event & { readonly issueId: number; readonly shortId: string })[]> => {
  const standing = await standingIssues(
    issues,
    organizationId,
    errors.map(({ storedIssueId }) => storedIssueId),
  )
  return errors.flatMap((error) => {
    const issue = standing.get(error.storedIssueId)
    return issue === undefined ? [] : [{ ...error, issueId: issue.id, shortId: issue.shortId }]
  })
}
