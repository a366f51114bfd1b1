import type { FeedbackActor } from './inbox.store.ts'

/** PORT: messages between reporters and the team, and the mails that carry them. */
export interface Threads {
  /** Oldest first. */
  messages(organizationId: number, feedbackId: number): Promise<readonly ThreadMessage[]>
  /** Null when there is no such report, `full` when its thread is. */
  reply(
    actor: FeedbackActor,
    feedbackId: number,
    reply: { readonly text: string; readonly delivery: 'queued' | 'page'; readonly resolve: boolean },
  ): Promise<ThreadMessage | 'full' | null>
  /** What the private page shows. Null when no report has this token, or its project is gone. */
  byToken(token: string): Promise<Thread | null>
  /** What the reporter writes there. */
  answer(token: string, text: string, now: number): Promise<'ok' | 'unknown' | 'too_many' | 'full'>

  /** Messages to be sent by e-mail now. Nobody else gets them until `leaseUntil`. */
  takeDueMails(now: number, leaseUntil: number, limit: number): Promise<readonly DueMail[]>
  /** Mails to this address since then. */
  countSent(email: string, since: number): Promise<number>
  mailSent(messageId: number, now: number): Promise<void>
  /** `retryAt` null: never again. */
  mailFailed(messageId: number, error: string, retryAt: number | null): Promise<void>
  /** The address or the server's way to it is limited; tried later, without counting. */
  postponeMail(messageId: number, until: number): Promise<void>

  /** Gives reports of the last hour the issue of their event, if that came after them. */
  linkLateEvents(now: number, limit: number): Promise<number>
  /** Reports whose issue was resolved before `resolvedBefore`, and whose reporters do not know. */
  resolvedUntold(resolvedBefore: number, limit: number): Promise<readonly ResolvedReport[]>
  /** Marks them as told; those with a text also get it into their thread. */
  tellResolved(
    now: number,
    reports: readonly {
      readonly feedbackId: number
      readonly message: { readonly text: string; readonly delivery: 'queued' | 'page' } | null
    }[],
  ): Promise<void>
}

export interface ThreadMessage {
  readonly id: number
  readonly author: 'reporter' | 'agent' | 'system'
  readonly user: { readonly id: number; readonly name: string; readonly email: string } | null
  readonly text: string
  readonly delivery: 'queued' | 'sent' | 'failed' | 'page' | null
  readonly attempts: number
  readonly error: string | null
  readonly createdAt: number
}

export interface Thread {
  readonly organizationId: number
  readonly projectId: number
  readonly projectName: string
  /** 32 hex characters; under it the attachments are found. */
  readonly eventId: string
  readonly attachments: number
  /** Of the page that it is about, as sent; '' when not sent. */
  readonly url: string
  /** JSON of `ProjectSettings`. */
  readonly settings: string
  readonly status: string
  readonly message: string
  readonly createdAt: number
  /** As the reporter's browser said; '' when it did not. */
  readonly locale: string
  readonly messages: readonly ThreadMessage[]
}

export interface DueMail {
  readonly messageId: number
  readonly author: 'agent' | 'system'
  readonly text: string
  readonly attempts: number
  readonly email: string
  readonly reporterName: string
  readonly projectName: string
  readonly settings: string
  readonly token: string | null
  /** What the reporter had written. */
  readonly reportText: string
  readonly reportedAt: number
  readonly locale: string
}

export interface ResolvedReport {
  readonly feedbackId: number
  readonly email: string
  readonly token: string | null
  readonly settings: string
  readonly status: string
  readonly locale: string
  /** In which release; null when nobody said. */
  readonly release: string | null
}
