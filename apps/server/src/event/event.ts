/**
 * The normalised event: the one shape that the rest of Firsthand sees, whatever the SDK sent.
 *
 * Field names are those of the Sentry event payload (protocol.md 3.1), so that the stored JSON is what people know from
 * `…/json/`. Lists are always `{ values: [...] }`, pair lists always arrays of pairs, timestamps always seconds since the
 * epoch (float), ids lower-case hex without hyphens. A field that could not be read is absent and noted in `errors`.
 */

export const LEVELS = ['fatal', 'error', 'warning', 'info', 'debug'] as const
export type Level = (typeof LEVELS)[number]

/** `error` has an exception, `default` is a message, `generic` is what Firsthand itself found; the others come from browser reports. */
export type EventType = 'error' | 'default' | 'generic' | 'csp' | 'hpkp' | 'expectct' | 'expectstaple' | 'nel'

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }
export type JsonObject = { readonly [key: string]: Json }
export type Pairs = readonly (readonly [string, string])[]

export interface Frame {
  filename?: string
  abs_path?: string
  function?: string
  raw_function?: string
  module?: string
  package?: string
  platform?: string
  lineno?: number
  colno?: number
  pre_context?: readonly string[]
  context_line?: string
  post_context?: readonly string[]
  in_app?: boolean
  vars?: JsonObject
  data?: JsonObject
  instruction_addr?: string
  symbol_addr?: string
  image_addr?: string
  addr_mode?: string
  stack_start?: boolean
  source_link?: string
  /** Java: the lock that the frame holds or waits for. */
  lock?: JsonObject
  /** Java: the method is not written in Java. */
  native?: boolean
  /** .NET: token of the method in its assembly. */
  function_id?: string
  symbol?: string
  /** How the frame was found in the memory of a native program: `context`, `cfi`, `scan`, … */
  trust?: string
  lang?: string
}

/** Outermost call first, the throwing frame last (protocol.md 3.1.2). */
export interface Stacktrace {
  frames: readonly Frame[]
  registers?: JsonObject
  snapshot?: boolean
  lang?: string
  instruction_addr_adjustment?: string
  /** How many frames were dropped from the middle, when the stack was too long. */
  frames_omitted?: readonly [number, number]
}

export interface Mechanism {
  type: string
  handled?: boolean
  synthetic?: boolean
  description?: string
  help_link?: string
  source?: string
  exception_id?: number
  parent_id?: number
  is_exception_group?: boolean
  data?: JsonObject
  meta?: JsonObject
}

/** Oldest cause first; the last element is the exception that was caught (protocol.md 3.1.1). */
export interface Exception {
  type?: string
  value?: string
  module?: string
  thread_id?: string
  mechanism?: Mechanism
  stacktrace?: Stacktrace
  raw_stacktrace?: Stacktrace
  /** Its name as it came, of an exception that is called by its mapping since. */
  raw_type?: string
  raw_module?: string
}

export interface Thread {
  id?: string
  name?: string
  crashed?: boolean
  current?: boolean
  main?: boolean
  state?: string
  /** Java: the locks that the thread holds, by their address. */
  held_locks?: JsonObject
  stacktrace?: Stacktrace
}

export interface Breadcrumb {
  timestamp?: number
  type: string
  category?: string
  message?: string
  level: Level
  data?: JsonObject
  event_id?: string
  origin?: string
}

export interface EventUser {
  id?: string
  email?: string
  username?: string
  name?: string
  ip_address?: string
  geo?: JsonObject
  data?: JsonObject
  /** `id:…`, `username:…`, `email:…` or `ip:…`, the first that is known: what "users" counts (protocol.md 4.7). */
  sentry_user?: string
}

export interface EventRequest {
  url?: string
  method?: string
  query_string?: Pairs
  fragment?: string
  data?: Json
  inferred_content_type?: string
  cookies?: Pairs
  headers?: Pairs
  env?: JsonObject
  api_target?: string
}

export interface Sdk {
  name: string
  version: string
  integrations?: readonly string[]
  packages?: readonly { readonly name: string; readonly version: string }[]
  features?: readonly string[]
  settings?: JsonObject
}

/** Something that Firsthand found in what it received, and that becomes an issue as errors do. */
export interface Occurrence {
  /** Sentry's word of it, e.g. `performance_n_plus_one_db_queries`. */
  readonly type: string
  /** Sentry's number of it. */
  readonly typeId: number
  /** E.g. `performance`. */
  readonly category: string
  readonly title: string
  readonly subtitle: string
  /** Those with equal parts are one issue. */
  readonly fingerprint: readonly string[]
  /** What whoever found it wants to show again; what others read of it is named in `occurrence.ts`. */
  readonly evidence: JsonObject
  readonly evidenceDisplay: readonly { readonly name: string; readonly value: string; readonly important: boolean }[]
}

/** A note about something that was dropped or changed while reading. */
export interface ProcessingError {
  /** `invalid_data`, `value_too_long`, `future_timestamp`, `past_timestamp`, `clock_drift`, … */
  type: string
  /** Path of the field, e.g. `exception.values.0.stacktrace.frames.3.lineno`. */
  name?: string
  value?: Json
  reason?: string
}

export interface NormalisedEvent {
  event_id: string
  type: EventType
  /** Seconds since the epoch. */
  timestamp: number
  received: number
  platform: string
  level: Level
  logger: string
  transaction?: string
  transaction_info?: { source: string }
  server_name?: string
  release?: string
  dist?: string
  environment?: string
  logentry?: { message?: string; formatted?: string; params?: Json }
  exception?: { values: Exception[] }
  threads?: { values: Thread[] }
  /** Only when no exception could take it. */
  stacktrace?: Stacktrace
  breadcrumbs?: { values: Breadcrumb[] }
  user?: EventUser
  request?: EventRequest
  contexts: { [name: string]: JsonObject }
  /** Sorted by key; includes the tags that are derived from other fields (browser, os, release, url, …). */
  tags: [string, string][]
  extra?: JsonObject
  modules?: { [name: string]: string }
  fingerprint?: readonly string[]
  checksum?: string
  sdk?: Sdk
  debug_meta?: JsonObject
  /** Fields of a CSP, HPKP, Expect-CT or Expect-Staple report, camelCase removed. */
  csp?: JsonObject
  hpkp?: JsonObject
  expectct?: JsonObject
  expectstaple?: JsonObject
  nel?: JsonObject
  /** What was found, of a `generic` event. */
  occurrence?: Occurrence
  errors: ProcessingError[]
  /** What was cut out or scrubbed, by its place: `remarks.ts`. */
  _meta?: JsonObject
}

/** What an issue shows in lists; derived from its newest event (protocol.md 3.1.10). */
export interface EventTitle {
  /** `TypeError: x is undefined`, at most 256 characters. */
  readonly title: string
  readonly culprit: string
  /** Sentry's `metadata`: `{type, value, filename?, function?}` for errors, `{title}` for messages, `{directive, uri}` for CSP. */
  readonly metadata: { readonly [key: string]: string }
}
