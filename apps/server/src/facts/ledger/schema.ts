import type { Instant, JsonText } from '../../storage/ledger/schema.ts'

/** What happened, in the order in which it became true. */
export interface FactTable {
  id: number
  organization_id: number
  project_id: number | null
  kind: string
  issue_id: number | null
  report_id: number | null
  actor_id: number | null
  received_at: Instant
  noted_at: Instant
  data: JsonText
}

/** The last number that was given to a fact: one row. */
export interface FactCountTable {
  id: number
  last: number
}

/** How far those who follow facts are. */
export interface FactReaderTable {
  name: string
  /** Number of the last fact that it took. */
  position: number
  moved_at: Instant
}

declare module '../../storage/ledger/schema.ts' {
  interface LedgerSchema {
    facts: FactTable
    fact_count: FactCountTable
    fact_readers: FactReaderTable
  }
}
