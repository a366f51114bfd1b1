/**
 * What lists and searches read instead of the wide rows. Both are parts of the table's own parts, so that an insert, a
 * repeated insert, a merge, a deletion and an expiry change them together with the rows.
 *
 * `by_issue` has what counts of events and users take, in the order of the table: a twentieth of the columns, in
 * larger steps. It is read under its name (`mergeTreeProjection`), which sees only parts that have it: older parts get
 * theirs before anything reads it. `by_tags` has each tag as `key=value`; parts without it are read the slow way until
 * they are merged or rewritten.
 */
export const statements: readonly string[] = [
  `ALTER TABLE events ADD COLUMN IF NOT EXISTS user_hash UInt64 MATERIALIZED cityHash64(user_key) CODEC(LZ4)`,
  `ALTER TABLE events ADD PROJECTION IF NOT EXISTS by_issue (
    SELECT organization_id, project_id, issue_id, timestamp, environment, user_hash
    ORDER BY project_id, issue_id, timestamp
  )`,
  `ALTER TABLE events MATERIALIZE PROJECTION by_issue SETTINGS mutations_sync = 1`,
  `ALTER TABLE events ADD INDEX IF NOT EXISTS by_tags
    arrayMap((k, v) -> concat(k, '=', v), mapKeys(tags), mapValues(tags)) TYPE text(tokenizer = 'array')`,
  `ALTER TABLE events MATERIALIZE INDEX by_tags SETTINGS mutations_sync = 0`,
]
