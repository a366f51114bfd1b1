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
  /** The job that deletes it; null when somebody deleted it by itself, or limits did. */
  job_id: number | null
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
  /** `HeldNames`; null for a visitor's replays, and for what was asked for before they were kept. */
  names: JsonText | null
  status: 'pending' | 'in-progress' | 'completed' | 'failed'
  count_deleted: number
  freed_bytes: number
  /** What it failed of, or ''. */
  error: string
}

/** Whether a project has pictures, fonts and style sheets of its pages fetched, and from where. */
export interface ReplayAssetSettingsTable {
  project_id: number
  /** 0 or 1. */
  is_on: number
  /** `string[]`, as an admin wrote them. */
  hosts: JsonText
}

/** What was fetched from an address of a recorded page, or is to be; later it may be fetched anew, as another row. */
export interface ReplayAssetTable {
  id: Generated<number>
  project_id: number
  url: string
  /** SHA-256 of the address, in hex. */
  url_hash: string
  /** 0 for one that stands in a page, 1 for one in such a style sheet, and so on. */
  depth: number
  state: 'waiting' | 'kept' | 'failed'
  /** Why it failed, a word; '' otherwise. */
  reason: string
  attempts: number
  /** When it is tried next, while it waits. */
  due_at: Instant
  /** When it was kept, or given up. */
  ended_at: Instant | null
  /** What its bytes are; '' until it is kept. */
  type: string
  bytes: number
  blob_key: string | null
  /** `SheetImport[]` of a style sheet. */
  imports: JsonText
  /** Of a style sheet: how many addresses it names beyond those that are fetched for it. */
  left_out: number
}

/** A replay names it, and has no room for it. */
export interface ReplayAssetLeftOutTable {
  project_id: number
  /** 32 hex characters. */
  replay_id: string
  /** SHA-256 of the address, in hex. */
  url_hash: string
  noted_at: Instant
}

/** A replay has it in one of its pages. */
export interface ReplayAssetUseTable {
  project_id: number
  /** 32 hex characters. */
  replay_id: string
  asset_id: number
  noted_at: Instant
}

/** A style sheet has it. */
export interface ReplayAssetPartTable {
  asset_id: number
  part_id: number
}

/** What a project had fetched in a day. */
export interface ReplayAssetDayTable {
  project_id: number
  /** Days since 1970, UTC. */
  day: number
  requests: number
  bytes: number
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
    replay_asset_settings: ReplayAssetSettingsTable
    replay_assets: ReplayAssetTable
    replay_assets_left_out: ReplayAssetLeftOutTable
    replay_asset_uses: ReplayAssetUseTable
    replay_asset_parts: ReplayAssetPartTable
    replay_asset_days: ReplayAssetDayTable
  }
}
