/**
 * What there is of profiles, narrow: their samples are blobs. A continuous profile has a row for each of its chunks. What
 * is sent twice has the same key and is merged into one row; who reads before that asks for one of each.
 */
const SETTINGS = [
  'non_replicated_deduplication_window = 1000',
  'fsync_after_insert = 1',
  'fsync_part_directory = 1',
  'min_rows_to_fsync_after_merge = 1',
].join(', ')

export const statements: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS profiles (
    organization_id UInt32,
    project_id UInt64 CODEC(ZSTD(1)),
    profile_id UUID CODEC(NONE),
    profiler_id UUID CODEC(ZSTD(1)),
    trace_id UUID CODEC(ZSTD(1)),
    transaction_id UUID CODEC(ZSTD(1)),
    segment_id UInt64 CODEC(ZSTD(1)),
    transaction LowCardinality(String),
    timestamp DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
    start_micros UInt16 CODEC(ZSTD(1)),
    duration UInt64 CODEC(ZSTD(1)),
    threads Array(String) CODEC(ZSTD(1)),
    active_thread LowCardinality(String),
    platform LowCardinality(String),
    release LowCardinality(String),
    environment LowCardinality(String),
    sdk LowCardinality(String),
    samples UInt32 CODEC(ZSTD(1)),
    blob_key String CODEC(ZSTD(1)),
    received DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
    INDEX by_profile_id profile_id TYPE bloom_filter(0.001) GRANULARITY 1,
    INDEX by_profiler_id profiler_id TYPE bloom_filter(0.001) GRANULARITY 1,
    INDEX by_trace_id trace_id TYPE bloom_filter(0.001) GRANULARITY 1
  )
  ENGINE = ReplacingMergeTree
  PARTITION BY toMonday(timestamp)
  ORDER BY (project_id, toStartOfHour(timestamp), transaction, timestamp, profile_id)
  SETTINGS ${SETTINGS}`,
]
