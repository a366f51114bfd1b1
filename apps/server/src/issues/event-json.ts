import type {
  Breadcrumb,
  EventRequest,
  EventUser,
  Exception,
  Frame,
  JsonObject,
  NormalisedEvent,
  Occurrence,
  Stacktrace,
  Thread,
} from '../event/event.ts'
import { eventMessage } from './event-message.ts'
import type { EventSummary } from './events.view.ts'
import type { GroupingComponent, GroupingVariant } from './grouped.ts'
import type { GroupingConfig } from '@firsthand/contract'
import type { EventTitle } from '../event/event.ts'
import { metaJson } from './event-meta-json.ts'
import { releaseJson } from './issue-json.ts'
import { toDate } from '../lib/instant-text.ts'
import type { ReleaseRecord } from './issues.view.ts'
import type { UserReport } from './visitor-reports.ts'

/** Events in the documented JSON shape of Sentry's API: camelCase, the parts of the payload as typed `entries`. */

export interface EventJsonContext {
  readonly issueId: number
  readonly projectId: number
  readonly projectSlug: string
  /** Milliseconds since the epoch. */
  readonly timestamp: number
  readonly receivedAt: number
  /** Of the stored payload. */
  readonly bytes: number
  readonly title: EventTitle
  readonly hashes: readonly string[]
  readonly groupingConfig: GroupingConfig
  readonly release: ReleaseRecord | undefined
  readonly report: UserReport | null
  readonly previous: string | null
  readonly next: string | null
}

export const eventJson = (event: NormalisedEvent, context: EventJsonContext) => {
  const { title } = context
  const entries = entriesOf(event)
  return {
    id: event.event_id,
    eventID: event.event_id,
    groupID: String(context.issueId),
    projectID: String(context.projectId),
    projectSlug: context.projectSlug,
    type: event.type,
    title: title.title,
    message: eventMessage(event),
    location: title.metadata['filename'] ?? null,
    culprit: title.culprit,
    level: event.level,
    logger: event.logger,
    platform: event.platform,
    dist: event.dist ?? null,
    dateCreated: toDate(context.timestamp),
    dateReceived: toDate(context.receivedAt),
    size: context.bytes,
    entries,
    tags: event.tags.map(([key, value]) => ({ key, value })),
    user: event.user === undefined ? null : userJson(event.user),
    contexts: event.contexts,
    context: event.extra ?? {},
    packages: event.modules ?? {},
    sdk: event.sdk === undefined ? null : { name: event.sdk.name, version: event.sdk.version },
    metadata: title.metadata,
    errors: event.errors.map(({ type, name, value, reason }) => ({
      type,
      message: PROBLEMS[type] ?? type,
      data: {
        ...(name === undefined ? {} : { name }),
        ...(value === undefined ? {} : { value }),
        ...(reason === undefined ? {} : { reason }),
      },
    })),
    fingerprints: [...context.hashes],
    groupingConfig: context.groupingConfig,
    release: event.release === undefined ? null : releaseJson(event.release, context.release),
    userReport: context.report === null ? null : userReportJson(context.report, event.event_id),
    crashFile: null,
    occurrence: event.occurrence === undefined ? null : occurrenceJson(event.occurrence, event, context),
    _meta: metaJson(event, entries),
    nextEventID: context.next,
    previousEventID: context.previous,
  }
}

const occurrenceJson = (occurrence: Occurrence, event: NormalisedEvent, context: EventJsonContext) => ({
  id: event.event_id,
  projectId: context.projectId,
  eventId: event.event_id,
  fingerprint: [...context.hashes],
  issueTitle: occurrence.title,
  subtitle: occurrence.subtitle,
  resourceId: null,
  evidenceData: occurrence.evidence,
  evidenceDisplay: occurrence.evidenceDisplay.map((shown) => ({ ...shown })),
  type: occurrence.typeId,
  detectionTime: event.received,
  level: event.level,
  culprit: context.title.culprit,
})

export const userReportJson = (report: UserReport, eventId: string) => ({
  id: String(report.id),
  eventID: eventId,
  name: report.name,
  email: report.email,
  comments: report.message,
  dateCreated: toDate(report.createdAt),
  event: { id: eventId, eventID: eventId },
})

const PROBLEMS: Readonly<Record<string, string>> = {
  invalid_data: 'Discarded invalid value',
  value_too_long: 'Discarded value due to exceeding the maximum length',
  future_timestamp: 'Invalid timestamp (in future)',
  past_timestamp: 'Invalid timestamp (too old)',
  clock_drift: 'Clock drift detected in SDK',
  rules_skipped: 'Filters and grouping rules were not all applied',
  retrace_skipped: 'Frames were not all read by the mapping',
}

