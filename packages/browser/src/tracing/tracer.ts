import { surroundings, typed } from '../attributes.ts'
import { createBatch } from '../batch.ts'
import type { Client } from '../client.ts'
import { guard, hex } from '../guard.ts'
import { scopes } from '../scopes.ts'
import type { SentSpan } from '../types.ts'
import { clock, secondsAt, setClock } from './clock.ts'
import { beginTrace, samplingContext, sentryTrace, traceparent, writeBaggage } from './headers.ts'
import { createIdle, type EndReason, type Idle } from './idle.ts'
import type { Attributes, OwnSpan, Span, SpanOptions, Trace, TracingOptions } from './types.ts'

/** Spans of one trace, besides the page views themselves. */
const MAX_SPANS = 1000
/** Where the name of a view comes from. Each span says it, for it may come before the view itself. */
const SOURCE = 'sentry.segment.name.source'
/** What happens after a view has ended comes one by one, and waits so long for more. */
const WAIT_MS = 30_000

export interface View {
  readonly op: 'pageload' | 'navigation'
  readonly trace: Trace
  /** Seconds since 1970. */
  readonly start: number
  readonly attributes: Attributes
  /** It does not end before `release`. */
  readonly isHeld: boolean
}

export interface Tracer {
  readonly client: Client
  /** Of the page as it is now. Undefined before there is a view. */
  readonly root: OwnSpan | undefined
  /** The view has not ended yet. */
  isOpen(): boolean
  /** The page is another one from now on. */
  beginView(view: View): void
  endView(reason: EndReason): void
  release(): void
  /** The route that is shown: `/product/:id`. */
  nameView(route: string): void
  start(options: SpanOptions): OwnSpan
  /** A span that is over, of the browser's own measurements. Milliseconds since the page began. */
  add(op: string, name: string, from: number, until: number, attributes: Attributes, isPart?: boolean): void
  /** The span is the active one while the work runs, and so it is in what is reported meanwhile. */
  runWith<Value>(span: OwnSpan, work: () => Value): Value
  headers(span?: Span): Readonly<Record<string, string>>
  /** Asked when a view ends, for what is to be part of it; and when it is left, for what is known only then. */
  readonly onEnd: ((root: OwnSpan) => void)[]
  readonly onLeave: ((root: OwnSpan) => void)[]
  /** The page is being left: everything goes out. */
  leave(): void
}

const decide = (client: Client, trace: Trace, op: string, name: string, attributes: Attributes): void => {
  const { tracesSampleRate, tracesSampler } = client.getOptions()
  const { sampled: parentSampled } = trace
  if (!tracesSampler && (parentSampled !== undefined || tracesSampleRate === undefined)) return
  const said = tracesSampler ? guard(() => tracesSampler({ name, op, attributes, parentSampled }), 0) : tracesSampleRate
  const rate = Number(said)
  // What is no share at all is none.
  trace.rate = rate >= 0 && rate <= 1 ? rate : 0
  trace.sampled = trace.rand < trace.rate
}

/** Spans on their way out. */
const createSpanBatch = (client: Client) =>
  createBatch<OwnSpan>(client, {
    type: 'span',
    contentType: 'application/vnd.sentry.items.span.v2+json',
    groupOf: ({ trace }) => trace,
    headersOf: ({ trace }) => ({ trace: samplingContext(trace, client.getDsn(), client.getOptions()) }),
    encode: (span) => {
      const { beforeSendSpan } = client.getOptions()
      const { traceId, spanId, parentId, segment, name, isFailed, start, ended = start, attributes, links } = span
      const made: SentSpan = {
        trace_id: traceId,
        span_id: spanId,
        parent_span_id: parentId,
        name,
        status: isFailed ? 'error' : 'ok',
        is_segment: span === segment,
        start_timestamp: start,
        end_timestamp: ended,
        attributes: typed({
          ...surroundings(client),
          'sentry.segment.id': segment.spanId,
          'sentry.segment.name': segment.name,
          [SOURCE]: segment.attributes[SOURCE],
          ...attributes,
        }),
        links,
      }
      const judged = beforeSendSpan ? beforeSendSpan(made) : made
      if (!judged) client.recordDroppedEvent('before_send', 'span')
      return judged
    },
  })

const createSpan = (
  trace: Trace,
  segment: OwnSpan | undefined,
  { name, op, startTime = clock(), attributes }: SpanOptions,
  parentId: string | undefined,
  onEnd: (span: OwnSpan) => void,
): OwnSpan => {
  const span: OwnSpan = {
    trace,
    traceId: trace.id,
    spanId: hex(16),
    parentId,
    name,
    start: startTime,
    ended: undefined,
    isFailed: false,
    attributes: { 'sentry.op': op, 'sentry.origin': 'manual', ...attributes },
    get segment() {
      return segment ?? span
    },
    setAttribute: (key, value) => span.setAttributes({ [key]: value }),
    setAttributes: (given) => {
      Object.assign(span.attributes, given)
      return span
    },
    updateName: (given) => {
      span.name = given
      return span
    },
    setStatus: ({ code, message }) => {
      span.isFailed = code === 2
      return span.setAttribute('sentry.status.message', message)
    },
    end: (at = clock()) => {
      if (span.ended !== undefined) return
      span.ended = Math.max(at, startTime)
      onEnd(span)
    },
  }
  return span
}

