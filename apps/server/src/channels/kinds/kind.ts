import type { ChannelKindName, Target } from '../channel.ts'
import type { Message } from '../message.ts'
import type { StoredSubject } from '../stored-subject.ts'

/** One message to one channel. */
export interface Sending {
  readonly message: Message
  /** The same for all tries of the same message, and for no other: an idempotency key. */
  readonly id: string
  /** The same for all messages of one thread. */
  readonly thread: string
  readonly organization: { readonly id?: number; readonly slug: string; readonly name: string }
  /** Address of this server, without a final slash. */
  readonly publicUrl: string
  /** Milliseconds since the epoch, of this try. */
  readonly now: number
  /** When what it says happened. */
  readonly createdAt: number
  /** What the other side calls the first message of the thread; null where there is none yet. */
  readonly remote: string | null
  /** Of an alert's incident. */
  readonly incidentId?: number | null
  /** What it is about, as it is stored, for kinds that want it whole. */
  readonly stored?: StoredSubject | undefined
  /** A try before this one may have arrived. */
  readonly isRepeated: boolean
}

/** A request as it goes out. */
export interface Call {
  readonly method: 'POST' | 'PATCH' | 'PUT'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface CallAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** What an answer means, where its status does not say so by itself. */
export type Verdict =
  | {
      readonly kind: 'sent'
      readonly remote: string | null
      /** Who of several receivers does not get it, and why. */
      readonly missed?: string
    }
  | {
      readonly kind: 'again'
      readonly afterMs: number
      readonly error: string
      /** What it was to be put under, or in the place of, is gone: the next try begins anew. */
      readonly forgetsThread?: true
    }
  | { readonly kind: 'failed'; readonly error: string }
  /** Nobody will ever be there again. */
  | { readonly kind: 'gone'; readonly error: string }

/** How one kind of channel is spoken to. */
export interface ChannelKind<Kind extends ChannelKindName> {
  /**
   * It wakes people, and keeps open what it was told until it is told that it is over. A `single` message, of which nobody
   * says that, opens nothing there.
   */
  readonly pages?: true
  /** Between two messages to one channel, as the other side wants it. */
  readonly spacingMs: number
  /** The address that is called; it is judged when the channel is saved, too. */
  readonly address: (target: Target<Kind>) => string
  readonly call: (target: Target<Kind>, sending: Sending) => Call
  /** Null where the status says it all. */
  readonly read?: (answer: CallAnswer, sending: Sending) => Verdict | null
  /** Refusals (4xx) of it may end: they are tried again like failures. */
  readonly retriesRefusals?: true
}
