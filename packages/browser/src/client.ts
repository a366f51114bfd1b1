import { dsnText, envelopeUrl, parseDsnParts } from '@firsthand/protocol/wire'
import { eventFromMessageCall, eventFromUnknown } from './exception.ts'
import { isIgnored } from './filter.ts'
import { chain, fields, guard, hex, isObject, isThenable, now, setDebug, text, warn, within } from './guard.ts'
import { listen } from './listen.ts'
import { prepareEvent } from './prepare.ts'
import { Scope } from './scope.ts'
import { globalScope, isolationScope, scopes } from './scopes.ts'
import { categoryOf, makeFetchTransport, setHidden } from './transport.ts'
import type {
  BrowserOptions,
  CaptureContext,
  DsnParts,
  Envelope,
  EnvelopeItem,
  ErrorEvent,
  Event,
  EventHint,
  EventProcessor,
  HintOrContext,
  Integration,
  SdkMetadata,
  SeverityLevel,
  Transport,
  TransportResponse,
} from './types.ts'

export const SDK_VERSION = '0.1.0'
const SDK = { name: 'firsthand.javascript.browser', version: SDK_VERSION }

type Listener = (...given: never[]) => unknown
type Maybe<Value> = Value | PromiseLike<Value>

/** What a DSN's events go through: scopes, processors, rules, transport. Names are those of `@sentry/browser`. */
export interface Client {
  init(integrations: readonly Integration[]): void
  addIntegration(integration: Integration): void
  getIntegrationByName<Found extends Integration = Integration>(name: string): Found | undefined
  getOptions(): BrowserOptions
  getDsn(): DsnParts | undefined
  getTransport(): Transport | undefined
  getSdkMetadata(): SdkMetadata
  getCurrentScope(): Scope
  getIsolationScope(): Scope
  getGlobalScope(): Scope
  /**
   * Hooks: `beforeSendEvent`, `afterSendEvent`, `beforeAddBreadcrumb`, `flush`, `close`, and `undelivered`, where a listener
   * answers true when it keeps the envelope. Returns what takes the listener away.
   */
  on(hook: string, listener: Listener): () => void
  emit(hook: string, ...given: unknown[]): void
  captureException(thrown: unknown, given?: HintOrContext, scope?: Scope, syntheticException?: Error): string
  captureMessage(
    message: unknown,
    level?: SeverityLevel,
    given?: HintOrContext,
    scope?: Scope,
    syntheticException?: Error,
  ): string
  captureEvent(event: Event, hint?: EventHint, scope?: Scope): string
  /** What widgets call to have their events filled. The name is the one they know from other SDKs. */
  _prepareEvent(event: Event, hint: EventHint, current?: Scope, isolation?: Scope): Maybe<Event | null>
  /** Sends an event as it is. */
  sendEvent(event: Event, hint?: EventHint): void
  sendEnvelope(envelope: Envelope): PromiseLike<TransportResponse>
  /** Counts what is not sent, and why (protocol.md 3.9). */
  recordDroppedEvent(reason: string, category: string, count?: number): void
  /** True when everything was answered in time (milliseconds). */
  flush(timeoutMs?: number): Promise<boolean>
  /** Sends what is left, takes every handler and wrapper away, and is silent from then on. */
  close(timeoutMs?: number): Promise<boolean>
}

const CONTEXT_KEYS = ['user', 'level', 'extra', 'contexts', 'tags', 'fingerprint']

/** The second argument of the capture functions may be a hint or a context. */
export const hintOf = (given: HintOrContext | undefined): EventHint =>
  guard((): EventHint => {
    const isContext =
      typeof given === 'function' || given instanceof Scope || CONTEXT_KEYS.some((key) => key in (given ?? {}))
    return isContext ? { captureContext: given as CaptureContext } : { ...fields(given as EventHint) }
  }, {})

