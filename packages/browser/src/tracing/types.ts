export type AttributeValue = string | number | boolean | readonly (string | number | boolean)[] | undefined
export type Attributes = Record<string, AttributeValue>

/** What every span of a page view shares. */
export interface Trace {
  readonly id: string
  /** In [0, 1): everybody who decides by it decides the same. */
  readonly rand: number
  /** Share of traces that is sent. Undefined: nobody has said it. */
  rate?: number | undefined
  /** Undefined: nobody has decided, so whoever gets the headers decides. */
  sampled?: boolean | undefined
  /** Of the page's server: span that asked for this page. */
  readonly parentId?: string | undefined
  /** What the head of the trace says to all that come after it, as it came; empty where it said nothing. */
  readonly inherited?: Readonly<Record<string, string>> | undefined
  /** Route of the page, once it is known. */
  route?: string | undefined
  /** Spans that went out. */
  count: number
}

export interface Link {
  readonly trace_id: string
  readonly span_id: string
  readonly sampled: boolean
  readonly attributes: Readonly<Record<string, unknown>>
}

/** A piece of work with a beginning and an end. Names of its methods are those of OpenTelemetry and `@sentry/browser`. */
export interface Span {
  readonly traceId: string
  readonly spanId: string
  setAttribute(name: string, value: AttributeValue): Span
  setAttributes(attributes: Attributes): Span
  updateName(name: string): Span
  /** `code` 2 is an error; the message is a word such as `cancelled` or `not_found`. */
  setStatus(status: { readonly code: 0 | 1 | 2; readonly message?: string | undefined }): Span
  /** @param at seconds since 1970; now, if it is missing. Later calls change nothing. */
  end(at?: number): void
}

export interface SpanOptions {
  readonly name: string
  readonly op?: string | undefined
  readonly attributes?: Attributes | undefined
  /** Seconds since 1970. */
  readonly startTime?: number | undefined
  /** Default: the span that is active, else that of the page. */
  readonly parentSpan?: Span | undefined
}

/** A span on the inside. */
export interface OwnSpan extends Span {
  readonly trace: Trace
  readonly parentId: string | undefined
  /** Of the page view that it belongs to; itself, if it is that. */
  readonly segment: OwnSpan
  name: string
  readonly start: number
  ended: number | undefined
  isFailed: boolean
  readonly attributes: Attributes
  links?: readonly Link[]
}

export interface TracingOptions {
  /** `true` */
  readonly instrumentPageLoad?: boolean
  /** `true` */
  readonly instrumentNavigation?: boolean
  /** A page load or navigation ends so long after its last child. Milliseconds. `1000` */
  readonly idleTimeout?: number
  /** … and at the latest so long after its last child began. Milliseconds. `15000` */
  readonly childSpanTimeout?: number
  /** … and at the latest after so long. Milliseconds. `30000` */
  readonly finalTimeout?: number
  /** The page says itself when it is there: `reportPageLoaded()`. `false` */
  readonly enableReportPageLoaded?: boolean
  /** False: no span for this request. Its headers are not touched by that. */
  readonly shouldCreateSpanForRequest?: (url: string) => boolean
}
