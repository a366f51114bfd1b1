import { getSpan, getTrace, SPAN_FLAGS, type Attribute, type Span, type Trace } from '@firsthand/contract'
import { isObject } from '@firsthand/protocol'
import { chooseProjects } from '../accounts/index.ts'
import { bind, notFound, orBadRequest, type Route } from '../http/index.ts'
import { toDate } from '../lib/instant-text.ts'
import { inSlices, type Steps } from '../lib/sliced-work.ts'
import { SPANS_PER_SLICE } from './arrange.ts'
import { LIMITS } from './limits.ts'
import { attributesOf } from './span-attributes.ts'
import { NOT_FAILED } from './span.ts'
import { loadTrace, scopeOfTrace, type LoadedTrace } from './trace.ts'
import type { TraceServices } from './trace-services.ts'
import type { SpanSummary, StoredSpan } from './traces.view.ts'

/** Traces as the console draws them. */
export const createTraceRoutes = (services: TraceServices): Route[] => [getTraceRoute(services), getSpanRoute(services)]

const getTraceRoute = (services: TraceServices): Route =>
  bind(getTrace, async ({ params, request }) => {
    const asked = await scopeOfTrace(services, request.organization.id, params.trace)
    if (asked === null) throw notFound()
    const loaded = await loadTrace(services, asked)
    if (loaded.spans.length + loaded.errors.length + loaded.logs.length === 0) throw notFound()
    return { body: await inSlices(traceJson(asked.scope.traceId, loaded)) }
  })

/** Each text once, and where it stands. */
const createWords = () => {
  const places = new Map<string, number>()
  return {
    place: (word: string): number => {
      const known = places.get(word)
      if (known !== undefined) return known
      places.set(word, places.size)
      return places.size - 1
    },
    all: (): string[] => [...places.keys()],
  }
}

/** Queries are long, and one of each is enough to tell them apart; the span itself has all of it. */
const shownName = ({ name, description }: SpanSummary): string =>
  (description === '' ? name : description).slice(0, LIMITS.SPAN_SHOWN_CHARS).toWellFormed()

const isFailed = ({ status }: SpanSummary): boolean => !NOT_FAILED.includes(status)

const flagsOf = (span: SpanSummary, place: number, { orphans, cycles }: LoadedTrace['arrangement']): number =>
  (span.isSegment ? SPAN_FLAGS.segment : 0) |
  (isFailed(span) ? SPAN_FLAGS.failed : 0) |
  (orphans.has(place) ? SPAN_FLAGS.orphan : 0) |
  (cycles.has(place) ? SPAN_FLAGS.cycle : 0)

/** From the first to the last moment, as it is drawn; microseconds since the epoch. */
const extentOf = ({
  spans,
  arrangement,
  errors,
  logs,
}: LoadedTrace): { readonly from: number; readonly to: number } => {
  let from = Infinity
  let to = -Infinity
  spans.forEach(({ start, duration }, place) => {
    const at = start + (arrangement.shift[place] ?? 0)
    from = Math.min(from, at)
    to = Math.max(to, at + duration)
  })
  for (const { timestamp } of [...errors, ...logs]) {
    from = Math.min(from, timestamp * 1000)
    to = Math.max(to, timestamp * 1000)
  }
  return { from, to }
}

/** Spans as columns: one object for each would be twice as large. */
const columnsOf = function* (
  { arrangement, spans }: LoadedTrace,
  from: number,
  words: ReturnType<typeof createWords>,
  placeOfProject: ReadonlyMap<number, number>,
): Steps<Trace['spans']> {
  const columns: Trace['spans'] = {
    id: [],
    parent: [...arrangement.parent],
    depth: [...arrangement.depth],
    descendants: [...arrangement.descendants],
    start: [],
    duration: [],
    selfTime: [...arrangement.selfTime],
    shift: [...arrangement.shift],
    op: [],
    name: [],
    transaction: [],
    status: [],
    project: [],
    flags: [],
  }
  for (const [place, span] of spans.entries()) {
    if (place % SPANS_PER_SLICE === SPANS_PER_SLICE - 1) yield
    columns.id.push(span.id)
    columns.start.push(span.start - from)
    columns.duration.push(span.duration)
    columns.op.push(words.place(span.op))
    columns.name.push(words.place(shownName(span)))
    columns.transaction.push(words.place(span.transaction))
    columns.status.push(words.place(span.status))
    columns.project.push(placeOfProject.get(span.projectId) ?? 0)
    columns.flags.push(flagsOf(span, place, arrangement))
  }
  return columns
}

