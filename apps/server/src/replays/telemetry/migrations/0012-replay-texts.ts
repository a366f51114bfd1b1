/**
 * What stood on recorded pages, one row for each text of a segment, in the moment at which it first stood there. The index of
 * its trigrams serves words anywhere in it. A replay whose segments have no text was masked, or has no picture.
 */
const SETTINGS = [
  'non_replicated_deduplication_window = 1000',
  'fsync_after_insert = 1',
  'fsync_part_directory = 1',
  'min_rows_to_fsync_after_merge = 1',
].join(', ')

export const statements: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS replay_texts (
    organization_id UInt32,
    project_id UInt64 CODEC(ZSTD(1)),
    replay_id UUID CODEC(ZSTD(1)),
    id UInt64 CODEC(Delta, ZSTD(1)),
    timestamp DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
    text String CODEC(ZSTD(1)),
    INDEX by_replay_id replay_id TYPE bloom_filter(0.001) GRANULARITY 1,
    INDEX by_words text TYPE text(tokenizer = ngrams(3)) GRANULARITY 1
  )
  ENGINE = ReplacingMergeTree
  PARTITION BY toMonday(timestamp)
  ORDER BY (project_id, toStartOfHour(timestamp), replay_id, timestamp, id)
  SETTINGS ${SETTINGS}`,
  'ALTER TABLE replay_segments ADD COLUMN IF NOT EXISTS texts UInt32 CODEC(ZSTD(1))',
  'ALTER TABLE replay_segments ADD COLUMN IF NOT EXISTS texts_left_out UInt32 CODEC(ZSTD(1))',
]
