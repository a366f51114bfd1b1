import type { Verdict } from './kinds/kind.ts'
import type { TakenMessage } from './ledger/outbox-queue.ts'

/** What came of one try. */
export interface Tried {
  readonly verdict: Verdict
  /** As it is shown to people, without secrets. */
  readonly request: {
    readonly method: string
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
  }
  readonly status: number | null
  readonly answer: string | null
  readonly remoteAddress: string | null
  /** Of a mail: its receiver does not take it, for good or for now. The mail server, which says so, is there. */
  readonly refused?: 'hard' | 'soft'
}

/** What went wrong with it; null where all have it for whom it was. */
export const errorOf = (verdict: Verdict): string | null =>
  verdict.kind === 'sent' ? (verdict.missed ?? null) : verdict.error

/** A message that can be tried. */
export interface Ready {
  /** Whose failures count together: of a call its host, of mails the mail server. */
  readonly host: string
  /** Until the next message to the same receiver. */
  readonly spacingMs: number
  readonly send: () => Promise<Tried>
  /** Told what came of it, once that is noted: whatever becomes of this, nothing is sent again for it. */
  readonly noted?: (tried: Tried) => Promise<void>
}

/** Opens what a message needs, or says why it can never be sent. */
export type Way = (taken: TakenMessage) => Promise<Ready | { readonly refusal: string }>
