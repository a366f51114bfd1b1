import type { Message } from '../channels/index.ts'
import type { NoticeKind } from './notice.ts'
import type { Snooze } from './snooze.ts'

/** Which lines of an inbox. */
export type InboxView = 'unread' | 'all' | 'snoozed' | 'done'

/** A line of somebody's inbox. Instants are milliseconds since the epoch. */
export interface InboxEntry {
  readonly id: number
  readonly cause: string
  readonly kind: NoticeKind
  readonly projectId: number | null
  readonly issueId: number | null
  readonly reportId: number | null
  readonly actor: { readonly id: number; readonly name: string; readonly email: string } | null
  readonly level: Message['level']
  readonly title: string
  readonly reason: string
  readonly waits: boolean
  /** How much it is about. */
  readonly told: number
  readonly firstAt: number
  readonly lastAt: number
  readonly isRead: boolean
  readonly isDone: boolean
  readonly snooze: Snooze | null
  readonly woken: string
  readonly message: Message
}

/** What a line is about, one by one. */
export interface InboxItem {
  readonly id: number
  readonly kind: NoticeKind
  readonly actor: InboxEntry['actor']
  readonly level: Message['level']
  readonly title: string
  readonly detail: string
  readonly path: string
  readonly at: number
}

/** What a person decided of a line, to be put back by an undo. */
export interface EntryState {
  readonly id: number
  readonly isRead: boolean
  readonly isDone: boolean
  readonly snooze: Snooze | null
  /** What came later stays as it came. */
  readonly lastAt: number
}

export interface EntryChange {
  readonly isRead?: boolean | undefined
  readonly isDone?: boolean | undefined
  /** Null wakes it. */
  readonly snooze?: Snooze | null | undefined
}

/** Which lines are changed: some by their ids, or all unread ones with nothing later than the instant. */
export type ChangedEntries =
  | { readonly ids: readonly number[] }
  | { readonly unreadUpTo: number; readonly query: string }
