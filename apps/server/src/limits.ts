/**
 * Limits of the server's process as a whole. Each part and each capability has its own in the `limits.ts` of its folder, with
 * their units; `docs/spec.md` section 9 lists all of them, and a test compares the two. A limit is added there, never
 * written as a number where it is used.
 */
export const LIMITS = {
  /** A server starts with so much free space at least: an empty ledger, its log and the engine's tables take 1 MiB. */
  START_FREE_BYTES: 8 * 1024 * 1024,
  /** A server that has not ended so long after SIGTERM is ended as it is, as if by a crash. */
  STOP_LONGEST_MS: 45_000,
  /** Above this backlog the console says that the digest is behind. */
  BACKLOG_SHOWN_BYTES: 32 * 1024 * 1024,
  /** A digest that finishes no batch for so long, while something waits, is told. */
  DIGEST_STALLED_MS: 30_000,
  /** How often the list of what is wrong is looked at and written down for `doctor`. */
  FINDINGS_INTERVAL_MS: 1000,
  /** How long a start waits for another server that still has the data folder, and how often it looks. */
  DATA_FOLDER_WAIT_MS: 2000,
  DATA_FOLDER_RETRY_MS: 50,
} as const
