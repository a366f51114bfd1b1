/** What is known of few replays: where the visitor was, as the SDK says, and what a phone says of itself. */
export const statements: readonly string[] = [
  'ALTER TABLE replay_segments ADD COLUMN IF NOT EXISTS facts Map(LowCardinality(String), String) CODEC(ZSTD(1))',
]
