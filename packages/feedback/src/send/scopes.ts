import type { ClientLike } from '../client.ts'
import type { FeedbackEvent } from '../options.ts'

type Fields = Readonly<Record<string, unknown>>

/** The scopes of an SDK, as far as they are the same in all versions. */
interface ScopeLike {
  getScopeData?(): Fields
  getUser?(): Fields | undefined
  getPropagationContext?(): { readonly traceId?: string; readonly propagationSpanId?: string; readonly spanId?: string }
}

interface Scopes {
  readonly current: ScopeLike | undefined
  readonly isolation: ScopeLike | undefined
  readonly global: ScopeLike | undefined
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

export const call = (target: unknown, name: string): unknown => {
  const method = isObject(target) ? target[name] : undefined
  return typeof method === 'function' ? (method as () => unknown).call(target) : undefined
}

/**
 * Scopes belong to the SDK's version, which keeps them in `globalThis.__SENTRY__[version]`; the client of ours says them itself.
 * What is not there is simply unknown.
 */
const scopesOf = (client: ClientLike): Scopes => {
  const own = call(client, 'getCurrentScope')
  if (isObject(own)) {
    return {
      current: own,
      isolation: call(client, 'getIsolationScope') as ScopeLike | undefined,
      global: call(client, 'getGlobalScope') as ScopeLike | undefined,
    }
  }
  const carrier = (globalThis as { __SENTRY__?: unknown }).__SENTRY__
  const versions = isObject(carrier) ? Object.values(carrier).filter(isObject) : []
  for (const version of versions) {
    const stack = version['stack']
    const current = call(stack, 'getScope') ?? version['defaultCurrentScope']
    if (call(stack, 'getClient') !== client && call(current, 'getClient') !== client) continue
    return {
      current: current as ScopeLike | undefined,
      isolation: (call(stack, 'getIsolationScope') ?? version['defaultIsolationScope']) as ScopeLike | undefined,
      global: version['globalScope'] as ScopeLike | undefined,
    }
  }
  return { current: undefined, isolation: undefined, global: undefined }
}

/** The first of current, isolation and global scope that knows anybody. */
export const userOf = (client: ClientLike): Fields => {
  const { current, isolation, global } = scopesOf(client)
  for (const scope of [current, isolation, global]) {
    const user = call(scope, 'getUser') ?? (call(scope, 'getScopeData') as { user?: unknown } | undefined)?.user
    if (isObject(user) && Object.values(user).some((value) => value != null)) return user
  }
  return {}
}

/** What the SDK noted of what happened: the scope that goes into an event last says it. */
export const breadcrumbsOf = (client: ClientLike): readonly unknown[] => {
  const { current, isolation, global } = scopesOf(client)
  for (const scope of [current, isolation, global]) {
    const data = call(scope, 'getScopeData')
    if (isObject(data) && Array.isArray(data['breadcrumbs']) && data['breadcrumbs'].length > 0)
      return data['breadcrumbs'] as unknown[]
  }
  return []
}

type Prepare = (event: FeedbackEvent, hint: Fields, current?: ScopeLike, isolation?: ScopeLike) => PromiseLike<unknown>

/**
 * Puts the scope's user, tags, breadcrumbs and trace into the event, through the SDK's own preparation where it has one, so that
 * its event processors see the event too.
 *
 * @returns null when an event processor dropped it
 */
export const prepare = async (client: ClientLike, event: FeedbackEvent): Promise<FeedbackEvent | null> => {
  const { current, isolation, global } = scopesOf(client)
  const own = client as ClientLike & { _prepareEvent?: Prepare }
  if (typeof own._prepareEvent === 'function' && (current !== undefined || isolation !== undefined)) {
    try {
      const prepared = await own._prepareEvent(event, { event_id: event.event_id }, current, isolation)
      return prepared === null ? null : (prepared as FeedbackEvent)
    } catch {
      // Internals of another version: what the scopes say is merged below instead.
    }
  }
  for (const scope of [global, isolation, current]) merge(event, call(scope, 'getScopeData'))
  return event
}

const merge = (event: FeedbackEvent, data: unknown): void => {
  if (!isObject(data)) return
  for (const key of ['user', 'tags', 'extra', 'contexts'] as const) {
    const values = data[key]
    if (!isObject(values) || Object.keys(values).length === 0) continue
    const before = isObject(event[key]) ? event[key] : {}
    // What the report says of itself stands above what the scope says.
    Object.assign(event, { [key]: key === 'user' ? { ...before, ...values } : { ...values, ...before } })
  }
  const breadcrumbs = data['breadcrumbs']
  if (Array.isArray(breadcrumbs) && breadcrumbs.length > 0) event['breadcrumbs'] = breadcrumbs.slice(-100)
  const trace = data['propagationContext']
  if (isObject(trace) && typeof trace['traceId'] === 'string') {
    const span = trace['propagationSpanId'] ?? trace['spanId'] ?? trace['traceId'].slice(16)
    event.contexts['trace'] ??= { trace_id: trace['traceId'], span_id: span }
  }
}
