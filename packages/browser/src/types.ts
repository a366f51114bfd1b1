import type { Client } from './client.ts'
import type { Scope } from './scope.ts'

/** Names and shapes of `@sentry/browser`, as far as errors need them. The wire's fields: protocol.md 3.1. */

export type SeverityLevel = 'fatal' | 'error' | 'warning' | 'log' | 'info' | 'debug'
export type Primitive = string | number | boolean | bigint | symbol | null | undefined
export type Extras = Record<string, unknown>
export type Context = Record<string, unknown>
export type Contexts = Record<string, Context | undefined>

export interface User {
  id?: string | number | undefined
  email?: string | undefined
  username?: string | undefined
  ip_address?: string | null | undefined
  [key: string]: unknown
}

export interface Breadcrumb {
  type?: string | undefined
  level?: SeverityLevel | undefined
  event_id?: string | undefined
  category?: string | undefined
  message?: string | undefined
  data?: Record<string, unknown> | undefined
  /** Seconds since 1970. */
  timestamp?: number | undefined
}

export type BreadcrumbHint = Record<string, unknown>

export interface StackFrame {
  filename?: string | undefined
  abs_path?: string | undefined
  function?: string | undefined
  module?: string | undefined
  lineno?: number | undefined
  colno?: number | undefined
  in_app?: boolean | undefined
}

/** Outermost call first. */
export interface Stacktrace {
  frames?: StackFrame[] | undefined
}

export interface Mechanism {
  type: string
  handled?: boolean | undefined
  synthetic?: boolean | undefined
  source?: string | undefined
  is_exception_group?: boolean | undefined
  exception_id?: number | undefined
  parent_id?: number | undefined
  data?: Record<string, unknown> | undefined
}

export interface Exception {
  type?: string | undefined
  value?: string | undefined
  mechanism?: Mechanism | undefined
  stacktrace?: Stacktrace | undefined
}

export interface DebugImage {
  type: string
  code_file: string
  debug_id: string
}

export interface Event {
  event_id?: string | undefined
  type?: string | undefined
  message?: string | undefined
  logentry?: { message?: string | undefined; params?: unknown[] | undefined } | undefined
  timestamp?: number | undefined
  level?: SeverityLevel | undefined
  platform?: string | undefined
  logger?: string | undefined
  release?: string | undefined
  environment?: string | undefined
  dist?: string | undefined
  transaction?: string | undefined
  fingerprint?: string[] | undefined
  exception?: { values?: Exception[] | undefined } | undefined
  breadcrumbs?: Breadcrumb[] | undefined
  user?: User | undefined
  tags?: Record<string, Primitive> | undefined
  extra?: Extras | undefined
  contexts?: Contexts | undefined
  request?:
    | { url?: string | undefined; headers?: Record<string, string> | undefined; [key: string]: unknown }
    | undefined
  sdk?: SdkInfo | undefined
  debug_meta?: { images?: DebugImage[] | undefined } | undefined
  [key: string]: unknown
}

/** An event without `type`: an error or a message. */
export interface ErrorEvent extends Event {
  type: undefined
}

export interface SdkInfo {
  name?: string
  version?: string
  integrations?: string[]
  packages?: { name: string; version: string }[]
  settings?: Record<string, unknown>
}

export interface SdkMetadata {
  sdk?: SdkInfo
}

export type EventProcessor = (event: Event, hint: EventHint) => Event | null | PromiseLike<Event | null>

/** What may be said about one event only. */
export interface ScopeContext {
  user: User | null
  level: SeverityLevel
  extra: Extras
  contexts: Contexts
  tags: Record<string, Primitive>
  fingerprint: string[]
}

export type CaptureContext = Scope | Partial<ScopeContext> | ((scope: Scope) => Scope)

export interface Attachment {
  filename: string
  data: string | Uint8Array<ArrayBuffer>
  contentType?: string | undefined
  attachmentType?: string | undefined
}

export interface EventHint {
  event_id?: string | undefined
  captureContext?: CaptureContext | undefined
  mechanism?: Partial<Mechanism> | undefined
  syntheticException?: Error | null | undefined
  originalException?: unknown
  data?: unknown
  attachments?: Attachment[] | undefined
}

/** Second argument of `captureException`: a hint, or what the hint would carry as `captureContext`. */
export type HintOrContext = EventHint | CaptureContext

/** `[headers, payload]`; the payload of JSON items is an object. */
export type EnvelopeItem = [
  Record<string, unknown> & { type: string; item_count?: number },
  object | string | Uint8Array<ArrayBuffer>,
]
export type Envelope = [Record<string, unknown>, EnvelopeItem[]]

export interface TransportResponse {
  statusCode?: number | undefined
  headers?: { 'x-sentry-rate-limits'?: string | null; 'retry-after'?: string | null } | undefined
}

export interface Transport {
  send(envelope: Envelope): PromiseLike<TransportResponse>
  /** True when everything under way was answered. */
  flush(): PromiseLike<boolean>
}

export interface TransportOptions {
  url: string
  headers?: Record<string, string> | undefined
  fetchOptions?: RequestInit | undefined
  /** Counts what is lost; ends up in a client report. */
  recordDroppedEvent(reason: string, category: string, count?: number): void
  /** Asked when the server could not be reached or answered 5xx. True: somebody keeps it and tries again. */
  keep?(envelope: Envelope): boolean
}

