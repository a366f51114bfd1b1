import {
  addBreadcrumb,
  captureException,
  getClient,
  getIsolationScope,
  lastEventId,
  showReportDialog,
  withScope,
} from '@firsthand/browser'

/** What is said about one event, or about the page: as far as `@firsthand/browser` and `@sentry/browser` 8–11 agree. */
export interface ReportingScope {
  setTag(key: string, value: string | number | boolean | undefined): unknown
  setContext(name: string, context: { [key: string]: unknown } | null): unknown
  setExtra(key: string, value: unknown): unknown
  setFingerprint(fingerprint: string[]): unknown
  setTransactionName(name?: string): unknown
}

/** What is needed of a client: the widget, if there is one. */
export interface ReportingClient {
  getIntegrationByName?(name: string): unknown
}

/** The functions of an SDK that this package calls: `import * as Sentry from '@sentry/browser'` is one. */
export interface ReportingSdk {
  captureException(error: unknown, hint?: { mechanism?: { type: string; handled: boolean } }): string
  withScope<Value>(work: (scope: ReportingScope) => Value): Value
  addBreadcrumb?(breadcrumb: {
    type?: string
    category?: string
    message?: string
    data?: { [key: string]: unknown }
  }): void
  getIsolationScope?(): ReportingScope
  getClient?(): ReportingClient | undefined
  lastEventId?(): string | undefined
  showReportDialog?(options: { eventId?: string }): void
}

/** Used without `configure`: `@firsthand/browser`. Its functions are named one by one, so that bundlers leave the rest out. */
const OWN: ReportingSdk = {
  addBreadcrumb,
  captureException,
  getClient,
  getIsolationScope,
  lastEventId,
  showReportDialog,
  withScope,
}

/** A form that was made, but not put anywhere yet. */
interface MadeForm {
  appendToDom(): void
  open(): void
}

/** A widget: `feedbackIntegration` or `createFeedback` of `@firsthand/feedback`, or `feedbackIntegration` of `@sentry/browser`. */
export interface FeedbackWidget {
  openDialog?(options?: object): Promise<void>
  closeDialog?(): void
  createForm(options?: object): Promise<MadeForm>
  sendFeedback?(params: { message: string }): Promise<string>
}

export interface Configuration {
  /** Default: `@firsthand/browser`. */
  readonly sdk?: ReportingSdk
  /** Default: the integration named `Feedback` of the SDK's client. */
  readonly feedback?: FeedbackWidget
}

let configured: Configuration = {}
const listeners = new Set<() => void>()

/** Calls the listener when the configuration changes. Returns what ends that. */
export const onConfigured = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/**
 * Says once, for the whole page, which SDK reports: `configure({ sdk: Sentry })`. Functions of it may also be given as they
 * are: `configure({ captureException, withScope })`. Not needed with `@firsthand/browser`.
 */
export const configure = (configuration: Configuration | ReportingSdk): void => {
  configured = 'captureException' in configuration ? { sdk: configuration } : { ...configured, ...configuration }
  for (const listener of listeners) listener()
}

/** The SDK of a provider, else the configured one, else `@firsthand/browser`. */
export const sdkOf = (own: Configuration): ReportingSdk => own.sdk ?? configured.sdk ?? OWN

const isWidget = (value: unknown): value is FeedbackWidget =>
  typeof value === 'object' && value !== null && 'createForm' in value && typeof value.createForm === 'function'

/** Undefined when nobody set up a widget, or not yet. */
export const feedbackOf = (own: Configuration): FeedbackWidget | undefined => {
  const given = own.feedback ?? configured.feedback
  if (given !== undefined) return given
  const client = sdkOf(own).getClient?.()
  // Sentry's async widget has a name of its own.
  for (const name of ['Feedback', 'FeedbackAsync', 'FeedbackSync']) {
    const found = client?.getIntegrationByName?.(name)
    if (isWidget(found)) return found
  }
  return undefined
}