const traceJson = function* (traceId: string, loaded: LoadedTrace): Steps<Trace> {
  const { errors, occurrences, logs, spans, truncated } = loaded
  const words = createWords()
  const { from, to } = extentOf(loaded)
  const used = new Set([...spans, ...errors, ...logs].map(({ projectId }) => projectId))
  const projects = loaded.projects.filter(({ id }) => used.has(id))
  const placeOfProject = new Map(projects.map(({ id }, place) => [id, place]))
  yield
  const columns = yield* columnsOf(loaded, from, words, placeOfProject)
  return {
    traceId,
    start: toDate(Math.floor(from / 1000)),
    duration: (to - from) / 1000,
    projects: projects.map(({ id, slug }) => ({ id: String(id), slug })),
    spans: columns,
    words: words.all(),
    errors: errors.map(({ issueId, projectId, timestamp, eventId, shortId, title, level, spanId }) => ({
      eventId,
      shortId,
      title,
      level,
      spanId,
      issueId: String(issueId),
      projectId: String(projectId),
      timestamp: toDate(timestamp),
    })),
    findings: occurrences.map(({ eventId, issueId, projectId, shortId, spanIds, title }) => ({
      eventId,
      shortId,
      title,
      spanIds: [...spanIds],
      issueId: String(issueId),
      projectId: String(projectId),
    })),
    logs: logs.map(({ projectId, timestamp, ...line }) => ({
      ...line,
      projectId: String(projectId),
      timestamp: toDate(timestamp),
    })),
    truncated,
  }
}

const getSpanRoute = (services: TraceServices): Route =>
  bind(getSpan, async ({ params, query, request }) => {
    const asked = await scopeOfTrace(services, request.organization.id, params.trace)
    if (asked === null || !/^[0-9a-f]{16}$/.test(params.span)) throw notFound()
    const projectIds = orBadRequest(chooseProjects(asked.projects, query.project)).map(({ id }) => id)
    const found = await services.traces.span({ ...asked.scope, projectIds }, params.span)
    if (found === null) throw notFound()
    return { body: spanJson(asked.scope.traceId, found) }
  })

const spanJson = (traceId: string, span: StoredSpan): Span => ({
  id: span.id,
  traceId,
  parentId: span.parentId,
  projectId: String(span.projectId),
  start: toDate(Math.floor(span.start / 1000)),
  startMicroseconds: span.start,
  duration: span.duration / 1000,
  op: span.op,
  name: span.name,
  description: span.description,
  status: span.status,
  transaction: span.transaction,
  isSegment: span.isSegment,
  eventId: span.eventId,
  environment: span.environment,
  release: span.release,
  sdk: span.sdkVersion === '' ? span.sdkName : `${span.sdkName}/${span.sdkVersion}`,
  attributes: attributesOf(span),
  links: readLinks(span.links),
  notes: [...span.notes],
})

const typeOf = (value: unknown): Attribute['type'] => {
  if (typeof value === 'number') return 'number'
  return typeof value === 'boolean' ? 'boolean' : Array.isArray(value) ? 'array' : 'string'
}

const readLinks = (json: string): Span['links'] => {
  const links: unknown = json === '' ? [] : JSON.parse(json)
  if (!Array.isArray(links)) return []
  return links.filter(isObject).map((link) => ({
    traceId: String(link['traceId']),
    spanId: String(link['spanId']),
    attributes: Object.entries(isObject(link['attributes']) ? link['attributes'] : {}).map(
      ([name, value]): Attribute => ({ name, type: typeOf(value), value: value as Attribute['value'] }),
    ),
  }))
}
