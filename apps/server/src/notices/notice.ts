import type { Message } from '../channels/index.ts'
import type { ManyThings } from './line-of-many.ts'

/** Why somebody may be told of something. Each kind is set apart in a person's settings. */
export const NOTICE_KINDS = [
  'assigned',
  'mentioned',
  'reply',
  'owner',
  'alert',
  'regression',
  'escalation',
  'subscribed',
  'feedback',
  'new',
  'check-in',
  'weekly',
  'system',
] as const
export type NoticeKind = (typeof NOTICE_KINDS)[number]

/** What some people are told. */
export interface Notice {
  readonly organizationId: number
  /** Who may want to hear it; those who are no members, and the actor, do not. */
  readonly userIds: readonly number[]
  readonly kind: NoticeKind
  readonly issueId: number | null
  readonly reportId: number | null
  /** The project, where it is not that of the issue or the report: some want to hear of one, and of another not. */
  readonly projectId?: number | null
  /** Who did it; null for the machine. Own acts are silent. */
  readonly actorId: number | null
  /** Nobody is told twice under the same key. */
  readonly key: string
  /** The key of what it takes back: a mail of that which still waits is not sent, and then there is nothing to tell. */
  readonly takesBack?: string
  /** What it is about: all of one cause is one line of the inbox, e.g. `issue:12`, `incident:7`. */
  readonly cause: string
  readonly message: Message
  /** What it tells of one by one, where it tells of several. */
  readonly many?: ManyThings
  /** It passes the quiet hours of those who chose so. */
  readonly isHigh: boolean
  /** It is never gathered with others into a later mail: every error is of high priority, and few are urgent. */
  readonly isUrgent?: boolean
  /** Threads of what it tells of that goes on, or is back: an all-clear of those that still waits is true no more. */
  readonly goesOn?: readonly string[]
}

/** Kinds that want something from whoever is told. Of the others, what a person did waits for an answer as little. */
const ASKING: ReadonlySet<NoticeKind> = new Set(['mentioned', 'reply', 'owner', 'alert', 'system'])

/** Whether it waits for the one who is told, or is good to know. What is over waits for nobody. */
export const waitsForSomebody = ({ kind, actorId, isHigh, message }: Notice): boolean => {
  if (message.stage === 'over' || message.kind === 'over') return false
  return isHigh || asksSomething(kind, actorId)
}

export const asksSomething = (kind: NoticeKind, actorId: number | null): boolean =>
  // What a rule assigned is found again in the list of issues; what a colleague assigned was asked of this person.
  ASKING.has(kind) || (kind === 'assigned' && actorId !== null)
