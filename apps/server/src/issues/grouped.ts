import type { NormalisedEvent } from './event.ts'

/** One part of a hash, as the "why grouped" panel shows it. */
export interface GroupingComponent {
  /** `exception`, `stacktrace`, `frame`, `type`, `value`, `function`, `module`, `filename`, `context-line`, `message`, `fingerprint`, `csp`, … */
  readonly id: string
  readonly name: string
  readonly contributes: boolean
  /** Why it does not contribute, or what was changed before hashing ("ignored because the frame is not in-app"). */
  readonly hint?: string
  readonly values: readonly (string | GroupingComponent)[]
}

export interface GroupingVariant {
  /** `app`, `system`, `message`, `custom-fingerprint`, `checksum`, `csp`, `fallback`, … */
  readonly key: string
  /** 32 hex characters, or null when the variant does not contribute. */
  readonly hash: string | null
  readonly description: string
  readonly component: GroupingComponent
}

/** The result of the pure, versioned grouping function. Same input, same result, for ever (per version). */
export interface Grouping {
  /** e.g. `firsthand:2026-11-20`. */
  readonly version: string
  /** In order of preference; the first that is known to the project decides, all are attached to the issue. Never empty. */
  readonly hashes: readonly string[]
}

/** What an issue shows in lists; derived from its newest event (protocol.md 3.1.10). */
export interface EventTitle {
  /** `TypeError: x is undefined`, at most 256 characters. */
  readonly title: string
  readonly culprit: string
  /** Sentry's `metadata`: `{type, value, filename?, function?}` for errors, `{title}` for messages, `{directive, uri}` for CSP. */
  readonly metadata: { readonly [key: string]: string }
}

/** A normalised, scrubbed event that knows where it belongs. */
export interface GroupedEvent {
  readonly event: NormalisedEvent
  readonly grouping: Grouping
  readonly title: EventTitle
  /** True when any exception's mechanism has `handled: false`. */
  readonly unhandled: boolean
}

/** What the ledger needs of a grouped event. Small, because a batch holds hundreds of them while it waits. */
export interface EventSummary {
  readonly event: Pick<
    NormalisedEvent,
    'event_id' | 'type' | 'timestamp' | 'level' | 'platform' | 'logger' | 'environment' | 'release'
  >
  readonly grouping: Grouping
  readonly title: EventTitle
  readonly unhandled: boolean
}
