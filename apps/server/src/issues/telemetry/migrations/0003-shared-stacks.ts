/**
 * Frames that many events have in common: an event names them by a hash of their text (`"frames": {"stack": id}` in its
 * payload), and they are stored once for each project and week.
 *
 * They expire with the events of their week: `kept_until` is its Sunday, so that the same rule of retention and the same
 * partitions hold for both. Who cannot know whether a stack is there writes it again, and merges keep one. Small
 * granules, because one stack is read at a time.
 */
export const statements: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS stacks (
    organization_id UInt32,
    project_id UInt64 CODEC(ZSTD(1)),
    id FixedString(32),
    kept_until DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
    frames String CODEC(ZSTD(3))
  )
  ENGINE = ReplacingMergeTree
  PARTITION BY toMonday(kept_until)
  ORDER BY (project_id, id)
  SETTINGS index_granularity_bytes = 262144, non_replicated_deduplication_window = 1000, fsync_after_insert = 1,
    fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1`,
]