const REPORTS = ['csp', 'hpkp', 'expectct', 'expectstaple', 'nel'] as const

const entriesOf = (event: NormalisedEvent) => {
  const system = { value: false }
  const exceptions = event.exception?.values.map((exception) => exceptionJson(exception, event.platform, system)) ?? []
  const message = event.logentry?.formatted ?? event.logentry?.message
  return [
    ...(exceptions.length === 0
      ? []
      : [
          {
            type: 'exception' as const,
            data: { values: exceptions, hasSystemFrames: system.value, excOmitted: null },
          },
        ]),
    ...(event.stacktrace === undefined
      ? []
      : [{ type: 'stacktrace' as const, data: stacktraceJson(event.stacktrace, event.platform) }]),
    ...(event.threads === undefined
      ? []
      : [
          {
            type: 'threads' as const,
            data: { values: event.threads.values.map((thread) => threadJson(thread, event.platform)) },
          },
        ]),
    ...(message === undefined
      ? []
      : [
          {
            type: 'message' as const,
            data: {
              formatted: message,
              message: event.logentry?.message ?? null,
              ...(event.logentry?.params === undefined ? {} : { params: event.logentry.params }),
            },
          },
        ]),
    ...REPORTS.flatMap((type) => {
      const data = event[type]
      return data === undefined ? [] : [{ type, data }]
    }),
    ...(event.request === undefined ? [] : [{ type: 'request' as const, data: requestJson(event.request) }]),
    ...(event.breadcrumbs === undefined
      ? []
      : [{ type: 'breadcrumbs' as const, data: { values: event.breadcrumbs.values.map(breadcrumbJson) } }]),
    ...debugMeta(event.debug_meta),
  ]
}

const debugMeta = (meta: JsonObject | undefined) => {
  const images = meta?.['images']
  if (!Array.isArray(images)) return []
  const objects = images.filter((image): image is JsonObject => typeof image === 'object' && image !== null)
  return objects.length === 0 ? [] : [{ type: 'debugmeta' as const, data: { images: objects } }]
}

const exceptionJson = (exception: Exception, platform: string, system: { value: boolean }) => {
  const stacktrace = exception.stacktrace === undefined ? null : stacktraceJson(exception.stacktrace, platform)
  if (stacktrace?.hasSystemFrames === true) system.value = true
  return {
    type: exception.type ?? null,
    value: exception.value ?? null,
    module: exception.module ?? null,
    threadId: threadId(exception.thread_id),
    mechanism:
      exception.mechanism === undefined
        ? null
        : { ...exception.mechanism, handled: exception.mechanism.handled ?? null },
    stacktrace,
    rawStacktrace: exception.raw_stacktrace === undefined ? null : stacktraceJson(exception.raw_stacktrace, platform),
  }
}

/** Sentry gives numbers where SDKs sent some; what no number holds exactly stays text. */
const threadId = (id: string | undefined): string | number | null =>
  id !== undefined && /^(?:0|[1-9]\d{0,15})$/.test(id) && Number.isSafeInteger(Number(id)) ? Number(id) : (id ?? null)

const threadJson = (thread: Thread, platform: string) => ({
  id: threadId(thread.id),
  name: thread.name ?? null,
  crashed: thread.crashed ?? false,
  current: thread.current ?? false,
  main: thread.main ?? null,
  state: thread.state ?? null,
  stacktrace: thread.stacktrace === undefined ? null : stacktraceJson(thread.stacktrace, platform),
  rawStacktrace: null,
})

const stacktraceJson = (stacktrace: Stacktrace, platform: string) => ({
  frames: stacktrace.frames.map((frame) => frameJson(frame, platform)),
  framesOmitted: stacktrace.frames_omitted === undefined ? null : toPair(stacktrace.frames_omitted),
  registers: stacktrace.registers ?? null,
  hasSystemFrames:
    stacktrace.frames.some((frame) => frame.in_app === true) &&
    stacktrace.frames.some((frame) => frame.in_app !== true),
})

const toPair = ([first, second]: readonly [number, number]): [number, number] => [first, second]

const frameJson = (frame: Frame, platform: string) => ({
  filename: frame.filename ?? null,
  absPath: frame.abs_path ?? null,
  module: frame.module ?? null,
  package: frame.package ?? null,
  platform: frame.platform === platform ? null : (frame.platform ?? null),
  instructionAddr: frame.instruction_addr ?? null,
  symbolAddr: frame.symbol_addr ?? null,
  function: frame.function ?? null,
  rawFunction: frame.raw_function ?? null,
  context: contextOf(frame),
  lineNo: frame.lineno ?? null,
  colNo: frame.colno ?? null,
  inApp: frame.in_app ?? false,
  vars: frame.vars ?? null,
  sourceLink: frame.source_link ?? null,
})

