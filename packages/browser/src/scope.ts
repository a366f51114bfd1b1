import { fields, hex, isObject, now } from './guard.ts'
import type {
  Breadcrumb,
  CaptureContext,
  Context,
  Contexts,
  Event,
  EventProcessor,
  Extras,
  Primitive,
  ScopeContext,
  SeverityLevel,
  User,
} from './types.ts'

export interface PropagationContext {
  traceId: string
  propagationSpanId: string
}

export interface ScopeData {
  user: User
  tags: Record<string, Primitive>
  extra: Extras
  contexts: Contexts
  breadcrumbs: Breadcrumb[]
  fingerprint: string[]
  level: SeverityLevel | undefined
  transactionName: string | undefined
  eventProcessors: EventProcessor[]
  propagationContext: PropagationContext
}

const emptyData = (): ScopeData => ({
  user: {},
  tags: {},
  extra: {},
  contexts: {},
  breadcrumbs: [],
  fingerprint: [],
  level: undefined,
  transactionName: undefined,
  eventProcessors: [],
  propagationContext: { traceId: hex(32), propagationSpanId: hex(16) },
})

/** What is known apart from the error itself. Every method returns the scope. */
export class Scope {
  data: ScopeData = emptyData()

  clone(): Scope {
    return new Scope().update(this)
  }

  clear(): this {
    this.data = { ...emptyData(), eventProcessors: this.data.eventProcessors }
    return this
  }

  setUser(user: User | null): this {
    return this.update({ user })
  }

  getUser(): User | undefined {
    return this.data.user
  }

  setTags(tags: Record<string, Primitive>): this {
    return this.update({ tags })
  }

  setTag(key: string, value: Primitive): this {
    return this.update({ tags: { [key]: value } })
  }

  setExtras(extra: Extras): this {
    return this.update({ extra })
  }

  setExtra(key: string, value: unknown): this {
    return this.update({ extra: { [key]: value } })
  }

  setContext(key: string, context: Context | null): this {
    if (context === null) delete this.data.contexts[key]
    else this.data.contexts[key] = context
    return this
  }

  setLevel(level: SeverityLevel): this {
    this.data.level = level
    return this
  }

  setFingerprint(fingerprint: string[]): this {
    this.data.fingerprint = fingerprint
    return this
  }

  setTransactionName(name?: string): this {
    this.data.transactionName = name
    return this
  }

  addEventProcessor(processor: EventProcessor): this {
    this.data.eventProcessors.push(processor)
    return this
  }

  addBreadcrumb(breadcrumb: Breadcrumb, max = 100): this {
    if (max <= 0) return this
    const { breadcrumbs } = this.data
    breadcrumbs.push({ timestamp: now(), ...breadcrumb })
    if (breadcrumbs.length > max) breadcrumbs.splice(0, breadcrumbs.length - max)
    return this
  }

  clearBreadcrumbs(): this {
    this.data.breadcrumbs = []
    return this
  }

  getScopeData(): ScopeData {
    return this.data
  }

  /** Adds what is given to what is there. */
  update(context?: CaptureContext): this {
    const { data } = this
    const given: unknown = typeof context === 'function' ? context(this) : context
    if (given === this || !isObject(given)) return this
    const other = given instanceof Scope ? given.data : undefined
    const { user, tags, extra, contexts, level, fingerprint } = (other ?? given) as Partial<ScopeContext>
    // Somebody who logs out leaves nothing behind.
    if (user !== undefined) data.user = { ...(other && data.user), ...fields(user) }
    Object.assign(data.tags, fields(tags))
    Object.assign(data.extra, fields(extra))
    Object.assign(data.contexts, fields(contexts))
    data.level = level ?? data.level
    if (fingerprint?.length) data.fingerprint = fingerprint
    if (other) {
      data.breadcrumbs.push(...other.breadcrumbs)
      data.eventProcessors.push(...other.eventProcessors)
      data.propagationContext = other.propagationContext
      data.transactionName = other.transactionName ?? data.transactionName
    }
    return this
  }
}

/** Puts what a scope knows into an event; what the event says of itself stands above it. */
export const applyScope = (event: Event, { data }: Scope, maxBreadcrumbs: number): void => {
  const { traceId, propagationSpanId } = data.propagationContext
  if (Object.keys(data.user).length > 0 || event.user) event.user = { ...data.user, ...event.user }
  event.tags = { ...data.tags, ...event.tags }
  event.extra = { ...data.extra, ...event.extra }
  event.contexts = { trace: { trace_id: traceId, span_id: propagationSpanId }, ...data.contexts, ...event.contexts }
  // Captured errors have no level of their own, so the scope's counts.
  event.level = data.level ?? event.level
  event.transaction ??= data.transactionName
  const fingerprint = [...data.fingerprint, ...(event.fingerprint ?? [])]
  if (fingerprint.length > 0) event.fingerprint = fingerprint
  const crumbs = [...data.breadcrumbs, ...(event.breadcrumbs ?? [])]
  if (crumbs.length > 0) event.breadcrumbs = crumbs.slice(-Math.max(1, maxBreadcrumbs))
}
