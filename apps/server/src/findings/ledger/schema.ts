import type { Flag, Instant, JsonText } from '../../storage/ledger/schema.ts'

/** What a project changed of how its findings are made. */
export interface FindingSettingsTable {
  project_id: number
  settings: JsonText
  changed_at: Instant
}

/** A problem of a project that was seen, before and after it is an issue. */
export interface FindingSightingTable {
  project_id: number
  /** 32 hex characters. */
  fingerprint: string
  detector: string
  /** Since `first_at`. */
  times_seen: number
  first_at: Instant
  last_at: Instant
  /** It was seen often enough: each further time is an event of its issue. */
  is_issue: Flag
}

declare module '../../storage/ledger/schema.ts' {
  interface LedgerSchema {
    finding_settings: FindingSettingsTable
    finding_sightings: FindingSightingTable
  }
}
