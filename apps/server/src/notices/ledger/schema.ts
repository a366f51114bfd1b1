import type { Generated } from 'kysely'
import type { Flag, Instant, JsonText } from '../../storage/ledger/schema.ts'

/** What a person changed of how they are told. */
export interface NoticeSettingsTable {
  user_id: number
  /** `NoticeSettings` */
  settings: JsonText
  changed_at: Instant
}

/** A line of somebody's inbox: all that they were told about one cause. */
export interface NoticeEntryTable {
  id: Generated<number>
  organization_id: number
  user_id: number
  /** `issue:12`, `incident:7`; unique for the person and the organisation. */
  cause: string
  /** Of the newest notice, like what follows. */
  kind: string
  project_id: number | null
  issue_id: number | null
  report_id: number | null
  actor_id: number | null
  level: string
  title: string
  /** Why the person is told. */
  reason: string
  /** `Message` */
  message: JsonText
  /** It waits for the person. */
  waits: Flag
  /** Notices in it since it was last done. */
  told: number
  first_at: Instant
  last_at: Instant
  read_at: Instant | null
  done_at: Instant | null
  /** What it sleeps until: `time release worse answer`; null while it is awake. */
  snooze: string | null
  /** Of `time`, when it ends. */
  snooze_until: Instant | null
  /** Of `release`, the version; '' is whichever comes next. */
  snooze_release: string | null
  /** Of `worse`, how many events the issue has then. */
  snooze_events: number | null
  /** Why it is back, in words; '' where it was not away. While it is away again, why it had been back before. */
  woken: string
}

/** One notice to one person. */
export interface NoticeItemTable {
  id: Generated<number>
  user_id: number
  /** With the person, unique: nobody is told the same twice. */
  key: string
  organization_id: number
  /** The line of the inbox that it stands in; null for who wants none of its kind there. */
  entry_id: number | null
  kind: string
  actor_id: number | null
  level: string
  title: string
  /** The first words of what was said, '' for none. */
  detail: string
  /** Where to look at it, below our address. */
  path: string
  at: Instant
  /** The report that it is about. It may be gone: then nothing of it is left here, as soon as that is known. */
  report_id: number | null
}

/** A mail that waits to be gathered with others, or for the end of quiet hours. */
export interface NoticeMailTable {
  id: Generated<number>
  user_id: number
  organization_id: number
  key: string
  kind: string
  cause: string
  /** `Message` */
  message: JsonText
  due_at: Instant
  created_at: Instant
  /** Null for what is of no project. */
  project_id: number | null
  /** When its receiver looked at what it tells of; null while they did not. An undo takes that back. */
  dropped_at: Instant | null
  /** As of items. */
  report_id: number | null
}

/** When somebody was last sent a mail of those that are gathered. */
export interface NoticeMailingTable {
  user_id: number
  last_at: Instant
}

/** Why somebody is subscribed to an issue, where it was not by hand. */
export interface NoticeSubscriptionTable {
  user_id: number
  issue_id: number
  reason: 'assigned' | 'mentioned' | 'commented'
  since: Instant
}

/** An address that refused mail. */
export interface NoticeAddressTable {
  /** In lower case. */
  address: string
  /** When it did, as long as it counts. */
  failures: JsonText
  /** Since when nothing is sent there; null while something is. */
  paused_at: Instant | null
  /** What its mail server said. */
  said: string
}

/** Until when somebody was sent their weekly report of an organisation. */
export interface NoticeWeekTable {
  user_id: number
  organization_id: number
  /** Local date of the Monday. */
  week: string
}

declare module '../../storage/ledger/schema.ts' {
  interface LedgerSchema {
    notice_settings: NoticeSettingsTable
    notice_entries: NoticeEntryTable
    notice_items: NoticeItemTable
    notice_mails: NoticeMailTable
    notice_mailing: NoticeMailingTable
    notice_subscriptions: NoticeSubscriptionTable
    notice_addresses: NoticeAddressTable
    notice_weeks: NoticeWeekTable
  }
}
