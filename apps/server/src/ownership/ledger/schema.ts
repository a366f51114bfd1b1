import type { Flag, Instant, JsonText } from '../../storage/ledger/schema.ts'

/** Who owns what in a project, and what follows from it. */
export interface OwnershipTable {
  project_id: number
  /** Lines `type:pattern owner…`. */
  rules: string
  /** A CODEOWNERS file; null for none. */
  codeowners: string | null
  /** JSON: name in the file → e-mail of a member, or `#` and the slug of a team. */
  names: JsonText
  walk: 'frames' | 'sentry'
  auto_assignment: Flag
  /** Whether alerts for owners reach others where nobody owns the issue: those whom the alert says, or nobody. */
  fallthrough: Flag
  created_at: Instant
  changed_at: Instant
  codeowners_created_at: Instant | null
  codeowners_changed_at: Instant | null
}

/** Owners that rules found for an issue when it was new. */
export interface IssueOwnerTable {
  issue_id: number
  /** `user:1` or `team:2`. */
  owner: string
  /** In the order of the line: the first is the one to assign. */
  place: number
  source: 'rules' | 'codeowners'
  /** The line that decided. */
  rule: string
  found_at: Instant
}

declare module '../../storage/ledger/schema.ts' {
  interface LedgerSchema {
    ownership: OwnershipTable
    issue_owners: IssueOwnerTable
  }
}
