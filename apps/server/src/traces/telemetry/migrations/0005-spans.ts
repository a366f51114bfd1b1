/**
 * Spans of all SDKs, one table; and `segments`, the roots of what each service did, narrow and in the order in which lists
 * of transactions are asked for: a twentieth of the rows.
 *
 * What screens read has a column; other attributes are in maps by their type, which are read for one span, or for a search
 * that names one. `span_id` is random and never compresses. A span that is sent twice (a client repeats what got no answer)
 * has the same key and is merged into one row; who reads before that asks for one of each.
 */
const SETTINGS = [
  'non_replicated_deduplication_window = 1000',
  'fsync_after_insert = 1',
  'fsync_part_directory = 1',
  'min_rows_to_fsync_after_merge = 1',
].join(', ')

export const statements: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS spans (
    organization_id UInt32,
    project_id UInt64 CODEC(ZSTD(1)),
    trace_id UUID CODEC(ZSTD(1)),
    span_id UInt64 CODEC(NONE),
    parent_span_id UInt64 CODEC(ZSTD(1)),
    segment_id UInt64 CODEC(ZSTD(1)),
    is_segment Bool,
    timestamp DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
    start_micros UInt16 CODEC(ZSTD(1)),
    duration UInt64 CODEC(ZSTD(1)),
    name String CODEC(ZSTD(1)),
    description String CODEC(ZSTD(1)),
    op LowCardinality(String),
    status LowCardinality(String),
    origin LowCardinality(String),
    kind LowCardinality(String),
    transaction LowCardinality(String),
    environment LowCardinality(String),
    release LowCardinality(String),
    platform LowCardinality(String),
    sdk_name LowCardinality(String),
    sdk_version LowCardinality(String),
    service LowCardinality(String),
    user String CODEC(ZSTD(1)),
    http_method LowCardinality(String),
    http_status UInt16 CODEC(ZSTD(1)),
    url String CODEC(ZSTD(1)),
    browser LowCardinality(String),
    os LowCardinality(String),
    device LowCardinality(String),
    country LowCardinality(String),
    replay_id String CODEC(ZSTD(1)),
    sample_rate Float32 CODEC(ZSTD(1)),
    strings Map(LowCardinality(String), String) CODEC(ZSTD(1)),
    numbers Map(LowCardinality(String), Float64) CODEC(ZSTD(1)),
    flags Map(LowCardinality(String), Bool) CODEC(ZSTD(1)),
    lists Map(LowCardinality(String), String) CODEC(ZSTD(1)),
    links String CODEC(ZSTD(1)),
    notes Array(String) CODEC(ZSTD(1)),
    received DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
    INDEX by_trace_id trace_id TYPE bloom_filter(0.001) GRANULARITY 1
  )
  ENGINE = ReplacingMergeTree
  PARTITION BY toMonday(timestamp)
  ORDER BY (project_id, toStartOfHour(timestamp), trace_id, span_id, timestamp)
  SETTINGS ${SETTINGS}`,

  `CREATE TABLE IF NOT EXISTS segments (
    organization_id UInt32,
    project_id UInt64 CODEC(ZSTD(1)),
    timestamp DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
    trace_id UUID CODEC(ZSTD(1)),
    span_id UInt64 CODEC(NONE),
    transaction LowCardinality(String),
    op LowCardinality(String),
    status LowCardinality(String),
    duration UInt64 CODEC(ZSTD(1)),
    environment LowCardinality(String),
    release LowCardinality(String),
    user String CODEC(ZSTD(1)),
    sample_rate Float32 CODEC(ZSTD(1)),
    http_status UInt16 CODEC(ZSTD(1)),
    browser LowCardinality(String),
    device LowCardinality(String),
    country LowCardinality(String),
    vitals Map(LowCardinality(String), Float64) CODEC(ZSTD(1))
  )
  ENGINE = ReplacingMergeTree
  PARTITION BY toMonday(timestamp)
  ORDER BY (project_id, toStartOfHour(timestamp), transaction, timestamp, span_id)
  SETTINGS ${SETTINGS}`,
]
