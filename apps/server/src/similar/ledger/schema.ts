import type { Instant, JsonText } from '../../storage/ledger/schema.ts'

/** What an issue is known by, to find those that are like it. */
export interface IssueSignatureTable {
  issue_id: number
  project_id: number
  /** JSON: functions, type and words of an event of it. */
  features: JsonText
  made_at: Instant
}

/** One part of a signature: issues that share one may be alike. */
export interface IssueBandTable {
  project_id: number
  /** Number of the band and its hash. */
  band: number
  issue_id: number
}

declare module '../../storage/ledger/schema.ts' {
  interface LedgerSchema {
    issue_signatures: IssueSignatureTable
    issue_bands: IssueBandTable
  }
}
