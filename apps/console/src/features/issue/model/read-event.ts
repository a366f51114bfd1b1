import type {
  ApiEvent,
  ApiFrame,
  ApiRequest,
  ApiStacktrace,
  Entry,
  exceptionValue,
  mechanism,
} from '@firsthand/contract'
import type { z } from 'zod'

import { contextTitle } from './contexts.ts'
import { readFinding } from './finding.ts'
import { builtFilesOf, type ImageView, mappingsOf, placeIn, readImages } from './images.ts'
import { metaBelow } from './remarks.ts'
import { readSlowdown } from './slowdown.ts'
import type {
  ContextView,
  EventView,
  ExceptionView,
  FrameView,
  Json,
  MechanismView,
  NamedValues,
  Pairs,
  ReportView,
  RequestView,
  StackView,
  UserView,
} from './event-view.ts'

/** What the frames of an event are read with. */
interface Surroundings {
  readonly images: readonly ImageView[]
  /** Of frames that name none of their own. */
  readonly platform: string
}

const OF_JVM: ReadonlySet<string> = new Set(['java', 'android'])

const REPORTS = new Set(['csp', 'hpkp', 'expectct', 'expectstaple', 'nel'])

export function readEvent(event: ApiEvent): EventView {
  const entry = <Type extends Entry['type']>(type: Type) =>
    event.entries.find((candidate): candidate is Extract<Entry, { type: Type }> => candidate.type === type)
  const meta = event._meta as Json
  const metaOf = (type: Entry['type']) =>
    metaBelow(
      meta,
      'entries',
      event.entries.findIndex((candidate) => candidate.type === type),
      'data',
    )
  const message = entry('message')?.data
  const threads = entry('threads')?.data.values ?? []
  const stack = entry('stacktrace')?.data ?? null
  const debugImages = entry('debugmeta')?.data.images ?? []
  const surroundings = { images: readImages(debugImages), platform: event.platform }
  const request = entry('request')?.data ?? null
  return {
    id: event.eventID,
    projectSlug: event.projectSlug,
    type: event.type,
    level: event.level,
    title: event.title,
    culprit: event.culprit,
    platform: event.platform,
    timestamp: instant(event.dateCreated) ?? 0,
    received: instant(event.dateReceived),
    release: event.release?.version ?? '',
    environment: event.tags.find((tag) => tag.key === 'environment')?.value ?? '',
    exceptions:
      entry('exception')?.data.values.map((value, index) =>
        readException(value, metaBelow(metaOf('exception'), 'values', index), surroundings),
      ) ?? [],
    threads: threads.map((thread) => ({
      id: String(thread.id ?? ''),
      name: thread.name ?? '',
      crashed: thread.crashed,
      current: thread.current,
      state: thread.state ?? '',
      stack: thread.stacktrace === null ? null : readStack(thread.stacktrace, surroundings),
    })),
    stack: stack === null ? null : readStack(stack, surroundings),
    message: message?.formatted || event.message,
    messageTemplate: message?.message ?? '',
    messageParameters: message?.params === undefined || message.params === null ? undefined : (message.params as Json),
    breadcrumbs:
      entry('breadcrumbs')?.data.values.map((crumb, index) => ({
        timestamp: instant(crumb.timestamp),
        type: crumb.type,
        category: crumb.category ?? '',
        message: crumb.message ?? '',
        level: crumb.level,
        data: named(crumb.data),
        dataMeta: metaBelow(metaOf('breadcrumbs'), 'values', index, 'data'),
      })) ?? [],
    request: request === null ? null : readRequest(request, metaOf('request')),
    report: readReport(event.entries),
    finding: readFinding(event.occurrence),
    slowdown: readSlowdown(event.occurrence),
    user: readUser(event.user),
    tags: event.tags.map((tag) => [tag.key, tag.value] as const),
    contexts: readContexts(event.contexts),
    extra: named(event.context),
    modules: Object.entries(event.packages).toSorted(([a], [b]) => a.localeCompare(b)),
    images: surroundings.images.map(({ file, debugId }) => [file, debugId] as const),
    builtFiles: builtFilesOf(debugImages),
    mappings: mappingsOf(debugImages),
    flags: readFlags(event.contexts.flags),
    sdk: event.sdk === null ? null : { ...event.sdk, integrations: [], packages: [] },
    notes: event.errors.map((error) => ({
      type: error.type,
      field: stringOf(error.data.name),
      reason: stringOf(error.data.reason) || error.message,
      value: error.data.value as Json | undefined,
    })),
    meta,
  }
}

function readException(
  value: z.output<typeof exceptionValue>,
  meta: Json | undefined,
  surroundings: Surroundings,
): ExceptionView {
  return {
    type: value.type ?? '',
    value: value.value ?? '',
    module: value.module ?? '',
    threadId: String(value.threadId ?? ''),
    mechanism: value.mechanism === null ? null : readMechanism(value.mechanism),
    stack: value.stacktrace === null ? null : readStack(value.stacktrace, surroundings, metaBelow(meta, 'stacktrace')),
    valueMeta: metaBelow(meta, 'value'),
    rawStack: value.rawStacktrace === null ? null : readStack(value.rawStacktrace, surroundings),
  }
}

