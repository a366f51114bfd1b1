/**
 * The ledger's tables, in one dialect for SQLite and PostgreSQL: instants are milliseconds since the epoch (integer),
 * booleans are 0 or 1, structured values are JSON text, ids are integers that are never used twice.
 *
 * Each capability adds its own tables to `LedgerSchema` in its `ledger/schema.ts`, beside the migrations that make them; a
 * test compares the two.
 */

export type Flag = 0 | 1

/** Milliseconds since the epoch. */
export type Instant = number

export type JsonText = string

/** Progress of the digest, one row per spool. The pending batch is repeated after a crash. */
export interface DigestProgressTable {
  spool: string
  /** Of the spool, 1, 2, 3 …; null for one that was read before spools had numbers. */
  number: number | null
  batch: number
  segment: number
  offset: number
  pending_segment: number | null
  pending_offset: number | null
  /** Item types that only waited for their capability when the pending batch was made; null when nobody noted it. */
  waiting_types: JsonText | null
  updated_at: Instant
}

/** Stored blobs; one may be deleted once it is older than its organisation keeps data. */
export interface BlobTable {
  key: string
  organization_id: number
  bytes: number
  /** Something is about to name it: it stays until then, however old it is. 0 where nothing is. */
  needed_until: Instant
  /** The last time that it came; 0 while nothing names it yet. */
  received_at: Instant
}

/** A blob that something needs no longer: it goes unless something else names it. */
export interface BlobReleaseTable {
  key: string
  /** What it is freed for, e.g. a deletion that somebody asked for. */
  freed_for: string | null
  /** That it takes in the store, noted before it is removed; only of what is freed for something. */
  stored_bytes: number | null
}

/** What was given back for something that somebody asked for. */
export interface BlobFreedTable {
  freed_for: string
  bytes: number
  /** Whether what is released now is released for it. */
  is_under_way: Flag
}

/** What of the ledger names a blob, e.g. the parts into which something was cut. What telemetry names stands there alone. */
export interface BlobHolderTable {
  holder: string
  key: string
}

/** What is known of the installation: the secret for signing, the data format's version, … */
export interface InstallationTable {
  key: string
  value: string
}

export interface LedgerSchema {
  digest_progress: DigestProgressTable
  blobs: BlobTable
  blob_releases: BlobReleaseTable
  blob_freed: BlobFreedTable
  blob_holders: BlobHolderTable
  installation: InstallationTable
}
