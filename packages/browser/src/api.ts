import { type Client, createClient } from './client.ts'
import { fields, guard, hex, isObject } from './guard.ts'
import { globalScope, isolationScope, runWithScope, scopes } from './scopes.ts'
import { Scope } from './scope.ts'
import type {
  Breadcrumb,
  BreadcrumbHint,
  BrowserOptions,
  Context,
  Event,
  EventHint,
  Extras,
  HintOrContext,
  Integration,
  Primitive,
  SeverityLevel,
  User,
} from './types.ts'

let current: Client | undefined

/** Where the call came from, without our own functions. */
const syntheticException = (boundary: (...given: never[]) => unknown): Error => {
  const error = new Error('')
  guard(() => Error.captureStackTrace?.(error, boundary))
  return error
}

const integrationsOf = (
  { integrations, defaultIntegrations }: BrowserOptions,
  defaults: Integration[],
): Integration[] => {
  const standard = defaultIntegrations === false ? [] : (defaultIntegrations ?? defaults)
  return guard(
    () => (typeof integrations === 'function' ? integrations(standard) : [...(integrations ?? []), ...standard]),
    standard,
  )
}

/** Starts with the integrations given as `defaults`. A second call closes the client of the first. */
export const initWith = (given: BrowserOptions, defaults: () => Integration[]): Client | undefined =>
  guard(() => {
    // Plugins of bundlers leave there what they called the build.
    const options: BrowserOptions = { release: (globalThis as { SENTRY_RELEASE?: { id?: string } }).SENTRY_RELEASE?.id }
    // An option that cannot be read costs that option; one without a value is none.
    for (const key of Object.keys(fields(given)) as (keyof BrowserOptions)[])
      guard(() => ((options as Record<string, unknown>)[key] = given[key] ?? options[key]))
    // Its events are in the offline queue or lost; starting anew does not wait for that.
    void current?.close().catch(() => undefined)
    current = createClient(options)
    guard(() => isolationScope.update(options.initialScope))
    current.init(integrationsOf(options, defaults()))
    return current
  })

const captured = (capture: (client: Client) => string): string =>
  guard(() => (current ? capture(current) : hex(32)), '')

/** Returns the id that the event has, or would have had. */
export const captureException = (exception: unknown, hint?: HintOrContext): string => {
  const synthetic = syntheticException(captureException)
  return captured((client) => client.captureException(exception, hint, undefined, synthetic))
}

export const captureMessage = (message: string, given?: SeverityLevel | HintOrContext): string => {
  const synthetic = syntheticException(captureMessage)
  return captured((client) =>
    typeof given === 'string'
      ? client.captureMessage(message, given, undefined, undefined, synthetic)
      : client.captureMessage(message, undefined, given, undefined, synthetic),
  )
}

export const captureEvent = (event: Event, hint?: EventHint): string =>
  captured((client) => client.captureEvent(event, hint))

export const addBreadcrumb = (breadcrumb: Breadcrumb, hint?: BreadcrumbHint): void => {
  guard(() => {
    const { maxBreadcrumbs = 100, beforeBreadcrumb } = current?.getOptions() ?? {}
    // When `beforeBreadcrumb` throws, the breadcrumb is dropped: it may have been about to remove something.
    const judged = beforeBreadcrumb
      ? beforeBreadcrumb({ timestamp: Date.now() / 1000, ...breadcrumb }, hint)
      : breadcrumb
    if (!isObject(judged)) return
    current?.emit('beforeAddBreadcrumb', judged, hint)
    isolationScope.addBreadcrumb(judged, maxBreadcrumbs)
  })
}

export const setUser: (user: User | null) => void = (user) => guard(() => isolationScope.setUser(user))
export const setTag: (key: string, value: Primitive) => void = (key, value) =>
  guard(() => isolationScope.setTag(key, value))
export const setTags: (tags: Record<string, Primitive>) => void = (tags) => guard(() => isolationScope.setTags(tags))
export const setExtra: (key: string, value: unknown) => void = (key, value) =>
  guard(() => isolationScope.setExtra(key, value))
export const setExtras: (extras: Extras) => void = (extras) => guard(() => isolationScope.setExtras(extras))
export const setContext: (name: string, context: Context | null) => void = (name, context) =>
  guard(() => isolationScope.setContext(name, context))

/** Runs the function with a copy of the scope: what it sets counts for what it captures only. What it throws goes on. */
export function withScope<Value>(work: (scope: Scope) => Value): Value
export function withScope<Value>(scope: Scope | undefined, work: (scope: Scope) => Value): Value
export function withScope<Value>(
  first: Scope | undefined | ((scope: Scope) => Value),
  second?: (scope: Scope) => Value,
): Value {
  const work = typeof first === 'function' ? first : second
  const scope = first instanceof Scope ? first : scopes.current.clone()
  return runWithScope(scope, work as (scope: Scope) => Value)
}

export const getCurrentScope = (): Scope => scopes.current
export const getIsolationScope = (): Scope => isolationScope
export const getGlobalScope = (): Scope => globalScope
export const getClient = (): Client | undefined => current
export const isInitialized = (): boolean => current !== undefined
export const isEnabled = (): boolean => current !== undefined && current.getOptions().enabled !== false
/** Of the last error or message that was captured, by whomever: also of one that nobody caught. */
export const lastEventId = (): string | undefined => scopes.lastEventId

export const addIntegration = (integration: Integration): void => guard(() => current?.addIntegration(integration))

export const addEventProcessor = (processor: Parameters<Scope['addEventProcessor']>[0]): void =>
  void guard(() => globalScope.addEventProcessor(processor))

/** True when everything was answered in time (milliseconds). False as well when a transport of the site's own fails. */
export const flush = (timeoutMs?: number): Promise<boolean> =>
  (current?.flush(timeoutMs) ?? Promise.resolve(false)).catch(() => false)

/** Sends what is left and takes every handler and wrapper away. */
export const close = (timeoutMs?: number): Promise<boolean> =>
  (current?.close(timeoutMs) ?? Promise.resolve(false)).catch(() => false)
