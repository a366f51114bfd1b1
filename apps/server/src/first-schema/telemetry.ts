const SETTINGS = [
  'non_replicated_deduplication_window = 1000',
  // The spool forgets what telemetry has acknowledged, so an acknowledged row must survive power loss.
  'fsync_after_insert = 1',
  'fsync_part_directory = 1',
  'min_rows_to_fsync_after_merge = 1',
].join(', ')

/**
 * First shape of the telemetry. One statement per array element; each may be repeated without harm.
 *
 * Tables keep rows of all organisations; every query names `organization_id` or a `project_id` that was checked to
 * belong to it. Partitions are weeks, so that retention drops whole parts; the deduplication window makes a repeated
 * batch a no-op (`insert_deduplication_token`).
 *
 * Free text is searched with `search_text LIKE {pattern:String}`, the pattern in lower case: the column holds title,
 * message and error values in lower case and has an index of their trigrams (ClickHouse 26.2 or newer).
 */
export const statements: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS events (
    organization_id UInt32,
    project_id UInt64 CODEC(ZSTD(1)),
    issue_id UInt64,
    event_id UUID,
    timestamp DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
    received DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
    type LowCardinality(String),
    level LowCardinality(String),
    platform LowCardinality(String),
    logger LowCardinality(String),
    environment LowCardinality(String),
    release LowCardinality(String),
    dist LowCardinality(String),
    transaction LowCardinality(String),
    server_name LowCardinality(String),
    title String CODEC(ZSTD(1)),
    message String CODEC(ZSTD(1)),
    culprit LowCardinality(String),
    unhandled Bool,
    error_types Array(LowCardinality(String)),
    error_values Array(String) CODEC(ZSTD(1)),
    error_mechanisms Array(LowCardinality(String)),
    stack_functions Array(LowCardinality(String)),
    stack_filenames Array(LowCardinality(String)),
    stack_modules Array(LowCardinality(String)),
    user_key String CODEC(ZSTD(1)),
    user_id String CODEC(ZSTD(1)),
    user_email String CODEC(ZSTD(1)),
    user_username String CODEC(ZSTD(1)),
    user_ip String CODEC(ZSTD(1)),
    http_method LowCardinality(String),
    http_url String CODEC(ZSTD(1)),
    trace_id String CODEC(ZSTD(1)),
    span_id String CODEC(ZSTD(1)),
    replay_id String CODEC(ZSTD(1)),
    sdk_name LowCardinality(String),
    sdk_version LowCardinality(String),
    tags Map(LowCardinality(String), String) CODEC(ZSTD(1)),
    search_text String CODEC(LZ4),
    payload String CODEC(ZSTD(3)),
    INDEX by_search_text search_text TYPE text(tokenizer = ngrams(3)) GRANULARITY 1,
    INDEX by_event_id event_id TYPE bloom_filter(0.01) GRANULARITY 4,
    INDEX by_trace_id trace_id TYPE bloom_filter(0.01) GRANULARITY 4,
    INDEX by_time timestamp TYPE minmax GRANULARITY 1
  )
  ENGINE = MergeTree
  PARTITION BY toMonday(timestamp)
  ORDER BY (project_id, issue_id, timestamp, event_id)
  SETTINGS ${SETTINGS}`,

  `CREATE TABLE IF NOT EXISTS outcomes (
    organization_id UInt32,
    project_id UInt64 CODEC(ZSTD(1)),
    key_id UInt32,
    timestamp DateTime('UTC'),
    outcome LowCardinality(String),
    reason LowCardinality(String),
    item_type LowCardinality(String),
    category LowCardinality(String),
    sdk LowCardinality(String),
    quantity UInt64,
    bytes UInt64
  )
  ENGINE = SummingMergeTree((quantity, bytes))
  PARTITION BY toMonday(timestamp)
  ORDER BY (organization_id, project_id, timestamp, outcome, reason, item_type, category, sdk, key_id)
  SETTINGS ${SETTINGS}`,

  `CREATE TABLE IF NOT EXISTS kept_items (
    organization_id UInt32,
    project_id UInt64 CODEC(ZSTD(1)),
    id FixedString(32),
    item_type LowCardinality(String),
    event_id String,
    trace_id String,
    received DateTime64(3, 'UTC'),
    envelope_header String CODEC(ZSTD(1)),
    item_header String CODEC(ZSTD(1)),
    filename String CODEC(ZSTD(1)),
    content_type LowCardinality(String),
    bytes UInt64,
    payload String CODEC(ZSTD(3)),
    blob_key String,
    INDEX by_event_id event_id TYPE bloom_filter(0.01) GRANULARITY 4
  )
  ENGINE = MergeTree
  PARTITION BY toMonday(received)
  ORDER BY (project_id, item_type, received, id)
  SETTINGS ${SETTINGS}`,
]
