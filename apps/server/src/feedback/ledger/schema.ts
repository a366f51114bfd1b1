import type { Generated } from 'kysely'
import type { Flag, Instant, JsonText } from '../../storage/ledger/schema.ts'

/** What a visitor said. */
export interface FeedbackTable {
  id: Generated<number>
  organization_id: number
  project_id: number
  /** 32 hex characters; unique in its project. */
  event_id: string
  /** Digest batch that stored it, as in `event_index`. */
  batch: number
  key_id: number
  source: string
  status: 'open' | 'resolved' | 'spam' | 'archived'
  is_read: Flag
  message: string
  name: string
  email: string
  url: string
  browser: string
  os: string
  environment: string
  release: string
  /** Message, name, e-mail and URL in lower case, for search. */
  words: string
  /** JSON: `FeedbackDetails`. */
  details: JsonText
  trace_id: string | null
  replay_id: string | null
  associated_event_id: string | null
  issue_id: number | null
  assigned_user_id: number | null
  assigned_team_id: number | null
  spam_score: number
  /** JSON: why it is suspect. */
  spam_reasons: JsonText
  spam_decided_by: 'automatic' | 'person'
  attachments: number
  /** Of the sender's address, keyed by a secret that ends with the process: to count, not to look up. */
  address_hash: string
  /** Of the address and of what the sender says of themselves; '' for reports from before it was kept. */
  sender_hash: Generated<string>
  /** Of the text, without regard to case and space. */
  message_hash: string
  /** Who wrote it, so that one who wrote three times is one person: `email:…`, `id:…`, `sender:…`. */
  writer: Generated<string>
  /** What the page called its user, as events do: `id:7`; '' for nobody. */
  user_key: Generated<string>
  /** By what it came to `issue_id`; null without an issue. */
  linked_by: 'event' | 'trace' | 'person' | null
  merged_into_id: number | null
  /** The newest message of its thread is the reporter's. */
  awaits_reply: Flag
  created_at: Instant
  /** When it was sent by the corrected clock of its sender: earlier, where it waited for a connection. 0 for reports from before it was kept. */
  written_at: Generated<Instant>
  last_activity_at: Instant
  /** The secret in the private link to its thread; null when the project gives none. */
  thread_token: string | null
  /** Somebody said that the issue of its event is not its issue. */
  is_unlinked: Generated<Flag>
  /** When the reporter was last told that the linked issue is resolved. */
  told_resolved_at: Instant | null
}

/** One message between a reporter and the team. */
export interface FeedbackMessageTable {
  id: Generated<number>
  feedback_id: number
  author: 'reporter' | 'agent' | 'system'
  user_id: number | null
  text: string
  /** How it reaches the reporter; null for what they wrote. */
  delivery: 'queued' | 'sent' | 'failed' | 'page' | null
  attempts: number
  /** Why the last attempt failed. */
  error: string | null
  /** When it is (next) sent by e-mail; null when it is not. */
  due_at: Instant | null
  sent_at: Instant | null
  created_at: Instant
}

export interface FeedbackTagTable {
  feedback_id: number
  key: string
  value: string
}

export interface FeedbackActivityTable {
  id: Generated<number>
  feedback_id: number
  user_id: number | null
  type: string
  data: JsonText
  created_at: Instant
}

/** Who wants no more mails about repairs. */
export interface ReporterUnsubscribeTable {
  organization_id: number
  /** Of the address, keyed: to recognise, not to read. */
  address_hash: string
  created_at: Instant
}

declare module '../../storage/ledger/schema.ts' {
  interface LedgerSchema {
    feedback: FeedbackTable
    feedback_tags: FeedbackTagTable
    feedback_activity: FeedbackActivityTable
    reporter_unsubscribes: ReporterUnsubscribeTable
    feedback_messages: FeedbackMessageTable
  }
}
