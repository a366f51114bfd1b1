/** Limits of reading an event as a whole. */
export const LIMITS = {
  /** Text of stack frames that the digest remembers as read, so that an error that comes often is read once; the objects take about twice as much. */
  SEEN_FRAMES_BYTES: 20 * 1024 * 1024,
  /** Shorter lists of frames are read as fast as they are recognised. */
  SEEN_FRAMES_SHORTEST_BYTES: 1024,
  /** Stack traces of one event that are looked for among those seen before. */
  SEEN_FRAMES_STACKS: 16,
  /**
   * What the filters, stack trace rules and fingerprint rules of a project may cost for one event, in compared characters.
   * The rules that come after are not applied to it, and it says so.
   */
  RULE_STEPS_PER_EVENT: 4_000_000,
  /** A dump with more streams is none that a program wrote. */
  MINIDUMP_STREAMS: 256,
  /** Threads, names of threads, programs and libraries of one dump that are looked at. */
  MINIDUMP_ENTRIES: 4096,
  /** Of the thread that crashed. */
  MINIDUMP_FRAMES: 64,
  /** A minidump in a file is looked at in pieces of this size, of which so many are held. */
  MINIDUMP_PIECE_BYTES: 16 * 1024,
  MINIDUMP_PIECES: 32,
  CLOCK_DRIFT_MINIMUM_MS: 55 * 60_000,
  FUTURE_SECONDS: 60,
  /** Of one span or log line; more are counted, not kept. */
  ATTRIBUTES: 1000,
  ATTRIBUTE_NAME_CHARS: 200,
  ATTRIBUTE_CHARS: 64 * 1024,
  /** Of all its attributes together. */
  ATTRIBUTES_CHARS: 256 * 1024,
  /** Text of the attributes of everything in an item: so much, and so many times what it has itself. */
  ITEM_TEXT_CHARS: 64 * 1024,
  ITEM_TEXT_TIMES: 8,
  /** Attributes, values of lists, events, links, data points and exemplars of one export of OpenTelemetry. */
  OTLP_VALUES: 1_000_000,
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
  /** What is kept of what was cut or scrubbed in one event (`_meta`), as JSON. */
  META_CHARS: 8 * 1024,
  META_DEPTH: 16,
  /** Parsed user agents, header names and judged keys that are remembered. */
  MEMO_ENTRIES: 2000,
  /** A timestamp in milliseconds, not seconds, is above this. */
  SECONDS_MAXIMUM: 1e11,
} as const
