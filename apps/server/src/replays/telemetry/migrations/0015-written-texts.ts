/** Texts are searched in lower case, and quoted as they stood on the page. Those of before are quoted in lower case. */
export const statements: readonly string[] = [
  'ALTER TABLE replay_texts ADD COLUMN IF NOT EXISTS written String CODEC(ZSTD(1))',
]
