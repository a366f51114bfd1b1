import type { Generated, Selectable } from 'kysely'
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
  /** That the chunks take in the store; null until they were measured. */
  stored_bytes: number | null
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

/** A replay that somebody wants to keep. */
export interface ReplayStarTable {
  project_id: number
  replay_id: string
  /** Null for somebody who is no user any more. */
  user_id: number | null
  starred_at: Instant
}

/** How long, and in how much space, a project keeps its replays, and what that freed last. */
export interface ReplayKeepingTable {
  project_id: number
  /** Null for as long as the organisation keeps its data. */
  days: number | null
  /** Null for any number of bytes. */
  max_bytes: number | null
  freed_at: Instant | null
  freed_replays: number
  freed_bytes: number
}

/** A deletion of many replays. */
export interface ReplayDeletionJobTable {
  id: Generated<number>
  project_id: number
  /** Who asked for it; null for somebody who is no user any more. */
  user_id: number | null
  created_at: Instant
  updated_at: Instant
  /** Of the replays; null for all times. */
  range_start: Instant | null
  range_end: Instant | null
  environments: JsonText
  query: string
  /** A `ChosenVisitor`; null for what the query finds. */
  visitor: JsonText | null
  status: 'pending' | 'in-progress' | 'completed' | 'failed'
  count_deleted: number
  freed_bytes: number
  /** What it failed of, or ''. */
  error: string
}

export type DeletionJobRow = Selectable<ReplayDeletionJobTable>

declare module '../../storage/ledger/schema.ts' {
  interface LedgerSchema {
    replay_views: ReplayViewerTable
    replay_deletions: ReplayDeletionTable
    replay_packs: ReplayPackTable
    replay_links: ReplayLinkTable
    replay_stars: ReplayStarTable
    replay_keeping: ReplayKeepingTable
    replay_deletion_jobs: ReplayDeletionJobTable
  }
}
