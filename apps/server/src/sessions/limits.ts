/** Limits of sessions, and of what is asked about them. */
export const LIMITS = {
  /** Counts of one `sessions` item; the rest is counted as `too_many_sessions`. */
  SESSION_COUNTS_PER_ITEM: 10_000,
  /** What one count may say. */
  SESSION_COUNT_MAX: 1_000_000_000,
  SESSION_ENVIRONMENT_CHARS: 64,
  SESSION_USER_CHARS: 250,
  /** A session that began so long ago is not counted any more. */
  SESSION_LATE_MS: 5 * 24 * 60 * 60_000,
  /** A session may begin so far ahead of its arrival. */
  SESSION_FUTURE_MS: 60_000,
  /** Updates of one session may place its beginning so far apart, where the clock of its sender was corrected. */
  SESSION_APART_MS: 10 * 60_000,
  /** Releases that are remembered as made. */
  SESSION_RELEASES_REMEMBERED: 10_000,
  /** Steps of one answer. */
  SESSION_INTERVALS: 2500,
  /** Groups × steps of one answer. */
  SESSION_SERIES_POINTS: 10_000,
  /** Groups that are looked at to find those of a page. */
  SESSION_GROUPS: 10_000,
  /** Environments of a release of which it is said how many run it. */
  SESSION_ENVIRONMENTS: 20,
  /** The first sessions of a release are looked for so far back. */
  RELEASE_SESSIONS_DAYS: 90,
  /** So much of the life of a release is compared with that of another. */
  RELEASE_COURSE_DAYS: 30,
  /** Whole days before today on which a release may have been in use where it is said to be replaced. */
  ADOPTION_DAYS: 30,
  /** One in so many sessions of an environment makes a release one that is in use there, as in Sentry. */
  ADOPTED_PARTS: 10,
  /** Releases before one, of which the first with sessions is compared with it. */
  HEALTH_CANDIDATES: 20,
  /** Seconds that one question may take. */
  SESSION_QUERY_SECONDS: 20,
} as const
