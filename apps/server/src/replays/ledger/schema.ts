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

declare module '../../storage/ledger/schema.ts' {
  interface LedgerSchema {
    replay_views: ReplayViewerTable
    replay_deletions: ReplayDeletionTable
    replay_packs: ReplayPackTable
  }
}
