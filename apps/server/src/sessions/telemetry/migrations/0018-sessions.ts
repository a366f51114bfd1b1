/**
 * Sessions as they were told of: an update of one is a row, and so is a count of many. Nothing is added up when it comes,
 * so that what comes twice, late or in another order changes no number: who reads takes the updates of a session together.
 *
 * `id` follows from the bytes that were received, so that what a client sends again is the same row. `user` is a number that
 * only tells one person from another: who it was is not kept. `rank` is the place of the status in `STATUSES`.
 */
const SETTINGS = [
  'non_replicated_deduplication_window = 1000',
  'fsync_after_insert = 1',
  'fsync_part_directory = 1',
  'min_rows_to_fsync_after_merge = 1',
].join(', ')

export const statements: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS session_updates (
    organization_id UInt32,
    project_id UInt64 CODEC(ZSTD(1)),
    started DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
    session UUID CODEC(ZSTD(1)),
    id UInt64 CODEC(ZSTD(1)),
    at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
    sequence UInt64 CODEC(ZSTD(1)),
    is_first Bool CODEC(ZSTD(1)),
    rank UInt8 CODEC(ZSTD(1)),
    errors UInt32 CODEC(ZSTD(1)),
    duration Float64 CODEC(ZSTD(1)),
    user UInt64 CODEC(ZSTD(1)),
    release LowCardinality(String),
    environment LowCardinality(String),
    mechanism LowCardinality(String),
    received DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1))
  )
  ENGINE = ReplacingMergeTree
  PARTITION BY toMonday(started)
  ORDER BY (project_id, started, session, id)
  SETTINGS ${SETTINGS}`,
  `CREATE TABLE IF NOT EXISTS session_counts (
    organization_id UInt32,
    project_id UInt64 CODEC(ZSTD(1)),
    started DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
    id UInt64 CODEC(Delta, ZSTD(1)),
    exited UInt32 CODEC(ZSTD(1)),
    errored UInt32 CODEC(ZSTD(1)),
    unhandled UInt32 CODEC(ZSTD(1)),
    abnormal UInt32 CODEC(ZSTD(1)),
    crashed UInt32 CODEC(ZSTD(1)),
    user UInt64 CODEC(ZSTD(1)),
    release LowCardinality(String),
    environment LowCardinality(String),
    received DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1))
  )
  ENGINE = ReplacingMergeTree
  PARTITION BY toMonday(started)
  ORDER BY (project_id, started, id)
  SETTINGS ${SETTINGS}`,
]
