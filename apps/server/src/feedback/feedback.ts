import type { JsonObject } from '../event/event.ts'

export type FeedbackStatus = 'open' | 'resolved' | 'spam' | 'archived'
export type FeedbackSource = 'widget' | 'api' | 'user_report' | 'user_feedback' | 'error_page' | 'other'

/** A report as it was read: bounded, without control characters, the same whichever way it came. */
export interface FeedbackReport {
  /** 32 hex characters; a project has one report of an id. */
  readonly eventId: string
  readonly source: FeedbackSource
  /** Milliseconds since the epoch. */
  readonly timestamp: number
  readonly message: string
  readonly name: string
  readonly email: string
  /** As sent; whoever shows it must not make a link of anything but http(s). */
  readonly url: string
  readonly browser: string
  readonly os: string
  readonly environment: string
  readonly release: string
  readonly tags: readonly (readonly [string, string])[]
  readonly traceId: string | null
  readonly replayId: string | null
  readonly associatedEventId: string | null
  /** True: a second one of the same id replaces the first within `FEEDBACK_REPLACE_MS` (protocol.md 3.5). */
  readonly replaces: boolean
  readonly honeypot: boolean
  readonly fillMs: number | null
  /** User, custom fields, breadcrumbs, SDK, user agent, locale: what only the detail shows. */
  readonly details: FeedbackDetails
}

export interface FeedbackDetails {
  readonly user: JsonObject | null
  readonly fields: readonly { readonly key: string; readonly label: string; readonly value: string }[]
  readonly breadcrumbs: readonly JsonObject[]
  readonly sdk: { readonly name: string; readonly version: string } | null
  readonly userAgent: string
  readonly locale: string
}