// long: functions over variables that only they share, as in the client.
export const createTracer = (client: Client, options: TracingOptions): Tracer => {
  const { finalTimeout = 30_000 } = options
  const batch = createSpanBatch(client)
  let trace = beginTrace()
  let root: OwnSpan | undefined
  let active: OwnSpan | undefined
  /** While the view is open: its end, its children, and when its first picture was drawn. */
  let idle: Idle | undefined
  const open = new Set<OwnSpan>()
  let done: OwnSpan[] = []
  let drawn = 0

  const send = (span: OwnSpan): void => {
    if (!span.trace.sampled) return
    if (span.segment !== span && (span.trace.count += 1) > MAX_SPANS)
      return client.recordDroppedEvent('buffer_overflow', 'span')
    batch.add(span, WAIT_MS)
  }
  const finished = (span: OwnSpan): void => {
    if (!open.delete(span)) return send(span)
    done.push(span)
    idle?.childEnded()
  }
  /** What is reported from now on is part of this trace. In place: scopes that were copied share it. */
  const point = (): void => {
    const { spanId } = active ?? root ?? {}
    Object.assign(scopes.current.data.propagationContext, {
      traceId: trace.id,
      ...(spanId && { propagationSpanId: spanId }),
    })
  }

  const over = (reason: EndReason): void => {
    const span = root
    if (!span) return
    const now = clock()
    tracer.onEnd.forEach((tell) => guard(() => tell(span)))
    const ends = done.map(({ ended = 0 }) => ended)
    const last = reason === 'reportPageLoaded' ? now : Math.max(span.start, drawn, ...ends)
    const end = Math.min(now, last, span.start + finalTimeout / 1000)
    // What is still under way counts until here; what began later is none of this view's.
    for (const child of open) {
      child.ended = end
      child.setStatus({ code: 2, message: 'cancelled' })
    }
    const children = [...done, ...open].filter(({ start }) => start <= end)
    open.clear()
    done = []
    idle = undefined
    span.setAttribute('sentry.idle_span_finish_reason', reason)
    if (reason === 'documentHidden') span.setStatus({ code: 2, message: 'cancelled' })
    // The view itself first: of a page that goes away not everything may get through.
    span.end(end)
    children.forEach(send)
    batch.flush()
  }

  const leaveView = (reason: EndReason): void => {
    const left = root
    if (left) tracer.onLeave.forEach((tell) => guard(() => tell(left)))
    idle?.end(reason)
  }

  const tracer: Tracer = {
    client,
    get root() {
      return root
    },
    isOpen: () => idle !== undefined,
    onEnd: [],
    onLeave: [],
    beginView: ({ op, trace: next, start, attributes, isHeld }) => {
      leaveView('cancelled')
      const previous = root
      setClock()
      trace = next
      // Until a router says better. Firsthand puts `*` for what looks like an id.
      const name = String(attributes['url.path'] ?? op)
      decide(client, trace, op, name, attributes)
      const said = { [SOURCE]: 'url', 'sentry.origin': `auto.${op}.browser`, ...attributes }
      root = createSpan(trace, undefined, { name, op, startTime: start, attributes: said }, trace.parentId, send)
      if (previous) {
        root.links = [
          {
            trace_id: previous.traceId,
            span_id: previous.spanId,
            sampled: previous.trace.sampled === true,
            attributes: { 'sentry.link.type': { type: 'string', value: 'previous_trace' } },
          },
        ]
      }
      drawn = 0
      const current = root
      // The second frame: the first one is drawn before it. Of a page load the browser knows better.
      if (op === 'navigation')
        guard(() =>
          requestAnimationFrame(() =>
            requestAnimationFrame(() => {
              if (root === current) drawn = clock()
            }),
          ),
        )
      idle = createIdle(options, isHeld, over)
      point()
    },
    endView: (reason) => idle?.end(reason),
    release: () => idle?.release(),
    nameView: (route) => {
      root?.updateName(route).setAttribute(SOURCE, 'route')
      trace.route = route
    },
    start: (given) => {
      const parent = (given.parentSpan as OwnSpan | undefined) ?? active ?? root
      const within = parent?.trace ?? trace
      if (!parent) decide(client, within, given.op ?? '', given.name, given.attributes ?? {})
      const span = createSpan(within, parent?.segment, given, parent?.spanId ?? within.parentId, finished)
      if (idle && span.segment === root) {
        open.add(span)
        idle.childBegan()
      }
      return span
    },
    add: (op, name, from, until, given, isPart) => {
      const attributes = { 'sentry.origin': 'auto.ui.browser.metrics', ...given }
      const startTime = secondsAt(from)
      const span = createSpan(trace, root, { name, op, startTime, attributes }, root?.spanId, (ended) =>
        isPart ? done.push(ended) : send(ended),
      )
      span.end(secondsAt(until))
    },
    runWith: (span, work) => {
      const before = active
      active = span
      point()
      try {
        return work()
      } finally {
        active = before
        point()
      }
    },
    headers: (span) => {
      const from = (span as OwnSpan | undefined) ?? active ?? root
      const spanId = from?.spanId ?? hex(16)
      const of = from?.trace ?? trace
      return {
        'sentry-trace': sentryTrace(of, spanId),
        baggage: writeBaggage(samplingContext(of, client.getDsn(), client.getOptions())),
        ...(client.getOptions().propagateTraceparent && { traceparent: traceparent(of, spanId) }),
      }
    },
    leave: () => {
      leaveView('documentHidden')
      batch.flush()
    },
  }
  return tracer
}
