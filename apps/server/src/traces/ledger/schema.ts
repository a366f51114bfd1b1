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

declare module '../../storage/ledger/schema.ts' {
  interface LedgerSchema {
    name_rules: NameRuleTable
    known_names: KnownNamesTable
  }
}