// long: methods over variables that only they share. As fields passed along they are not shortened, and 8 kB is the budget.
export const createClient = (options: BrowserOptions): Client => {
  setDebug(options.debug === true)
  const { tunnel, beforeSend, sampleRate = 1, attachStacktrace = true, sendDefaultPii = true } = options
  const integrations = new Map<string, Integration>()
  const hooks = new Map<string, Set<Listener>>()
  const lost = new Map<string, number>()
  const captured = new WeakMap<object, string>()
  const preparing = new Set<PromiseLike<unknown>>()
  let isOpen = options.enabled !== false
  let isJudging = false

  const on = (hook: string, listener: Listener): (() => void) => {
    const listeners = hooks.get(hook) ?? new Set()
    hooks.set(hook, listeners.add(listener))
    return () => void listeners.delete(listener)
  }
  const emit = (hook: string, ...given: unknown[]): void =>
    hooks.get(hook)?.forEach((listener) => guard(() => listener(...(given as never[]))))

  const recordDroppedEvent = (reason: string, category: string, count = 1): void => {
    // A report that is lost is not reported: that would never end.
    if (category === 'internal') return
    const key = `${reason}:${category}`
    lost.set(key, (lost.get(key) ?? 0) + count)
  }

  const dsn = parseDsnParts(text(options.dsn ?? ''))
  if (options.dsn && !dsn) warn('This is no DSN:', options.dsn)
  const transport =
    dsn && isOpen
      ? guard(() =>
          (options.transport ?? makeFetchTransport)({
            ...options.transportOptions,
            url: tunnel || `${envelopeUrl(dsn)}&sentry_client=${SDK.name}/${SDK_VERSION}`,
            recordDroppedEvent,
            keep: (envelope) => {
              const keepers = [...(hooks.get('undelivered') ?? [])]
              return keepers.some((keeper) => guard(() => keeper(envelope as never), false))
            },
          }),
        )
      : undefined

  const sendEnvelope = ([headers, items]: Envelope): PromiseLike<TransportResponse> => {
    if (!transport || !isOpen) return Promise.resolve({})
    const own = { sent_at: new Date().toISOString(), sdk: SDK, ...(tunnel && { dsn: dsn && dsnText(dsn) }) }
    return transport.send([{ ...headers, ...own }, items]).then(undefined, (error: unknown) => {
      warn(error)
      return {}
    })
  }

  const sendReport = (): void => {
    emit('flush')
    if (lost.size === 0 || options.sendClientReports === false) return
    const discarded_events = [...lost].map(([key, quantity]) => {
      const [reason, category] = key.split(':')
      return { reason, category, quantity }
    })
    lost.clear()
    void sendEnvelope([{}, [[{ type: 'client_report' }, { timestamp: now(), discarded_events }]]])
  }

  const sendEvent = (event: Event, hint: EventHint = {}): void => {
    emit('beforeSendEvent', event, hint)
    const { event_id, release, environment, type } = event
    const trace_id = event.contexts?.['trace']?.['trace_id']
    const attachments = (hint.attachments ?? []).map(
      ({ filename, data, contentType, attachmentType }): EnvelopeItem => [
        { type: 'attachment', filename, content_type: contentType, attachment_type: attachmentType },
        data,
      ],
    )
    const sent = sendEnvelope([
      { event_id, ...(!!trace_id && { trace: { trace_id, public_key: dsn?.publicKey, release, environment } }) },
      [[{ type: type || 'event' }, event], ...attachments],
    ])
    void sent.then((response) => emit('afterSendEvent', event, response))
  }

  const prepare: Client['_prepareEvent'] = (event, hint, current = scopes.current, isolation = isolationScope) => {
    const scope = globalScope.clone().update(isolation).update(current)
    const sdk = {
      ...SDK,
      integrations: [...integrations.keys()],
      settings: { infer_ip: sendDefaultPii ? 'auto' : 'never' },
      ...event.sdk,
    }
    const processors: EventProcessor[] = [...scope.data.eventProcessors]
    for (const one of integrations.values()) {
      processors.push((given, said) => (one.processEvent ? one.processEvent(given, said, client) : given))
    }
    return prepareEvent({ ...event, sdk }, hint, options, scope, processors)
  }

  const process = (event: Event, hint: EventHint, scope: Scope, category: string): Maybe<void> => {
    const isError = !event.type
    // `beforeSend` does not see what it reports itself: that would never end.
    if (isJudging) return recordDroppedEvent('before_send', category)
    if (isError && isIgnored(event, options)) return recordDroppedEvent('event_processor', category)
    return chain(prepare(event, hint, scope), (prepared) => {
      if (prepared === null) return recordDroppedEvent('event_processor', category)
      // When `beforeSend` throws, the event is dropped: it may have been about to remove something.
      isJudging = true
      const judged: Maybe<Event | null> =
        isError && beforeSend ? guard(() => beforeSend(prepared as ErrorEvent, hint), null) : prepared
      isJudging = false
      return chain(judged, (final) => (final ? sendEvent(final, hint) : recordDroppedEvent('before_send', category)))
    })
  }

  const captureEvent: Client['captureEvent'] = (event, hint = {}, scope = scopes.current) => {
    const event_id = text(event.event_id ?? hint.event_id ?? hex(32), 36)
    const category = categoryOf(event.type || 'event')
    const fail = (error: unknown): void => {
      warn(error)
      recordDroppedEvent('internal_sdk_error', category)
    }
    if (!isOpen) return event_id
    if (!event.type) {
      if (Math.random() >= sampleRate) {
        recordDroppedEvent('sample_rate', category)
        return event_id
      }
      scopes.lastEventId = event_id
    }
    try {
      const done = process({ ...fields(event), event_id }, { ...fields(hint), event_id }, scope, category)
      if (isThenable(done)) {
        const task = done.then(undefined, fail).then(() => void preparing.delete(task))
        preparing.add(task)
      }
    } catch (error) {
      fail(error)
    }
    return event_id
  }

  const add = (integration: Integration): void =>
    guard(() => {
      const { name } = integration
      // The first of a name counts: an integrator's own stands above ours.
      if (integrations.has(name)) return
      integrations.set(name, integration)
      integration.setupOnce?.()
      integration.setup?.(client)
    })
  const finish = (integration: Integration): void => guard(() => integration.afterAllSetup?.(client))

  const flush = (timeoutMs?: number): Promise<boolean> => {
    const work = async (): Promise<boolean> => {
      await Promise.allSettled(preparing)
      await transport?.flush()
      // It comes last, so that it says what became of the rest.
      sendReport()
      return transport?.flush() ?? true
    }
    return within(work(), timeoutMs)
  }

  const client: Client = {
    init: (given) => {
      // Who turns it off wants the page as it is.
      if (!isOpen) return
      given.forEach(add)
      integrations.forEach(finish)
      if (typeof addEventListener === 'undefined') return
      listen<Event>(client, ['pagehide', 'pageshow', 'visibilitychange'], ({ type }) => {
        if (type !== 'visibilitychange') setHidden(type === 'pagehide')
        if (type === 'pagehide' || document.visibilityState === 'hidden') sendReport()
      })
    },
    addIntegration: (integration) => {
      add(integration)
      finish(integration)
    },
    getIntegrationByName: (name) => integrations.get(name) as never,
    getOptions: () => options,
    getDsn: () => dsn,
    getTransport: () => transport,
    getSdkMetadata: () => ({ sdk: SDK }),
    getCurrentScope: () => scopes.current,
    getIsolationScope: () => isolationScope,
    getGlobalScope: () => globalScope,
    on,
    emit,
    captureException: (thrown, given, scope, syntheticException) => {
      const hint = { originalException: thrown, syntheticException, ...hintOf(given) }
      // The same error often arrives twice: caught by somebody, reported, and thrown again.
      if (isObject(thrown)) {
        const known = captured.get(thrown)
        if (known) return known
        captured.set(thrown, (hint.event_id ??= hex(32)))
      }
      return captureEvent(eventFromUnknown(thrown, hint), hint, scope)
    },
    captureMessage: (message, level = 'info', given, scope, syntheticException) => {
      const hint = { originalException: message, syntheticException, ...hintOf(given) }
      const event = eventFromMessageCall(message, attachStacktrace ? hint.syntheticException : null)
      return captureEvent({ ...event, level }, hint, scope)
    },
    captureEvent,
    _prepareEvent: prepare,
    sendEvent,
    sendEnvelope,
    recordDroppedEvent,
    flush,
    close: async (timeoutMs) => {
      const flushed = flush(timeoutMs)
      emit('close')
      const result = await flushed
      isOpen = false
      hooks.clear()
      return result
    },
  }
  return client
}