function readMechanism(value: z.output<typeof mechanism>): MechanismView {
  return {
    type: value.type,
    handled: value.handled,
    description: value.description ?? '',
    helpLink: value.help_link ?? '',
    source: value.source ?? '',
    id: value.exception_id ?? null,
    parentId: value.parent_id ?? null,
    isGroup: value.is_exception_group ?? false,
    synthetic: value.synthetic ?? false,
    data: [...named(value.data), ...named(value.meta)],
  }
}

function readStack(value: ApiStacktrace, surroundings: Surroundings, meta?: Json): StackView {
  const [from, to] = value.framesOmitted ?? [0, 0]
  const last = value.frames.length - 1
  const frames = value.frames
    .toReversed()
    .map((frame, index) => readFrame(frame, index, surroundings, metaBelow(meta, 'frames', last - index, 'vars')))
  return { frames, omitted: Math.max(0, to - from), registers: named(value.registers) }
}

function readFrame(
  value: ApiFrame,
  index: number,
  { images, platform }: Surroundings,
  variablesMeta: Json | undefined,
): FrameView {
  const functionName = value.function ?? value.rawFunction ?? ''
  const address = value.instructionAddr ?? ''
  return {
    index,
    functionName,
    filename: value.filename ?? '',
    path: value.absPath ?? value.filename ?? '',
    module: value.module ?? '',
    className: OF_JVM.has(value.platform || platform) ? (value.module ?? '') : '',
    packageName: value.package ?? '',
    platform: value.platform ?? '',
    line: value.lineNo,
    column: value.colNo,
    inApp: value.inApp,
    source: value.context.map(([line, text]) => ({ line, text: text ?? '' })),
    variables: named(value.vars),
    variablesMeta,
    address,
    place: functionName === '' ? placeIn(images, address) : '',
    sourceLink: value.sourceLink ?? '',
  }
}

/** What is said of the values of pairs, by their names. */
function metaByName(pairs: Pairs, meta: Json | undefined): Json {
  return Object.fromEntries(pairs.map(([name], index) => [name, metaBelow(meta, index, '1') ?? null]))
}

function readRequest(value: ApiRequest, meta: Json | undefined): RequestView {
  return {
    method: value.method ?? '',
    url: value.url ?? '',
    query: value.query,
    fragment: value.fragment ?? '',
    headers: value.headers,
    cookies: value.cookies,
    body: (value.data ?? null) as Json,
    contentType: value.inferredContentType ?? '',
    environment: named(value.env),
    meta: {
      query: metaByName(value.query, metaBelow(meta, 'query')),
      headers: metaByName(value.headers, metaBelow(meta, 'headers')),
      cookies: metaByName(value.cookies, metaBelow(meta, 'cookies')),
      body: metaBelow(meta, 'data') ?? null,
      environment: metaBelow(meta, 'env') ?? null,
    },
  }
}

function readReport(entries: readonly Entry[]): ReportView | null {
  const found = entries.find((entry) => REPORTS.has(entry.type))
  return found === undefined ? null : { kind: found.type, fields: named(found.data) }
}

function readUser(value: ApiEvent['user']): UserView | null {
  if (value === null) return null
  return {
    id: value.id ?? '',
    email: value.email ?? '',
    username: value.username ?? '',
    name: value.name ?? '',
    ipAddress: value.ip_address ?? '',
    geo: named(value.geo),
    data: named(value.data),
  }
}

/** Flags have a panel of their own. */
function readContexts(contexts: ApiEvent['contexts']): readonly ContextView[] {
  return Object.entries(contexts)
    .filter(([name]) => name !== 'flags')
    .map(([name, fields]) => ({
      name,
      title: contextTitle(name),
      fields: named(fields).filter(([key, value]) => key !== 'type' && value !== null && value !== ''),
    }))
    .filter((context) => context.fields.length > 0)
}

function readFlags(context: { readonly [key: string]: unknown } | undefined): Pairs {
  const values = context?.values
  if (!Array.isArray(values)) return []
  return values.flatMap((entry: unknown) => {
    if (typeof entry !== 'object' || entry === null || !('flag' in entry) || typeof entry.flag !== 'string') return []
    return [[entry.flag, 'result' in entry ? stringOf(entry.result) || 'unknown' : 'unknown'] as const]
  })
}

function named(fields: { readonly [key: string]: unknown } | null | undefined): NamedValues {
  return Object.entries(fields ?? {}) as [string, Json][]
}

function stringOf(value: unknown): string {
  if (typeof value === 'string') return value
  return value === undefined || value === null ? '' : JSON.stringify(value)
}

function instant(date: string | null): number | null {
  if (date === null) return null
  const time = Date.parse(date)
  return Number.isNaN(time) ? null : time
}
