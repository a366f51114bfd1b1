/**
 * Log lines of all SDKs, in the order in which they are read: by project and time, and lines of the same moment in the order
 * in which they were written. What screens read has a column, other attributes are in maps by their type.
 *
 * `id` tells lines of one moment apart. It follows from the bytes that were received, so that what a client sends again is
 * the same line, and is one more than that of the line before it, so that it compresses. What is long of a body stands in a
 * column of its own, which no list reads. `stored` is when the engine took the row: by it the tail knows what is new,
 * however late a line came.
 */
const SETTINGS = [
  'non_replicated_deduplication_window = 1000',
  'fsync_after_insert = 1',
  'fsync_part_directory = 1',
  'min_rows_to_fsync_after_merge = 1',
].join(', ')

export const statements: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS logs (
    organization_id UInt32,
    project_id UInt64 CODEC(ZSTD(1)),
    timestamp DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
    nanos UInt32 CODEC(ZSTD(1)),
    sequence UInt32 CODEC(ZSTD(1)),
    id UInt64 CODEC(Delta, ZSTD(1)),
    level LowCardinality(String),
    severity UInt8 CODEC(ZSTD(1)),
    body String CODEC(ZSTD(1)),
    body_rest String CODEC(ZSTD(1)),
    pattern String CODEC(ZSTD(1)),
    trace_id UUID CODEC(ZSTD(1)),
    span_id UInt64 CODEC(ZSTD(1)),
    environment LowCardinality(String),
    release LowCardinality(String),
    service LowCardinality(String),
    logger LowCardinality(String),
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
    stored DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC') CODEC(Delta, ZSTD(1)),
    INDEX by_trace_id trace_id TYPE bloom_filter(0.001) GRANULARITY 1,
    INDEX by_stored stored TYPE minmax GRANULARITY 1,
    INDEX by_words concat(lowerUTF8(body), lowerUTF8(body_rest)) TYPE text(tokenizer = ngrams(3)) GRANULARITY 1
  )
  ENGINE = ReplacingMergeTree
  PARTITION BY toMonday(timestamp)
  ORDER BY (project_id, timestamp, nanos, sequence, id)
  SETTINGS ${SETTINGS}`,
]
