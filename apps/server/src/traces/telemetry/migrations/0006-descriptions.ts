/**
 * What a span did, without what differs from one time to the next (`describe/`), and how long it waited for its children.
 * Spans from before have none of it: their texts are '', and all of their time is their own.
 *
 * A group is computed when it is asked for: it costs no disk, and few texts have many spans.
 */
export const statements: readonly string[] = [
  'category LowCardinality(String) AFTER op',
  'domain LowCardinality(String) AFTER category',
  'group_text LowCardinality(String) AFTER domain',
  'children_time UInt64 CODEC(ZSTD(1)) AFTER duration',
  "span_group String ALIAS if(group_text = '', '', lower(hex(substring(MD5(group_text), 1, 8))))",
  'self_time UInt64 ALIAS duration - children_time',
].map((column) => `ALTER TABLE spans ADD COLUMN IF NOT EXISTS ${column}`)
