import type { Generated } from 'kysely'
import type { Instant } from '../../storage/ledger/schema.ts'

/** A question to a dataset, kept under a name. */
export interface SavedQueryTable {
  id: Generated<number>
  organization_id: number
  /** Who made it; null once they left. Unless it is shared, nobody else sees it. */
  user_id: number | null
  /** 1: everybody of the organisation sees it. */
  shared: number
  name: string
  /** JSON. */
  query: string
  created_at: Instant
  updated_at: Instant
}

declare module '../../storage/ledger/schema.ts' {
  interface LedgerSchema {
    saved_queries: SavedQueryTable
  }
}
