/**
 * How runs of monitors ended, those that never came among them, by when that was decided: a run is missed minutes after it
 * was due, and that is when an alert has to know of it. `id` is the ledger's number of the result, so that what is written
 * again is the same row.
 */
const SETTINGS = [
  'non_replicated_deduplication_window = 1000',
  'fsync_after_insert = 1',
  'fsync_part_directory = 1',
  'min_rows_to_fsync_after_merge = 1',
].join(', ')

export const statements: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS check_in_results (
    organization_id UInt32,
    project_id UInt64 CODEC(ZSTD(1)),
    decided DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
    id UInt64 CODEC(Delta, ZSTD(1)),
    monitor LowCardinality(String),
    environment LowCardinality(String),
    status LowCardinality(String),
    is_late Bool CODEC(ZSTD(1)),
    duration Float64 CODEC(ZSTD(1)),
    release LowCardinality(String)
  )
  ENGINE = ReplacingMergeTree
  PARTITION BY toMonday(decided)
  ORDER BY (project_id, decided, id)
  SETTINGS ${SETTINGS}`,
]
