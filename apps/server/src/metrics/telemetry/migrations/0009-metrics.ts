/**
 * Values that were measured, in the order in which they are read: by project, name and time. Attributes without a column of
 * their own are in maps by their type.
 *
 * `id` tells values of one moment apart. It follows from the bytes that were received, so that what a client sends again is
 * the same value. `weight` is how often it was measured: a part of a histogram is one row.
 */
const SETTINGS = [
  'non_replicated_deduplication_window = 1000',
  'fsync_after_insert = 1',
  'fsync_part_directory = 1',
  'min_rows_to_fsync_after_merge = 1',
].join(', ')

export const statements: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS metrics (
    organization_id UInt32,
    project_id UInt64 CODEC(ZSTD(1)),
    name String CODEC(ZSTD(1)),
    type LowCardinality(String),
    unit LowCardinality(String),
    timestamp DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
    nanos UInt32 CODEC(ZSTD(1)),
    sequence UInt32 CODEC(ZSTD(1)),
    id UInt64 CODEC(Delta, ZSTD(1)),
    value Float64 CODEC(ZSTD(1)),
    weight Float64 CODEC(ZSTD(1)),
    trace_id UUID CODEC(ZSTD(1)),
    span_id UInt64 CODEC(ZSTD(1)),
    environment LowCardinality(String),
    release LowCardinality(String),
    service LowCardinality(String),
    server LowCardinality(String),
    sdk_name LowCardinality(String),
    sdk_version LowCardinality(String),
    origin LowCardinality(String),
    user String CODEC(ZSTD(1)),
    payload_size UInt32 CODEC(ZSTD(1)),
    strings Map(LowCardinality(String), String) CODEC(ZSTD(1)),
    numbers Map(LowCardinality(String), Float64) CODEC(ZSTD(1)),
    flags Map(LowCardinality(String), Bool) CODEC(ZSTD(1)),
    lists Map(LowCardinality(String), String) CODEC(ZSTD(1)),
    notes Array(String) CODEC(ZSTD(1)),
    received DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
    INDEX by_trace_id trace_id TYPE bloom_filter(0.001) GRANULARITY 1,
    INDEX by_time timestamp TYPE minmax GRANULARITY 1
  )
  ENGINE = ReplacingMergeTree
  PARTITION BY toMonday(timestamp)
  ORDER BY (project_id, name, timestamp, nanos, sequence, id)
  SETTINGS ${SETTINGS}`,
]
