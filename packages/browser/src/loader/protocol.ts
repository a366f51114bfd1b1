/** What the small script hands to the rest. */

/** Functions that answer before the rest is there: the call is kept and made later. */
export const QUEUED = [
  'captureException',
  'captureMessage',
  'addBreadcrumb',
  'setUser',
  'setTag',
  'setTags',
  'setContext',
  'setExtra',
] as const

export type Queued = (typeof QUEUED)[number]

/** What Sentry's loader keeps as well. */
export type QueuedOfSentry = 'captureEvent' | 'withScope' | 'showReportDialog'

export type Early =
  /** `id` is the event id that the caller has been told. */
  | {
      readonly kind: 'call'
      readonly name: Queued | QueuedOfSentry
      readonly given: readonly unknown[]
      readonly id: string
    }
  | { readonly kind: 'error' | 'unhandledrejection'; readonly event: Event }

/** With when it happened, in seconds since 1970: the rest may come much later. */
export type Noted = Early & { readonly at: number }

/** `window.Firsthand` before the rest is there. Afterwards it has every function of `@firsthand/browser` as well. */
export type Stub = Record<Queued, (...given: unknown[]) => unknown> & {
  onLoad(callback: (firsthand: unknown) => void): void
}

export interface Handover {
  readonly attributes: Readonly<Record<string, string | undefined>>
  readonly early: readonly Noted[]
  readonly callbacks: readonly ((firsthand: unknown) => void)[]
  /** Gets every function of the package: `window.Firsthand`, or `window.Sentry`. */
  readonly stub: object
}
