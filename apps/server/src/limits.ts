/**
 * Every limit of the server, with its unit. `docs/spec.md` section 9 lists them; a test compares the two.
 * A limit is added here, never written as a number where it is used.
 */
export const LIMITS = {
  /** Text of a report; a longer one is cut. */
  FEEDBACK_MESSAGE_CHARS: 65_536,
  /** Name of a reporter (protocol.md 2.8). */
  FEEDBACK_NAME_CHARS: 128,
  /** E-mail of a reporter. */
  FEEDBACK_EMAIL_CHARS: 254,
  /** Custom fields of a form. */
  FEEDBACK_FIELDS: 50,
  /** Value of a custom field. */
  FEEDBACK_FIELD_CHARS: 4096,
  /** Within it, a second report about one event takes the first one's place (protocol.md 3.5). */
  FEEDBACK_REPLACE_MS: 5 * 60_000,
  /** Reports of so long ago count when rates and repeated texts are judged. */
  FEEDBACK_SPAM_WINDOW_MS: 10 * 60_000,
  /** One message of a thread, a note of the team, an answer of a reporter. */
  FEEDBACK_REPLY_CHARS: 10_000,
  /** Messages of one thread, and how many of them may be a reporter's within ten minutes. */
  FEEDBACK_THREAD_MESSAGES: 500,
  FEEDBACK_ANSWERS_PER_WINDOW: 10,
  FEEDBACK_ANSWER_WINDOW_MS: 10 * 60_000,
  /** E-mails to one address within an hour; more wait. */
  FEEDBACK_MAILS_PER_ADDRESS: 10,
  FEEDBACK_MAIL_WINDOW_MS: 60 * 60_000,
  /** A mail that was refused is tried again after this time, then twice as long, and so on. */
  FEEDBACK_MAIL_RETRY_MS: 60_000,
  FEEDBACK_MAIL_ATTEMPTS: 8,
  FEEDBACK_MAIL_TIMEOUT_MS: 30_000,
  /** How often mails that are due are sent, and reports are compared with their issues. */
  FEEDBACK_MAIL_INTERVAL_MS: 5000,
  /** An issue that was resolved for so long is told to reporters: before, somebody may take it back. */
  FEEDBACK_RESOLVED_DELAY_MS: 60_000,
  /** Rows that one step of the two works on. */
  FEEDBACK_STEP_ROWS: 50,
  /** Beginning of a message in a list. */
  FEEDBACK_ROW_CHARS: 1000,
  /** Different tag values that the filter of the inbox offers. */
  FEEDBACK_TAG_VALUES: 500,
  /** Tags of one report. */
  FEEDBACK_TAGS: 100,
  /** How long a read waits for events that the ledger has and telemetry has not yet. */
  SETTLE_WAIT_MS: 5000,
  /** How long a call waits for the event of which it makes an issue. */
  FEEDBACK_ISSUE_WAIT_MS: 10_000,
  /** Body as it comes over the wire. */
  COMPRESSED_BODY_BYTES: 20 * 1024 * 1024,
  /** Body after decompression. */
  ENVELOPE_BYTES: 100 * 1024 * 1024,
  EVENT_BYTES: 1024 * 1024,
  ATTACHMENT_BYTES: 20 * 1024 * 1024,
  ATTACHMENTS_PER_ENVELOPE: 40,
  REPLAY_SEGMENT_BYTES: 30 * 1024 * 1024,
  CONTAINER_BYTES: 12 * 1024 * 1024,
  SESSION_BYTES: 1024 * 1024,
  SESSIONS_PER_ENVELOPE: 100,
  CLIENT_REPORT_BYTES: 100 * 1024,
  CHECK_IN_BYTES: 100 * 1024,
  PROFILE_BYTES: 50 * 1024 * 1024,
  SPANS_V1_PER_ENVELOPE: 25,
  ITEMS_PER_ENVELOPE: 500,
  JSON_DEPTH: 128,
  /** Time a client has to send its body. */
  BODY_TIMEOUT_MS: 30_000,
  /** Time that the rest of a refused body may take before its connection is cut. */
  DRAIN_TIMEOUT_MS: 5_000,
  /** Received, joined and inflated bodies held at one time; beyond it the door answers 503. */
  CONCURRENT_BODIES_BYTES: 256 * 1024 * 1024,
  /** Compressed bodies up to this size are inflated at once, larger ones as a stream off the event loop. */
  INFLATE_AT_ONCE_BYTES: 16 * 1024,
  /** What inflating at once may produce; beyond it the body is inflated as a stream. */
  INFLATE_AT_ONCE_OUTPUT_BYTES: 256 * 1024,
  /** First line of an envelope, and the header line of an item. */
  HEADER_LINE_BYTES: 64 * 1024,
  /** Reports of the Reporting API that one request may carry. */
  REPORTS_PER_REQUEST: 100,
  MULTIPART_PARTS: 200,
  MULTIPART_HEADER_BYTES: 8 * 1024,
  /** Unpacked size of a minidump that was sent compressed. */
  MINIDUMP_BYTES: 64 * 1024 * 1024,
  /** What senders are told to wait when the digest is behind (429). */
  BACKLOG_RETRY_SECONDS: 10,
  /** What senders are told to wait when nothing can be kept (503). */
  UNAVAILABLE_RETRY_SECONDS: 30,
  /** Length of the SDK name and version that outcomes are counted by, in characters. */
  SDK_NAME_LENGTH: 100,
  KEY_CACHE_SECONDS: 5,
  /** How exactly it is noted when a key was last used. */
  KEY_USED_RESOLUTION_SECONDS: 3600,
  /** A key that was just made by another process (`firsthand setup`) works after this time at the latest. */
  UNKNOWN_KEY_CACHE_SECONDS: 1,
  /** A spool segment is closed at this size. */
  SPOOL_SEGMENT_BYTES: 16 * 1024 * 1024,
  /** Above this backlog the door answers 429. */
  SPOOL_BACKLOG_BYTES: 8 * 1024 * 1024 * 1024,
  /** Below this free space on the data volume the door answers 503. */
  DISK_RESERVE_BYTES: 256 * 1024 * 1024,
  DIGEST_BATCH_BYTES: 3 * 1024 * 1024,
  DIGEST_BATCH_RECORDS: 2000,
  /** Text of stack frames that the digest remembers as read, so that an error that comes often is read once; the objects take about twice as much. */
  SEEN_FRAMES_BYTES: 20 * 1024 * 1024,
  /** Shorter lists of frames are read as fast as they are recognised. */
  SEEN_FRAMES_SHORTEST_BYTES: 1024,
  /** Stack traces of one event that are looked for among those seen before. */
  SEEN_FRAMES_STACKS: 16,
  /**
   * Bytes that are expanded before other work of the digest's thread gets its turn: the batch before is being written
   * meanwhile, in many steps.
   */
  DIGEST_TURN_BYTES: 32 * 1024,
  /** With at least so much to do, the next batch is prepared while one is being stored. */
  DIGEST_AHEAD_BYTES: 1024 * 1024,
  /** With less to do, batches start at least so far apart: stores take few larger writes better than many small ones. */
  DIGEST_INTERVAL_MS: 200,
  /** Bytes and records that one group commit (one write, one sync) takes at most. */
  SPOOL_COMMIT_BYTES: 16 * 1024 * 1024,
  SPOOL_COMMIT_RECORDS: 512,
  /** Writes of the spool up to this size are made without a thread of the pool. */
  SPOOL_WRITE_AT_ONCE_BYTES: 128 * 1024,
  /** How often free disk space is looked at, and a failed disk tried again. */
  SPOOL_DISK_CHECK_MS: 1000,
  /** Items that made a processor throw are kept for inspection, up to this much; the oldest go first. */
  QUARANTINE_BYTES: 64 * 1024 * 1024,
  QUARANTINE_FILES: 1000,
  /** Rows that one client report may add to the receipts, and the highest count of one row. */
  CLIENT_REPORT_ROWS: 1000,
  CLIENT_REPORT_QUANTITY: 2 ** 31,
  /** Different unknown item types that one batch may show by name; the others are counted as `other`. */
  UNKNOWN_ITEM_TYPES_PER_BATCH: 20,
  /** Characters of free words (SDK, reason, unknown item type) in a receipt. */
  OUTCOME_WORD_LENGTH: 64,
  /** Refusals counted at the door are written down this often, and at most so many different rows at a time. */
  REFUSALS_FLUSH_MS: 1000,
  REFUSALS_KEYS: 2000,
  /** Pause before a failed store is tried again: first, and at most. */
  STORE_RETRY_FIRST_MS: 100,
  STORE_RETRY_LONGEST_MS: 15_000,
  /** Time that the digest has to finish its batch at SIGTERM. What is not finished is repeated at the next start. */
  DIGEST_DRAIN_MS: 10_000,
  /** Events that one message about a settled batch names per project. */
  FACT_EVENTS: 100,
  KEPT_INLINE_BYTES: 64 * 1024,
  RETENTION_DEFAULT_DAYS: 90,
  CLOCK_DRIFT_MINIMUM_MS: 55 * 60_000,
  FUTURE_SECONDS: 60,
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
  ENGINE_RESTART_DELAY_MS: 200,
  ENGINE_RESTART_DELAY_MAXIMUM_MS: 30_000,
  /** Frames of an event whose functions, files and modules can be searched. */
  INDEXED_FRAMES: 60,
  /** Stacks that the digest knows to be stored and does not write again. */
  KNOWN_STACKS: 20_000,
  /** Title, message and error values of an event, as far as free text finds them. */
  SEARCH_TEXT_CHARACTERS: 2048,
  TELEMETRY_REQUEST_TIMEOUT_MS: 60_000,
  /** Connections of one client to the telemetry. */
  TELEMETRY_CONNECTIONS: 32,
  S3_RETRIES: 3,
  S3_TIMEOUT_MS: 60_000,
  /** How long a writer waits for another one in the ledger. */
  LEDGER_BUSY_TIMEOUT_MS: 10_000,
  LEDGER_STATEMENT_CACHE: 256,
  /** Issue ids that one fact about arrivals names. */
  FACT_ISSUE_IDS: 50,
  /** Free pages (4 kB) that one step of the vacuum gives back. */
  LEDGER_VACUUM_PAGES: 500,
  /** Rows that one step of housekeeping reads or deletes. */
  HOUSEKEEPING_ROWS: 2000,
  /** Issues that one step of housekeeping deletes. */
  HOUSEKEEPING_ISSUES: 200,
  /** Time in which a deletion can be undone; after it, the rows go. */
  DELETION_UNDO_MS: 10 * 60_000,
  /** How long housekeeping waits for the telemetry to rewrite one partition. */
  MUTATION_TIMEOUT_MS: 30 * 60_000,
  FACT_RETENTION_HOURS: 24,
  /** An invitation that was not accepted is forgotten so long after it expired. */
  INVITATION_RETENTION_DAYS: 30,
  /** A new issue is ongoing after this time. */
  ISSUE_NEW_DAYS: 7,
  /** An issue that was archived until it escalates does so above this many events a day, and twice its former peak. */
  ESCALATION_MINIMUM_EVENTS: 10,
  LEDGER_TRANSACTION_ATTEMPTS: 10,
  LEDGER_POSTGRES_CONNECTIONS: 10,
  /** A SQLite ledger up to this size is checked page by page at start. */
  LEDGER_CHECK_BYTES: 64 * 1024 * 1024,
  /** Body of a call of the HTTP API. */
  API_BODY_BYTES: 1024 * 1024,
  /** JSON answers above this size are compressed. */
  API_COMPRESS_BYTES: 1024,
  /** One value in a path of the HTTP API. */
  API_PARAMETER_CHARACTERS: 300,
  SESSION_DAYS: 14,
  /** A session's expiry is moved at most this often. */
  SESSION_TOUCH_SECONDS: 300,
  INVITATION_DAYS: 7,
  PASSWORD_MIN_CHARACTERS: 10,
  PASSWORD_MAX_CHARACTERS: 1024,
  /** Passwords that are hashed at the same time; each takes 19 MiB. */
  PASSWORD_HASHES_CONCURRENT: 2,
  PASSWORD_HASHES_QUEUED: 64,
  LOGIN_WINDOW_SECONDS: 300,
  LOGIN_ATTEMPTS_PER_ACCOUNT: 10,
  LOGIN_ATTEMPTS_PER_ADDRESS: 50,
  /** Accounts and addresses whose attempts are remembered. */
  LOGIN_REMEMBERED: 20_000,
  MEMBERS_PER_ORGANIZATION: 10_000,
  TEAMS_PER_ORGANIZATION: 1000,
  PROJECTS_PER_ORGANIZATION: 1000,
  KEYS_PER_PROJECT: 100,
  /** Largest project id that is adopted: the ids that come after it must still be exact numbers of JavaScript (2^53). */
  ADOPTED_PROJECT_ID: 9_000_000_000_000_000,
  TOKENS_PER_ORGANIZATION: 500,
  LOOKUP_CACHE_ENTRIES: 10_000,
  /** Open live-update streams. */
  LIVE_STREAMS: 1000,
  LIVE_STREAMS_PER_CALLER: 10,
  /** A stream ends after this time; the browser opens it again, with its rights checked anew. */
  LIVE_STREAM_SECONDS: 900,
  LIVE_HEARTBEAT_SECONDS: 25,
  /** Updates that wait for a slow reader before its stream is closed. */
  LIVE_QUEUED_UPDATES: 256,
  /** A search, before it is parsed. */
  SEARCH_CHARACTERS: 2000,
  SEARCH_TERMS: 50,
  /** Nested parentheses of a search. */
  SEARCH_DEPTH: 10,
  /** Values of `key:[a,b,…]`. */
  SEARCH_LIST_VALUES: 100,
  /** Issues whose counts are remembered, and for how long at most. */
  COUNTS_REMEMBERED: 4000,
  COUNTS_REMEMBERED_MS: 60_000,
  /** Searches whose issues are remembered, how many issues of one, and how many that got events since are looked at again. */
  MATCHES_REMEMBERED: 50,
  MATCHES_REMEMBERED_ISSUES: 10_000,
  MATCHES_REVIEWED: 500,
  /** The same where other processes store events of the same issues. */
  COUNTS_REMEMBERED_SHARED_MS: 2000,
  /** Issues that one search or ranking by events may find. */
  ISSUE_MATCHES: 50_000,
  /** `X-Hits` counts up to here. */
  ISSUE_HITS_MAXIMUM: 1000,
  /** Issues of one transaction, when everything that matches a search is changed. */
  ISSUES_PER_CHANGE: 500,
  SPARKLINE_BUCKETS: 48,
  CHART_BUCKETS: 300,
  /** Rows of a list of events that were asked for whole (`full=true`): each may have a megabyte. */
  FULL_EVENTS: 20,
  /** Rows of the receipts screen. */
  RECEIPT_ROWS: 5000,
  RECEIPT_TOTALS: 1000,
  /** Time a client has to send the headers of a request. */
  HEADERS_TIMEOUT_MS: 15_000,
  /** Time a client has to send a whole request; ingest routes have less for their bodies. */
  REQUEST_TIMEOUT_MS: 60_000,
  /** How often the two times above are looked at. */
  REQUEST_CHECK_MS: 2000,
  /** Time that open requests have to finish when the server stops. */
  SHUTDOWN_GRACE_MS: 5000,
  /** Above this backlog the console says that the digest is behind. */
  BACKLOG_SHOWN_BYTES: 32 * 1024 * 1024,
  HOUSEKEEPING_INTERVAL_MS: 10 * 60_000,
  ARCHIVE_REVIEW_INTERVAL_MS: 60_000,
  RETENTION_INTERVAL_MS: 6 * 60 * 60_000,
  /** How long a start waits for another server that still has the data folder, and how often it looks. */
  DATA_FOLDER_WAIT_MS: 2000,
  DATA_FOLDER_RETRY_MS: 50,
} as const

