/**
 * What grouping decided when the event was stored (`stored-grouping.ts`), so that a change of rules changes nothing that
 * was decided before. Empty for events of before this migration. Events of one issue stand together and mostly have the
 * same text here, so that it compresses to almost nothing.
 */
export const statements: readonly string[] = [
  `ALTER TABLE events ADD COLUMN IF NOT EXISTS grouping String CODEC(ZSTD(1)) AFTER search_text`,
]
