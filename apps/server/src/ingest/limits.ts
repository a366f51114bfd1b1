/** Limits of the road: what the door takes in, the spool keeps and the digest does at once. */
export const LIMITS = {
  /** Body as it comes over the wire, without its large attachments. */
  COMPRESSED_BODY_BYTES: 20 * 1024 * 1024,
  /** The same with them, and any body after decompression. */
  ENVELOPE_BYTES: 100 * 1024 * 1024,
  /** Bodies with attachments are read piece by piece from this size on, compressed or not. */
  HELD_BODY_BYTES: 4 * 1024 * 1024,
  EVENT_BYTES: 1024 * 1024,
  ATTACHMENT_BYTES: 100 * 1024 * 1024,
  /** Every item without a limit of its own. */
  ITEM_BYTES: 20 * 1024 * 1024,
  /** Of a body that is read piece by piece, attachments that are larger than this go into files. */
  STAGED_PAYLOAD_BYTES: 1024 * 1024,
  /** What is written to such a file at once. */
  STAGED_WRITE_BYTES: 1024 * 1024,
  /** After so many bytes of a file the disk is looked at. */
  STAGED_LOOK_BYTES: 16 * 1024 * 1024,
  /** Bytes of files that are being received at one time; beyond it the door answers 503. It has the same parts as the next but one. */
  STAGED_BODIES_BYTES: 2 * 1024 * 1024 * 1024,
  CONTAINER_BYTES: 12 * 1024 * 1024,
  /** An export of OpenTelemetry up to this size is looked at before it is acknowledged, to say what cannot be read. */
  EXPORT_CHECKED_BYTES: 1024 * 1024,
  SESSIONS_PER_ENVELOPE: 100,
  CHECK_IN_BYTES: 100 * 1024,
  ITEMS_PER_ENVELOPE: 500,
  JSON_DEPTH: 128,
  /** Time a client has to send its body. */
  BODY_TIMEOUT_MS: 30_000,
  /** A large one may take longer, as long as so much has come for each second beyond it. */
  BODY_BYTES_PER_SECOND: 256 * 1024,
  /** Pieces in which a body may come, however small they are, and how many bytes more each further one has at least, on average. */
  BODY_PIECES_FREE: 2000,
  BODY_PIECE_BYTES: 64,
  /** Time that the rest of a refused body may take before its connection is cut. */
  DRAIN_TIMEOUT_MS: 5_000,
  /** Received, joined and inflated bodies held at one time; beyond it the door answers 503. */
  CONCURRENT_BODIES_BYTES: 256 * 1024 * 1024,
  /** Bodies whose key is not known yet may hold one of so many parts of it, all together. */
  KEYLESS_BODIES_PARTS: 8,
  /** Bodies of one client address (of IPv6: a /64) may hold one of so many parts of it, and of the former. */
  ADDRESS_BODIES_PARTS: 4,
  /** The same for one key, and for one organisation. */
  KEY_BODIES_PARTS: 4,
  ORGANIZATION_BODIES_PARTS: 2,
  /** Bytes of a body that are read before its first line must name the key, where nothing else does. */
  KEYLESS_BODY_BYTES: 256 * 1024,
  /** How many times its size a compressed body may inflate to, once more than so many bytes came out of it. */
  INFLATE_RATIO: 200,
  INFLATE_RATIO_FREE_BYTES: 32 * 1024 * 1024,
  /** Compressed bodies up to this size are inflated at once, larger ones as a stream off the event loop. */
  INFLATE_AT_ONCE_BYTES: 16 * 1024,
  /** What inflating at once may produce; beyond it the body is inflated as a stream. */
  INFLATE_AT_ONCE_OUTPUT_BYTES: 256 * 1024,
  /** Bytes of a body that are read, copied or summed up before other requests get their turn. */
  DOOR_TURN_BYTES: 256 * 1024,
  /** Bytes of bodies, or of batches, after which a thread collects its garbage when nothing has come for a while. */
  UNCOLLECTED_BYTES: 32 * 1024 * 1024,
  COLLECT_QUIET_MS: 3000,
  /** First line of an envelope, and the header line of an item. */
  HEADER_LINE_BYTES: 64 * 1024,
  /** Reports of the Reporting API that one request may carry. */
  REPORTS_PER_REQUEST: 100,
  MULTIPART_PARTS: 200,
  MULTIPART_HEADER_BYTES: 8 * 1024,
  /** Unpacked size of a minidump that was sent compressed. */
  MINIDUMP_BYTES: 100 * 1024 * 1024,
  /** What senders are told to wait when the digest is behind (429). */
  BACKLOG_RETRY_SECONDS: 10,
  /** What senders are told to wait when nothing can be kept (503). */
  UNAVAILABLE_RETRY_SECONDS: 30,
  /** Length of the SDK name and version that outcomes are counted by, in characters. */
  SDK_NAME_LENGTH: 100,
  /**
   * Accepted bytes that an organisation may send in a day, or 1/`BYTE_QUOTA_DISK_PARTS` of the data volume,
   * if that is less. A key may send half of it.
   */
  ORGANIZATION_BYTES_PER_DAY: 64 * 1024 * 1024 * 1024,
  BYTE_QUOTA_DISK_PARTS: 8,
  /** An hour may take one of so many parts of a day's bytes. */
  BYTE_QUOTA_HOUR_PARTS: 8,
  /** Sessions and client reports go on beyond the bytes of an hour or a day, for one of so many parts of them. */
  BYTE_QUOTA_GRACE_PARTS: 10,
  /** A request is charged with at most so many times its bytes on the wire. */
  BYTE_QUOTA_INFLATION: 20,
  /** An item is charged with at least so many bytes: it becomes a row. */
  BYTE_QUOTA_ITEM_BYTES: 1024,
  /** Nobody over a quota is sent away for longer, so that a limit that is raised is soon noticed. */
  BYTE_QUOTA_RETRY_SECONDS: 300,
  /** Keys and organisations whose bytes are counted; beyond it those of former days are forgotten. */
  QUOTAS_REMEMBERED: 20_000,
  /** How often what quotas have counted is written down: a crash forgets at most so much. */
  QUOTAS_SAVE_MS: 60_000,
  /** An hour of a project may have so many times the events of a usual hour, and never fewer than the next. */
  SPIKE_FACTOR: 10,
  SPIKE_MINIMUM_EVENTS: 10_000,
  /** A project is watched for so long before anything is held back. */
  SPIKE_LEARNING_HOURS: 24,
  /** Projects whose hours are remembered; one more makes the one forgotten that has been quiet for longest. */
  SPIKE_PROJECTS: 5000,
  /** A spool segment is closed at this size. */
  SPOOL_SEGMENT_BYTES: 16 * 1024 * 1024,
  /** Above this backlog the door answers 429. */
  SPOOL_BACKLOG_BYTES: 8 * 1024 * 1024 * 1024,
  /** Of it, one organisation may have waiting at most so many times what is free: alone three quarters of it. */
  BACKLOG_SHARE: 3,
  /** To this precision it is known whose it is. */
  BACKLOG_PIECE_BYTES: 1024 * 1024,
  /** Below this free space on the data volume the door answers 503. */
  DISK_RESERVE_BYTES: 256 * 1024 * 1024,
  /**
   * Few large inserts cost the engine less: with 5 MiB, a small row takes a tenth more of all processor time than with 9. A full
   * segment is two equal batches.
   */
  DIGEST_BATCH_BYTES: 9 * 1024 * 1024,
  DIGEST_BATCH_RECORDS: 2000,
  /** A batch ends with the record that makes it take longer to be read. */
  DIGEST_BATCH_MS: 1000,
  /** Files of one batch: the record with which they become more is its last. */
  DIGEST_BATCH_FILE_BYTES: 128 * 1024 * 1024,
  /**
   * Bytes that are expanded before other work of the digest's thread gets its turn: the batch before is being written
   * meanwhile, in many steps.
   */
  DIGEST_TURN_BYTES: 32 * 1024,
  /** With at least so much to do, the next batch is prepared while one is being stored. */
  DIGEST_AHEAD_BYTES: 1024 * 1024,
  /** With less to do, batches start at least so far apart: stores take few larger writes better than many small ones. */
  DIGEST_INTERVAL_MS: 200,
  /** Heavy records: a batch of them ends after this time, with the record that goes beyond it; and at this size. */
  HEAVY_BATCH_MS: 250,
  HEAVY_BATCH_BYTES: 2 * 1024 * 1024,
  /** It is looked for them at most so often. */
  HEAVY_LOOK_MS: 50,
  /** What a MiB of a project’s heavy records is taken to cost in processor time, before one was read. */
  HEAVY_MS_PER_MIB: 500,
  /**
   * A project whose waiting heavy records will take longer, by what its last ones took, or are more, may send no more of
   * them for now (429). Without it, they would keep everybody's segments of the spool on disk.
   */
  HEAVY_BACKLOG_MS: 10 * 60_000,
  HEAVY_BACKLOG_RECORDS: 50_000,
  /** The same of an organisation: with many projects it would fill the spool, and `HEAVY_WAITING_RECORDS`, for all. */
  HEAVY_ORGANIZATION_BACKLOG_MS: 30 * 60_000,
  HEAVY_ORGANIZATION_BACKLOG_RECORDS: 100_000,
  /** So many that wait take turns; those behind them have to wait until it is fewer. */
  HEAVY_WAITING_RECORDS: 200_000,
  /** A batch over which the digest's thread died so often is digested in smaller parts; a record alone is set aside. */
  DIGEST_DEATHS: 2,
  /** Into so many parts. */
  DIGEST_DEATH_PARTS: 8,
  /** Records that are set aside before one is digested: if it dies over the next as well, it is not the records. */
  DIGEST_ASIDE_IN_A_ROW: 10,
  /** Bytes and records that one group commit (one write, one sync) takes at most. */
  SPOOL_COMMIT_BYTES: 16 * 1024 * 1024,
  SPOOL_COMMIT_RECORDS: 512,
  /** Writes of the spool up to this size are made without a thread of the pool. */
  SPOOL_WRITE_AT_ONCE_BYTES: 128 * 1024,
  /** How often free disk space is looked at, and a failed disk tried again. */
  SPOOL_DISK_CHECK_MS: 1000,
  /** Moments that are remembered of what waits for the digest, to tell up to when all is stored; more are thinned out. */
  SETTLED_MARKS: 4000,
  /** Items that made a processor throw are kept for inspection, up to this much; the oldest go first. */
  QUARANTINE_BYTES: 64 * 1024 * 1024,
  QUARANTINE_FILES: 1000,
  /**
   * Items that the client reports of one key may count for one reason and category in a minute, or bytes, where SDKs count
   * those; the rest is `client_report_limit`.
   */
  CLIENT_REPORT_QUANTITY: 1_000_000,
  CLIENT_REPORT_BYTE_QUANTITY: 1024 * 1024 * 1024 * 1024,
  /**
   * Different words of a key's senders (SDKs, unknown item types, reasons of client reports: so many of each) that
   * receipts show by name; the rest is counted as `other`. A word that was not used for so long makes room for another.
   */
  RECEIPT_WORDS: 20,
  RECEIPT_WORDS_KEPT_MS: 60 * 60_000,
  /** Heavy records have one of so many parts of these words and of what client reports may count, and all others the rest. */
  HEAVY_RECEIPT_PARTS: 4,
  /** Keys whose words are remembered. */
  RECEIPT_WORDS_KEYS: 10_000,
  /** Characters of free words (SDK, reason, unknown item type) in a receipt. */
  OUTCOME_WORD_LENGTH: 64,
  /** Refusals counted at the door are written down this often, and at most so many different rows at a time. */
  REFUSALS_FLUSH_MS: 1000,
  REFUSALS_KEYS: 2000,
  /** So many of them for one key. */
  REFUSALS_ROWS_PER_KEY: 200,
  /** Pause before a failed store is tried again: first, and at most. */
  STORE_RETRY_FIRST_MS: 100,
  STORE_RETRY_LONGEST_MS: 15_000,
  /** Time that the digest has to finish its batch at SIGTERM. What is not finished is repeated at the next start. */
  DIGEST_DRAIN_MS: 10_000,
  /** How often the log says how far items that were kept before are digested. */
  BACKFILL_LOG_MS: 10_000,
  /** Before each batch of them what arrives is digested first, for so long at most; how often it is looked whether it is. */
  BACKFILL_GIVE_WAY_MS: 2000,
  BACKFILL_LOOK_MS: 50,
  /** How long it is shown that all of them are digested. */
  BACKFILL_DONE_SHOWN_MS: 24 * 3600_000,
} as const
