import type { Generated } from 'kysely'
import type { Instant, JsonText } from '../../storage/ledger/schema.ts'

/** That those who wrote about an issue are told that it is resolved. An issue has one that is planned at most. */
export interface TellingTable {
  id: Generated<number>
  organization_id: number
  project_id: number
  issue_id: number
  /** Who planned it; null when the project does so by itself. */
  user_id: number | null
  /** `withdrawn` by somebody; `dropped` because the issue was not resolved any more. */
  state: 'planned' | 'sent' | 'withdrawn' | 'dropped'
  /**
   * `release`: until it is first seen; `next`: until one is seen that comes after it; `person`: until somebody says that so
   * many are to be told.
   */
  waits_for: 'nothing' | 'release' | 'next' | 'person'
  /** '' for none. */
  release: string
  /** JSON: by language, what was edited. */
  texts: JsonText
  /** JSON: ids of reports whose writers are not told. */
  left_out: JsonText
  /** People that it told so far. */
  told: number
  /** When it is sent; null while it waits for a release. */
  due_at: Instant | null
  created_at: Instant
  ended_at: Instant | null
}

/** Who was told that an issue is resolved. */
export interface ToldPersonTable {
  issue_id: number
  /** Of the writer of the reports: to recognise, not to read. */
  writer_hash: string
  told_at: Instant
}

/** That all that is kept of a person is erased. The row stays and says who asked for it; whom it was about, it forgets. */
export interface ErasureTable {
  id: Generated<number>
  organization_id: number
  /** Who asked for it; null once they have no account. */
  user_id: number | null
  state: 'planned' | 'running' | 'done' | 'withdrawn'
  /** JSON: the names that are erased, as they were then; empty once it is over. */
  names: JsonText
  /** JSON: what → how many were erased so far, and how many were found that are not yet. */
  counts: JsonText
  /** What was received later stays. */
  asked_at: Instant
  due_at: Instant
  ended_at: Instant | null
  /** Tries that failed, one after the other; 0 after one that did not. */
  attempts: Generated<number>
  /** Why the last of them failed, in plain words; null when it did not. */
  last_error: string | null
  /** When it is tried again; null when nothing failed. */
  retry_at: Instant | null
}

declare module '../../storage/ledger/schema.ts' {
  interface LedgerSchema {
    tellings: TellingTable
    told_people: ToldPersonTable
    erasures: ErasureTable
  }
}
