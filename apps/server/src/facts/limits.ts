/** Bounds of what is noted for others to follow. */
export const LIMITS = {
  /** Data of one fact, as JSON. */
  FACT_BYTES: 32 * 1024,
  /** Of texts that come from outside, each is noted so far. */
  FACT_TEXT_CHARS: 200,
  /** Tags of one fact, and all of them as JSON. */
  FACT_TAGS: 50,
  FACT_TAG_BYTES: 4096,
  /** How long facts are kept. */
  FACT_DAYS: 14,
  /** From something that happened until those who follow facts look at it, at most. */
  FACT_INTERVAL_MS: 500,
  /** Facts of one organisation that are taken together at first, and how long that may take until fewer are. */
  FACT_TURN_FACTS: 50,
  FACT_TURN_MS: 250,
  /** After so long they look in any case where other servers write to the same ledger. */
  FACT_QUIET_MS: 30_000,
  /** How long a follower that failed waits, at first and at most; twice as long after each time. */
  FACT_RETRY_MS: 500,
  FACT_RETRY_MAXIMUM_MS: 30_000,
  /** Times that a follower may fail over one fact alone before it goes on without it. */
  FACT_ATTEMPTS: 8,
  /** Facts that one step of housekeeping removes. */
  FACT_STEP_ROWS: 2000,
  /** Facts that one statement looks through for a person who is erased. */
  FACT_SEARCHED_ROWS: 500,
} as const
