/**
 * The way to what one person ran into: rows of one person are few and stand anywhere, so each block says whose it has. Blocks
 * from before are read until they are merged or the index was made for them, which goes on beside the server's work.
 */
export const statements: readonly string[] = [
  `ALTER TABLE events ADD INDEX IF NOT EXISTS by_user_key user_key TYPE bloom_filter(0.01) GRANULARITY 1`,
  `ALTER TABLE events ADD INDEX IF NOT EXISTS by_user_email lowerUTF8(user_email) TYPE bloom_filter(0.01) GRANULARITY 1`,
  `ALTER TABLE segments ADD INDEX IF NOT EXISTS by_user user TYPE bloom_filter(0.01) GRANULARITY 1`,
  `ALTER TABLE logs ADD INDEX IF NOT EXISTS by_user user TYPE bloom_filter(0.01) GRANULARITY 1`,
  `ALTER TABLE events MATERIALIZE INDEX by_user_key SETTINGS mutations_sync = 0`,
  `ALTER TABLE events MATERIALIZE INDEX by_user_email SETTINGS mutations_sync = 0`,
  `ALTER TABLE segments MATERIALIZE INDEX by_user SETTINGS mutations_sync = 0`,
  `ALTER TABLE logs MATERIALIZE INDEX by_user SETTINGS mutations_sync = 0`,
]