/**
 * Sizes of the parts of an error event (protocol.md 3.1 and 4.6). `_CHARS` are UTF-16 code units: a longer text is cut and
 * ends with `...`. Lists without a word of their own keep their first elements.
 */
export const EVENT_LIMITS = {
  /** Words such as platform, logger, environment, dist. */
  WORD_CHARS: 64,
  RELEASE_CHARS: 200,
  TRANSACTION_CHARS: 200,
  SERVER_NAME_CHARS: 256,
  TAG_KEY_CHARS: 200,
  TAG_VALUE_CHARS: 200,
  TAGS: 200,
  MESSAGE_CHARS: 8192,
  /** Exception types, modules, mechanism words, short paths. */
  NAME_CHARS: 256,
  SYMBOL_CHARS: 512,
  /** Asset URLs are long, and a source map is found by the whole of them. */
  ABSOLUTE_PATH_CHARS: 2048,
  URL_CHARS: 8192,
  METHOD_CHARS: 32,
  USER_ID_CHARS: 128,
  EMAIL_CHARS: 75,
  USER_AGENT_CHARS: 512,
  /** The outermost exceptions are kept. */
  EXCEPTIONS: 50,
  THREADS: 250,
  /** The innermost frames are kept. */
  FRAMES: 250,
  /** In longer stacks only the outermost and innermost halves of this number keep variables and source context. */
  FRAMES_WITH_DETAILS: 50,
  SOURCE_LINE_CHARS: 512,
  SOURCE_LINES: 30,
  /** The newest are kept. */
  BREADCRUMBS: 200,
  FINGERPRINT_PARTS: 100,
  MODULES: 1000,
  SDK_LIST: 200,
  HEADERS: 200,
  COOKIES: 200,
  QUERY_PARAMETERS: 500,
  /** Names of headers, cookies, query parameters and modules. */
  PAIR_NAME_CHARS: 256,
  PAIR_VALUE_CHARS: 4096,
  CONTEXTS: 100,
  FLAGS: 100,
  DEBUG_IMAGES: 2000,
  /** Notes about unreadable fields; more are not written down. */
  NOTES: 50,
  NOTE_VALUE_CHARS: 100,
  BAG_KEY_CHARS: 256,
  SMALL_BAG_CHARS: 1024,
  SMALL_BAG_DEPTH: 3,
  MEDIUM_BAG_CHARS: 2048,
  MEDIUM_BAG_DEPTH: 5,
  LARGE_BAG_CHARS: 8192,
  LARGE_BAG_DEPTH: 7,
  LARGER_BAG_CHARS: 16 * 1024,
  LARGER_BAG_DEPTH: 7,
  MASSIVE_BAG_CHARS: 256 * 1024,
  VARIABLES_DEPTH: 6,
  /** Parsed user agents, header names and judged keys that are remembered. */
  MEMO_ENTRIES: 2000,
  /** A timestamp in milliseconds, not seconds, is above this. */
  SECONDS_MAXIMUM: 1e11,
} as const
