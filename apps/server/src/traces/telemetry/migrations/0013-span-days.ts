/**
 * Spans of whole days, summed up (`days/`): one row for all that are equal in these columns and last about as long. It is
 * a fraction of the rows, without any that came twice, for questions that ask for no more. A day is a partition, so that it
 * goes and comes again as a whole.
 *
 * `bucket` is the first 14 bits behind the sign of the duration as a Float32: 64 buckets from each power of two to the next.
 */
export const statements: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS span_days (
    organization_id UInt32,
    project_id UInt64 CODEC(ZSTD(1)),
    timestamp DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
    is_segment Bool,
    op LowCardinality(String),
    status LowCardinality(String),
    environment LowCardinality(String),
    platform LowCardinality(String),
    service LowCardinality(String),
    bucket UInt16 CODEC(ZSTD(1)),
    duration Float64 CODEC(ZSTD(1)),
    rows UInt64 CODEC(ZSTD(1)),
    weight Float64 CODEC(ZSTD(1)),
    varied Float64 CODEC(ZSTD(1)),
    of_spans UInt64 CODEC(ZSTD(1))
  )
  ENGINE = MergeTree
  PARTITION BY toDate(timestamp)
  ORDER BY (op, is_segment, status, environment, platform, service, bucket, project_id)
  SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1`,
]
