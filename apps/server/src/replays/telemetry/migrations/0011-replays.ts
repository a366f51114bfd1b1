/**
 * Segments of replays, narrow: what was recorded is a blob. A replay is all rows with its id; lists sum them up when they
 * are read, so that segments may come in any order. What is sent twice has the same `id` and is merged into one row; who
 * reads before that asks for one of each. The same number with other bytes is another row.
 *
 * `replay_marks` has what happened in a segment: each moment that is shown, or searched for.
 */
const SETTINGS = [
  'non_replicated_deduplication_window = 1000',
  'fsync_after_insert = 1',
  'fsync_part_directory = 1',
  'min_rows_to_fsync_after_merge = 1',
].join(', ')

export const statements: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS replay_segments (
    organization_id UInt32,
    project_id UInt64 CODEC(ZSTD(1)),
    replay_id UUID CODEC(ZSTD(1)),
    segment_id UInt32 CODEC(ZSTD(1)),
    id UUID CODEC(NONE),
    timestamp DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
    ended DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
    replay_start DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
    shift_ms Int64 CODEC(ZSTD(1)),
    replay_type LowCardinality(String),
    urls Array(String) CODEC(ZSTD(1)),
    error_ids Array(UUID) CODEC(ZSTD(1)),
    trace_ids Array(UUID) CODEC(ZSTD(1)),
    environment LowCardinality(String),
    release LowCardinality(String),
    dist LowCardinality(String),
    platform LowCardinality(String),
    user_id String CODEC(ZSTD(1)),
    user_email String CODEC(ZSTD(1)),
    user_name String CODEC(ZSTD(1)),
    user_ip String CODEC(ZSTD(1)),
    browser_name LowCardinality(String),
    browser_version LowCardinality(String),
    os_name LowCardinality(String),
    os_version LowCardinality(String),
    device_name LowCardinality(String),
    device_brand LowCardinality(String),
    device_model LowCardinality(String),
    device_family LowCardinality(String),
    sdk_name LowCardinality(String),
    sdk_version LowCardinality(String),
    tags Map(LowCardinality(String), String) CODEC(ZSTD(1)),
    clicks UInt32 CODEC(ZSTD(1)),
    dead_clicks UInt32 CODEC(ZSTD(1)),
    rage_clicks UInt32 CODEC(ZSTD(1)),
    events UInt32 CODEC(ZSTD(1)),
    refused_events UInt32 CODEC(ZSTD(1)),
    marks_left_out UInt32 CODEC(ZSTD(1)),
    active Array(Int64) CODEC(ZSTD(1)),
    has_snapshot Bool CODEC(ZSTD(1)),
    bytes UInt32 CODEC(ZSTD(1)),
    raw_bytes UInt32 CODEC(ZSTD(1)),
    canvas_bytes UInt32 CODEC(ZSTD(1)),
    video_bytes UInt32 CODEC(ZSTD(1)),
    blob_key String CODEC(ZSTD(1)),
    video_key String CODEC(ZSTD(1)),
    broken LowCardinality(String),
    received DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
    INDEX by_replay_id replay_id TYPE bloom_filter(0.001) GRANULARITY 1
  )
  ENGINE = ReplacingMergeTree
  PARTITION BY toMonday(timestamp)
  ORDER BY (project_id, toStartOfHour(timestamp), replay_id, segment_id, timestamp, id)
  SETTINGS ${SETTINGS}`,
  `CREATE TABLE IF NOT EXISTS replay_marks (
    organization_id UInt32,
    project_id UInt64 CODEC(ZSTD(1)),
    replay_id UUID CODEC(ZSTD(1)),
    id UInt64 CODEC(Delta, ZSTD(1)),
    timestamp DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
    kind LowCardinality(String),
    text String CODEC(ZSTD(1)),
    url String CODEC(ZSTD(1)),
    node_id Int64 CODEC(ZSTD(1)),
    selector String CODEC(ZSTD(1)),
    tag LowCardinality(String),
    element_id String CODEC(ZSTD(1)),
    classes Array(String) CODEC(ZSTD(1)),
    role LowCardinality(String),
    alt String CODEC(ZSTD(1)),
    testid String CODEC(ZSTD(1)),
    aria_label String CODEC(ZSTD(1)),
    title String CODEC(ZSTD(1)),
    component LowCardinality(String),
    value Nullable(Float64) CODEC(ZSTD(1)),
    duration Nullable(Float64) CODEC(ZSTD(1)),
    status UInt16 CODEC(ZSTD(1)),
    detail Map(LowCardinality(String), String) CODEC(ZSTD(1)),
    INDEX by_replay_id replay_id TYPE bloom_filter(0.001) GRANULARITY 1
  )
  ENGINE = ReplacingMergeTree
  PARTITION BY toMonday(timestamp)
  ORDER BY (project_id, toStartOfHour(timestamp), replay_id, timestamp, id)
  SETTINGS ${SETTINGS}`,
]
