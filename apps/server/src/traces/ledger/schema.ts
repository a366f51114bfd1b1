import type { Flag, Instant, JsonText } from '../../storage/ledger/schema.ts'

/** A rule by which transactions of a project are called. */
export interface NameRuleTable {
  project_id: number
  pattern: string
  /** A member made it; otherwise it was learned. */
  is_own: Flag
  /** Learned, but nobody wants it. */
  is_refused: Flag
  made_at: Instant
  /** When it named something last. */
  last_at: Instant | null
  /** `NameUse` */
  uses: JsonText
}

/** What is known of the names of a project's transactions. */
export interface KnownNamesTable {
  project_id: number
  /** Of `NameTree`. */
  tree: JsonText
  /** `NamesSeen` */
  seen: JsonText
  changed_at: Instant
}

/** A day (UTC) of spans. */
export interface SpanDayTable {
  /** Days since the epoch. */
  day: number
  /** Rows that batches of the digest brought, those that came twice among them: it only grows. */
  spans: number
  /** When it grew last. */
  changed_at: Instant
  /** `spans` when the day was summed up; null when it never was. The sums are true while the two are equal. */
  summed: number | null
}

declare module '../../storage/ledger/schema.ts' {
  interface LedgerSchema {
    name_rules: NameRuleTable
    known_names: KnownNamesTable
    span_days: SpanDayTable
  }
}
