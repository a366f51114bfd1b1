import type { EventRequest, EventTitle, EventUser, NormalisedEvent } from '../event/event.ts'
import type { Outline } from './features.ts'

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
  /** Null when the parts are no longer known: events keep what decided, and not all that was looked at. */
  readonly component: GroupingComponent | null
}

/** The result of the pure, versioned grouping function. Same input, same result, for ever (per version). */
export interface Grouping {
  /** e.g. `firsthand:2026-11-20`. */
  readonly version: string
  /** In order of preference; the first that is known to the project decides, all are attached to the issue. Never empty. */
  readonly hashes: readonly string[]
  /**
   * What the version before says, while the step from it to this one lasts: an event whose own hashes nobody knows joins
   * the issue that these lead to. Never attached to an issue.
   */
  readonly previous?: { readonly version: string; readonly hashes: readonly string[] }
}

/** What decided the hash of an event: as much as is kept with it, to say later why it was grouped so. */
export interface GroupingDecision {
  /** Key of the variant that decided (`app`, `custom-fingerprint`, …). */
  readonly variant: string
  readonly description: string
  /** Text of the project's fingerprint rule that matched. */
  readonly rule?: string
  /** Index of the exception that names the issue, when it is not the last. */
  readonly mainException?: number
}

/** What grouping decided when an event was stored, as it is read back. */
export interface StoredGrouping extends GroupingDecision {
  readonly version: string
  readonly hashes: readonly string[]
}

/** A normalised, scrubbed event that knows where it belongs. */
export interface GroupedEvent {
  readonly event: NormalisedEvent
  readonly grouping: Grouping
  readonly decision: GroupingDecision
  readonly title: EventTitle
  /** True when any exception's mechanism has `handled: false`. */
  readonly unhandled: boolean
  /** Of the issue that it opens, when that is none of an error. */
  readonly issueKind?: IssueKind
}

/** What an issue is about, in Sentry's words. */
export interface IssueKind {
  readonly category: string
  readonly type: string
}

/** What the ledger needs of a grouped event. Small, because a batch holds hundreds of them while it waits. */
export interface EventSummary {
  readonly event: Pick<
    NormalisedEvent,
    | 'event_id'
    | 'type'
    | 'timestamp'
    | 'level'
    | 'platform'
    | 'logger'
    | 'environment'
    | 'release'
    | 'transaction'
    | 'tags'
  > & {
    // What is told of an event by which something happened (`ledger/event-of-fact.ts`).
    readonly user?: Pick<EventUser, 'id' | 'email'>
    readonly request?: Pick<EventRequest, 'url'>
  }
  readonly outline: Outline
  readonly grouping: Grouping
  readonly title: EventTitle
  readonly unhandled: boolean
  readonly issueKind?: IssueKind
}
