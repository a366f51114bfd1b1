/** Limits of both stores, the blobs, and retention. */
export const LIMITS = {
  RETENTION_DEFAULT_DAYS: 90,
  /** Statements that the embedded telemetry engine runs at once; more wait. */
  ENGINE_CONCURRENT_STATEMENTS: 4,
  ENGINE_QUEUED_STATEMENTS: 256,
  /** One insert, uncompressed. */
  ENGINE_BODY_BYTES: 128 * 1024 * 1024,
  /** Inserted bytes after which the engine's process collects its garbage. */
  ENGINE_UNCOLLECTED_BYTES: 16 * 1024 * 1024,
  /** Parameters of a query travel in the URL. */
  ENGINE_HEADER_BYTES: 4 * 1024 * 1024,
  /** How long another process may still hold the telemetry folder, e.g. the one that is just ending. */
  ENGINE_LOCK_WAIT_MS: 30_000,
  ENGINE_START_TIMEOUT_MS: 60_000,
  /** How long running statements may take at shutdown before the engine is killed. */
  ENGINE_STOP_TIMEOUT_MS: 20_000,
  /** How often the engine is asked for a sign of life, and how long it may take over it. */
  ENGINE_PING_INTERVAL_MS: 2000,
  ENGINE_PING_TIMEOUT_MS: 5000,
  /** Pings without an answer, one after the other, after which reads are refused, and after which the engine is killed. */
  ENGINE_PINGS_SILENT: 2,
  ENGINE_PINGS_MISSED: 3,
  ENGINE_RESTART_DELAY_MS: 200,
  ENGINE_RESTART_DELAY_MAXIMUM_MS: 30_000,
  /** Free space of its volume below which the engine begins no insert and no merge. */
  ENGINE_RESERVE_BYTES: 96 * 1024 * 1024,
  /** Free space of its volume below which each insert is answered only after a look at what it wrote. */
  ENGINE_LOW_SPACE_BYTES: 1024 * 1024 * 1024,
  /** For so long after space was low the size of what is written is looked at as well. */
  ENGINE_LOW_SPACE_REMEMBERED_MS: 60_000,
  /** How often the engine looks whether what it wrote is whole. Merged parts stay on disk for 30 s longer. */
  ENGINE_PARTS_LOOK_INTERVAL_MS: 10_000,
  TELEMETRY_REQUEST_TIMEOUT_MS: 60_000,
  /** How long the engine works on one statement. */
  TELEMETRY_READ_SECONDS: 30,
  /** After so long a statement is asked once more for which others left no memory. */
  TELEMETRY_MEMORY_RETRY_MS: 250,
  /** Of the embedded engine's statements at once, how many the callers of one organisation have; one is never a caller's. */
  ENGINE_READS_PER_ORGANIZATION: 2,
  /** Reads that wait for their turn at the telemetry, of all callers and of one. */
  TELEMETRY_READS_WAITING: 200,
  TELEMETRY_READS_WAITING_PER_CALLER: 50,
  /** Connections of one client to the telemetry. */
  TELEMETRY_CONNECTIONS: 32,
  /** Of the connections to a ClickHouse server, how many all callers read with at once; the others are never a caller's. */
  CLICKHOUSE_READS: 24,
  /** Of these, how many the callers of one organisation have, and one caller. */
  CLICKHOUSE_READS_PER_ORGANIZATION: 12,
  CLICKHOUSE_READS_PER_CALLER: 6,
  S3_RETRIES: 3,
  S3_TIMEOUT_MS: 60_000,
  /** Objects whose sizes are asked for at the same time. */
  S3_SIZES_AT_ONCE: 16,
  /** Of blobs that come together, how many are packed and sent at the same time. */
  S3_PUTS_AT_ONCE: 4,
  /** The same where they are files: writing them shares four threads with the spool, which must not wait for them. */
  BLOB_FILES_AT_ONCE: 2,
  /** A blob that is read whole, unpacked; what may be larger is read piece by piece. */
  BLOB_WHOLE_BYTES: 256 * 1024 * 1024,
  /** A file goes into a bucket in parts of this size. */
  S3_PART_BYTES: 8 * 1024 * 1024,
  /** How long a writer waits for another one in the ledger. */
  LEDGER_BUSY_TIMEOUT_MS: 10_000,
  LEDGER_STATEMENT_CACHE: 256,
  /**
   * How long one statement that a caller of the API reads with may take, and how long it may wait for its turn. On
   * PostgreSQL, one that changes something, too.
   */
  LEDGER_READ_TIMEOUT_MS: 5000,
  /** Threads that read a SQLite ledger beside each other, as far as they are needed. The last one is never a caller's. */
  LEDGER_READERS: 4,
  /** A thread that reads or writes and was not needed for so long ends. The next one that is needed is started. */
  LEDGER_THREAD_IDLE_MS: 20_000,
  /** Of these, how many the callers of one organisation have at once. One caller has one. */
  LEDGER_READERS_PER_ORGANIZATION: 2,
  /** Statements of callers that wait for their turn at the ledger, of all and of one caller; more are refused. */
  LEDGER_READS_WAITING: 1000,
  LEDGER_READS_WAITING_PER_CALLER: 200,
  /** Free pages (4 kB) that one step of the vacuum gives back. */
  LEDGER_VACUUM_PAGES: 500,
  /** Blobs that one step of housekeeping removes. */
  HOUSEKEEPING_BLOBS: 200,
  /** Time in which a deletion can be undone; after it, the rows go. */
  DELETION_UNDO_MS: 10 * 60_000,
  /** How long housekeeping waits for the telemetry to rewrite one partition. */
  MUTATION_TIMEOUT_MS: 30 * 60_000,
  /** A clock that is so far ahead of when it was last looked at is not believed: nothing is removed for its age. */
  CLOCK_LEAP_MS: 2 * 24 * 60 * 60_000,
  /** It is believed when it has run on from there for so long. */
  CLOCK_TRUST_MS: 2 * 24 * 60 * 60_000,
  LEDGER_TRANSACTION_ATTEMPTS: 10,
  /** Connections to PostgreSQL for what callers ask; as many are for the server's own work, and as many for the digest. */
  LEDGER_POSTGRES_CONNECTIONS: 10,
  /** Of those of callers, how many change something at once: all of them, those of one organisation. One caller has one. */
  LEDGER_POSTGRES_CHANGES: 3,
  LEDGER_POSTGRES_CHANGES_PER_ORGANIZATION: 2,
  /** The others read. Of these, how many the callers of one organisation have at once, and one caller. */
  LEDGER_POSTGRES_READS_PER_ORGANIZATION: 4,
  LEDGER_POSTGRES_READS_PER_CALLER: 2,
  /** A SQLite ledger up to this size is checked page by page at start. */
  LEDGER_CHECK_BYTES: 64 * 1024 * 1024,
  /** How often the ledger's file is looked at: whether it is still the one that was opened. */
  LEDGER_CHECK_INTERVAL_MS: 1000,
  /** How often parts of the telemetry are looked for that were set aside because they are damaged. */
  TELEMETRY_CHECK_INTERVAL_MS: 60_000,
  HOUSEKEEPING_INTERVAL_MS: 10 * 60_000,
  RETENTION_INTERVAL_MS: 6 * 60 * 60_000,
} as const