/** `[line number, text]` of the lines around the call. */
const contextOf = (frame: Frame): [number, string][] => {
  const { lineno, context_line: line, pre_context: before = [], post_context: after = [] } = frame
  if (line === undefined) return []
  const at = lineno ?? before.length + 1
  return [
    ...before.map((text, index): [number, string] => [at - before.length + index, text]),
    [at, line],
    ...after.map((text, index): [number, string] => [at + 1 + index, text]),
  ]
}

const breadcrumbJson = (breadcrumb: Breadcrumb) => ({
  type: breadcrumb.type,
  timestamp: breadcrumb.timestamp === undefined ? null : toDate(breadcrumb.timestamp * 1000),
  level: breadcrumb.level,
  message: breadcrumb.message ?? null,
  category: breadcrumb.category ?? null,
  data: breadcrumb.data ?? null,
  event_id: breadcrumb.event_id ?? null,
})

const toPairs = (pairs: readonly (readonly [string, string])[] | undefined): [string, string][] =>
  (pairs ?? []).map(([key, value]) => [key, value])

/** Of a body that came as JSON values, what the request says, or what they are. */
const contentTypeOf = ({ data, headers = [] }: EventRequest): string | null => {
  if (data === undefined || data === null) return null
  const said = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1]
  return said?.split(';', 1)[0]?.trim().toLowerCase() ?? (typeof data === 'object' ? 'application/json' : null)
}

const requestJson = (request: EventRequest) => ({
  url: request.url ?? null,
  method: request.method ?? null,
  fragment: request.fragment ?? null,
  query: toPairs(request.query_string),
  data: request.data ?? null,
  inferredContentType: request.inferred_content_type ?? contentTypeOf(request),
  cookies: toPairs(request.cookies),
  headers: toPairs(request.headers),
  env: request.env ?? null,
  apiTarget: request.api_target ?? null,
})

const userJson = (user: EventUser) => ({
  id: user.id ?? null,
  email: user.email ?? null,
  username: user.username ?? null,
  name: user.name ?? null,
  ip_address: user.ip_address ?? null,
  geo: user.geo ?? null,
  data: user.data ?? null,
})

export const eventSummaryJson = (summary: EventSummary, issueId: number) => {
  const { user } = summary
  const known = user.id !== '' || user.email !== '' || user.username !== '' || user.ip !== ''
  return {
    id: summary.eventId,
    eventID: summary.eventId,
    groupID: String(issueId),
    projectID: String(summary.projectId),
    'event.type': summary.type,
    message: summary.message,
    title: summary.title,
    location: null,
    culprit: summary.culprit,
    user: known
      ? {
          id: user.id || null,
          email: user.email || null,
          username: user.username || null,
          name: null,
          ip_address: user.ip || null,
          geo: null,
          data: null,
        }
      : null,
    tags: Object.entries(summary.tags).map(([key, value]) => ({ key, value })),
    platform: summary.platform,
    dateCreated: toDate(summary.timestamp),
    crashFile: null,
    metadata: { title: summary.title },
  }
}

interface ComponentJson {
  id: string
  name: string | null
  contributes: boolean
  hint: string | null
  values: (string | ComponentJson)[]
}

const componentJson = (component: GroupingComponent): ComponentJson => ({
  id: component.id,
  name: component.name,
  contributes: component.contributes,
  hint: component.hint ?? null,
  values: component.values.map((value) => (typeof value === 'string' ? value : componentJson(value))),
})

/** Keyed by variant; a key that occurs twice (stack traces of threads) gets a number. */
export const groupingJson = (variants: readonly GroupingVariant[], config: GroupingConfig) => {
  const keyed = new Map<string, ReturnType<typeof variantJson>>()
  for (const variant of variants) {
    let key = variant.key
    for (let number = 2; keyed.has(key); number++) key = `${variant.key}-${number}`
    keyed.set(key, variantJson(variant, key, config))
  }
  return Object.fromEntries(keyed)
}

const variantJson = (variant: GroupingVariant, key: string, config: GroupingConfig) => ({
  key,
  type: VARIANT_TYPES.has(variant.key) ? variant.key : 'component',
  hash: variant.hash,
  description: variant.description,
  contributes: variant.hash !== null,
  hint: variant.component?.hint ?? null,
  hashMismatch: false,
  component: variant.component === null ? null : componentJson(variant.component),
  config,
})

const VARIANT_TYPES = new Set(['custom-fingerprint', 'checksum', 'fallback'])
