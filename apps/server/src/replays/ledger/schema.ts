import type { Generated } from 'kysely'
import type { Instant, JsonText } from '../../storage/ledger/schema.ts'

/** Somebody opened a replay, the last time then. */
export interface ReplayViewerTable {
  project_id: number
  /** 32 hex characters. */
  replay_id: string
  user_id: number
  viewed_at: Instant
}

/** A replay that was deleted. */
export interface ReplayDeletionTable {
  project_id: number
  /** 32 hex characters. */
  replay_id: string
  deleted_at: Instant
  /** When nothing was left of it, also of what was on its way; null until then. */
  done_at: Instant | null
}

/** A replay that was cut into chunks, which are blobs. */
export interface ReplayPackTable {
  project_id: number
  /** 32 hex characters. */
  replay_id: string
  /** Follows from the segments that made it. */
  version: number
  /** How many they were. */
  segments: number
  /** When the last of them came. */
  last_at: Instant
  /** `[from, to, bytes, nodes, key][]` */
  chunks: JsonText
}

/** A link by which people without an account see a replay. */
export interface ReplayLinkTable {
  id: Generated<number>
  project_id: number
  /** 32 hex characters. */
  replay_id: string
  /** SHA-256 of its token, in hex. */
  token_hash: string
  created_by: number
  created_at: Instant
  expires_at: Instant
  /** The stretch that is shown; null for the beginning and for the end. */
  shown_from: Instant | null
  shown_to: Instant | null
  /** How often it was opened. */
  views: number
  last_viewed_at: Instant | null
}

declare module '../../storage/ledger/schema.ts' {
  interface LedgerSchema {
    replay_views: ReplayViewerTable
    replay_deletions: ReplayDeletionTable
    replay_packs: ReplayPackTable
    replay_links: ReplayLinkTable
  }
}
