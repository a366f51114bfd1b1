/**
 * What the SDK of a transaction calls it: the id that stands in logs and links. All other spans have none, and so have
 * transactions from before: their id was not kept.
 *
 * In a block of rows few have one, so the column is next to nothing but these 16 bytes each, which never compress.
 */
export const statements: readonly string[] = [
  'ALTER TABLE spans ADD COLUMN IF NOT EXISTS event_id UUID CODEC(ZSTD(1)) AFTER is_segment',
  'ALTER TABLE spans ADD INDEX IF NOT EXISTS by_event_id event_id TYPE bloom_filter(0.001) GRANULARITY 1',
]
