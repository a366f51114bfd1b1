/** Limits of attachments, and of items that wait for their capability. */
export const LIMITS = {
  ATTACHMENTS_PER_ENVELOPE: 40,
  REPLAY_SEGMENT_BYTES: 30 * 1024 * 1024,
  SESSION_BYTES: 1024 * 1024,
  KEPT_INLINE_BYTES: 64 * 1024,
  /** Items that one read of them takes. */
  BACKFILL_READ_ITEMS: 500,
} as const
