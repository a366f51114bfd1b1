import type { Generated } from 'kysely'
import type { Flag, Instant, JsonText } from '../../storage/ledger/schema.ts'

/** The status page of an organisation. */
export interface StatusPageTable {
  id: Generated<number>
  organization_id: number
  /** In its address: `/status/<slug>`. */
  slug: string
  /** Heading of the page. */
  title: string
  /** It is shown. */
  is_on: Flag
  /** To everybody; to those who have its link, when it is not. */
  is_public: Flag
  /** As `Component[]`. */
  components: JsonText
  /** Rises when the private link is renewed: older ones lead nowhere. */
  link_version: number
}

/** What people say of something that went wrong, or of work that is ahead. */
export interface StatusIncidentTable {
  id: Generated<number>
  organization_id: number
  /** `incident` or `maintenance`. */
  kind: string
  /** One line. */
  title: string
  /** `none`, `minor`, `major` or `critical`. */
  impact: string
  /** That of its newest update. */
  status: string
  /** Names of the components that it is about. */
  components: JsonText
  starts_at: Instant
  /** When work that is announced ends by itself; null for what ends when somebody says so. */
  ends_at: Instant | null
  /** Until then nobody outside reads it. */
  is_published: Flag
  changed_at: Instant
}

/** One update of an incident. */
export interface StatusUpdateTable {
  id: Generated<number>
  incident_id: number
  /** Who wrote it, which no page says. */
  user_id: number | null
  /** E.g. `investigating`. */
  status: string
  text: string
  at: Instant
}

declare module '../../storage/ledger/schema.ts' {
  interface LedgerSchema {
    status_pages: StatusPageTable
    status_incidents: StatusIncidentTable
    status_updates: StatusUpdateTable
  }
}