export interface Integration {
  name: string
  setupOnce?(): void
  setup?(client: Client): void
  afterAllSetup?(client: Client): void
  processEvent?(event: Event, hint: EventHint, client: Client): Event | null | PromiseLike<Event | null>
}

export interface DsnParts {
  readonly protocol: string
  readonly publicKey: string
  readonly host: string
  readonly port?: string | undefined
  readonly path?: string | undefined
  readonly projectId: string
}

export type Pattern = string | RegExp

/** A span as it is sent (protocol.md 3.3). */
export interface SentSpan {
  trace_id: string
  span_id: string
  parent_span_id?: string | undefined
  name: string
  status: 'ok' | 'error'
  is_segment: boolean
  /** Seconds since 1970. */
  start_timestamp: number
  end_timestamp: number
  attributes: Record<string, { type: string; value: unknown }>
  links?: readonly object[] | undefined
}

/** A line of a log as it is sent. */
export interface SentLog {
  /** Seconds since 1970. */
  timestamp: number
  level: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal'
  body: string
  severity_number: number
  trace_id: string
  attributes: Record<string, { type: string; value: unknown }>
}

/** A trace that begins, as its sampler is told about it. */
export interface SamplingContext {
  name: string
  op: string
  attributes: Readonly<Record<string, unknown>>
  /** What the page's server has decided, if it has. */
  parentSampled: boolean | undefined
}

/** Of `@firsthand/browser/tracing`, except the last two, which are of `@firsthand/browser/logs`. */
interface TracingOptions {
  /** Share of page views whose spans are sent, 0–1. Without it (and without a sampler) only headers are sent. */
  tracesSampleRate?: number | undefined
  /** Decides instead of the rate, also where the page's server has decided: a share, true or false. */
  tracesSampler?: ((context: SamplingContext) => number | boolean) | undefined
  /** Requests that get the headers of the trace: parts of their URL, or patterns. Without it those of the page's own origin. */
  tracePropagationTargets?: Pattern[] | undefined
  /** The header `traceparent` of the W3C as well. `false` */
  propagateTraceparent?: boolean | undefined
  /** Last look at a span; null drops it. When it throws, the span is dropped. */
  beforeSendSpan?: ((span: SentSpan) => SentSpan | null) | undefined
  /** `true` */
  enableLogs?: boolean | undefined
  /** Last look at a line of a log; null drops it. When it throws, the line is dropped. */
  beforeSendLog?: ((log: SentLog) => SentLog | null) | undefined
}

/** Of `@firsthand/replay`. */
interface ReplayRates {
  /** Share of visits that are recorded and sent, 0–1. `0` */
  replaysSessionSampleRate?: number | undefined
  /** Share of the other visits' errors that send what was recorded before them, 0–1. `0` */
  replaysOnErrorSampleRate?: number | undefined
}

/** Accepted so that a configuration moves over; there is nothing yet that they would turn on. */
interface AcceptedOptions {
  profilesSampleRate?: unknown
  profileSessionSampleRate?: unknown
  beforeSendTransaction?: unknown
  ignoreTransactions?: unknown
  autoSessionTracking?: unknown
  _experiments?: unknown
}

/** Options with the names of `@sentry/browser`; the default stands behind each. */
export interface BrowserOptions extends AcceptedOptions, ReplayRates, TracingOptions {
  dsn?: string | undefined
  /** Same-origin address that everything goes to instead of the DSN's server. */
  tunnel?: string | undefined
  release?: string | undefined
  /** `production` */
  environment?: string | undefined
  dist?: string | undefined
  /** Share of errors that is sent, 0–1. `1` */
  sampleRate?: number | undefined
  /** `100` */
  maxBreadcrumbs?: number | undefined
  /** Last look at an error; null drops it. When it throws, the error is dropped: it may have been about to remove something. */
  beforeSend?: ((event: ErrorEvent, hint: EventHint) => Event | null | PromiseLike<Event | null>) | undefined
  beforeBreadcrumb?: ((breadcrumb: Breadcrumb, hint?: BreadcrumbHint) => Breadcrumb | null) | undefined
  /** Messages (or `Type: message`) of errors that are not sent: a part of it, or a pattern. */
  ignoreErrors?: Pattern[] | undefined
  denyUrls?: Pattern[] | undefined
  allowUrls?: Pattern[] | undefined
  /** Messages get a stack trace as well. `true` */
  attachStacktrace?: boolean | undefined
  /** Levels of `extra`, `contexts`, … that are sent. `3` */
  normalizeDepth?: number | undefined
  initialScope?: CaptureContext | undefined
  /** Beside the default ones (one of the same name replaces it), or a function that makes the list of them. */
  integrations?: Integration[] | ((defaults: Integration[]) => Integration[]) | undefined
  defaultIntegrations?: Integration[] | false | undefined
  transport?: ((options: TransportOptions) => Transport) | undefined
  transportOptions?: Pick<TransportOptions, 'headers' | 'fetchOptions'> | undefined
  /** `true` */
  sendClientReports?: boolean | undefined
  /** False: the server is asked not to note the visitor's address. */
  sendDefaultPii?: boolean | undefined
  /** `true` */
  enabled?: boolean | undefined
  /** Says on the console what goes wrong inside. */
  debug?: boolean | undefined
}
