/**
 * What alerts count of reports: a row beside each report of the ledger that was not held for spam, under its event id. It
 * is told from others by when it came and by that id, so that what is written again is the same row. Who deletes a report
 * deletes its row.
 */
const SETTINGS = [
  'non_replicated_deduplication_window = 1000',
  'fsync_after_insert = 1',
  'fsync_part_directory = 1',
  'min_rows_to_fsync_after_merge = 1',
].join(', ')

export const statements: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS feedback_reports (
    organization_id UInt32,
    project_id UInt64 CODEC(ZSTD(1)),
    received DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
    id UUID CODEC(NONE),
    source LowCardinality(String),
    message String CODEC(ZSTD(1)),
    user String CODEC(ZSTD(1)),
    user_email String CODEC(ZSTD(1)),
    url String CODEC(ZSTD(1)),
    browser LowCardinality(String),
    os LowCardinality(String),
    environment LowCardinality(String),
    release LowCardinality(String),
    attachments UInt32 CODEC(ZSTD(1)),
    replay_id UUID CODEC(ZSTD(1)),
    trace_id UUID CODEC(ZSTD(1)),
    tags Map(LowCardinality(String), String) CODEC(ZSTD(1))
  )
  ENGINE = ReplacingMergeTree
  PARTITION BY toMonday(received)
  ORDER BY (project_id, received, id)
  SETTINGS ${SETTINGS}`,
]
