import type { TrackerKindName, TrackerSecrets, TrackerSettings } from '@firsthand/contract'
import type { Result } from '../../lib/result.ts'
import type { Draft } from '../writing/draft.ts'

/** A connection opened to call by it. */
export interface Target<Kind extends TrackerKindName = TrackerKindName> {
  readonly settings: TrackerSettings<Kind>
  readonly secrets: TrackerSecrets<Kind>
}

export type TicketState = 'open' | 'closed'

/** A ticket as its tracker has it. */
export interface RemoteTicket {
  /** By which it is called. */
  readonly id: string
  /** As people call it: `#12`, `SHOP-12`. */
  readonly key: string
  readonly url: string
  readonly title: string
  readonly state: TicketState
}

export interface TrackerRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH'
  /** Below the kind's own base, with a slash. */
  readonly path: string
  readonly body?: unknown
  /** Statuses that are an answer, not a failure. */
  readonly takes?: readonly number[]
}

export interface Answered {
  readonly status: number
  /** Undefined for what is none. */
  readonly json: unknown
  /** The content type that it was said to be, e.g. `text/html`; '' where none was said. */
  readonly type: string
}

/** @throws TrackerFailure when there is no answer of use */
export type Ask = (request: TrackerRequest) => Promise<Answered>

export interface Marked {
  /** Stands in the text of the ticket, and of no other. */
  readonly marker: string
  /** When it can have been made first, milliseconds since the epoch. */
  readonly since: number
  readonly now: number
}

/** By which webhooks are checked; '' for none. */
export interface HookSecrets {
  /** We made it, and people enter it at the tracker. */
  readonly ours: string
  /** The tracker made it, and people entered it here. */
  readonly theirs: string
}

/** What a webhook says, once it is known to be the tracker's. */
export interface HookNews {
  /** Of this delivery; null where the tracker gives none. */
  readonly deliveryId: string | null
  /** When it was sent, where it is signed with it; milliseconds since the epoch. */
  readonly sentAt: number | null
  /** Tickets about which something changed. */
  readonly ticketIds: readonly string[]
}

export interface Hook {
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Uint8Array
  /** Of the address that was called. */
  readonly query: URLSearchParams
}

/** One kind of issue tracker: the only place that knows its calls. */
export interface TrackerKind<Kind extends TrackerKindName> {
  /** Where its calls begin, without a final slash. */
  readonly base: (target: Target<Kind>) => string
  readonly headers: (target: Target<Kind>) => Readonly<Record<string, string>>
  /**
   * Settings with what the tracker itself has to tell before anything can be called.
   *
   * @param look reads a public page, which gets no secret; undefined where there is none
   * @returns a sentence by field, where it cannot be known
   */
  readonly complete?: (
    settings: TrackerSettings<Kind>,
    look: (address: string) => Promise<unknown>,
  ) => Promise<Result<TrackerSettings<Kind>, Readonly<Record<string, string>>>>
  /** Repository, project or team, as people write it. */
  readonly name: (settings: TrackerSettings<Kind>) => string
  /** Looks whether tickets can be made. @returns what it found, a sentence */
  readonly test: (target: Target<Kind>, ask: Ask) => Promise<string>
  readonly create: (target: Target<Kind>, ask: Ask, draft: Draft, marker: string) => Promise<RemoteTicket>
  /** One that was made before and of which nobody took note. */
  readonly find: (target: Target<Kind>, ask: Ask, marked: Marked) => Promise<RemoteTicket | null>
  /** Null when it is gone. */
  readonly read: (target: Target<Kind>, ask: Ask, id: string) => Promise<RemoteTicket | null>
  readonly setState: (target: Target<Kind>, ask: Ask, id: string, state: TicketState) => Promise<void>
  /** The ticket that an address is of; null when it is none of this tracker's. */
  readonly idOf: (settings: TrackerSettings<Kind>, url: URL) => string | null
  /** Whether a webhook is signed with a secret of the connection. */
  readonly isSigned: (hook: Hook, secrets: HookSecrets) => boolean
  /** Only of what is signed. */
  readonly readHook: (settings: TrackerSettings<Kind>, hook: Hook) => HookNews
  /** A new secret of ours for webhooks; without it, only the tracker makes one. */
  readonly makeSecret?: () => string
}
