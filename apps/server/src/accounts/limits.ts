/** Limits of organisations, people, projects, keys and tokens. */
export const LIMITS = {
  KEY_CACHE_SECONDS: 5,
  /** How exactly it is noted when a key was last used. */
  KEY_USED_RESOLUTION_SECONDS: 3600,
  /** A key that was just made by another process (`firsthand setup`) works after this time at the latest. */
  UNKNOWN_KEY_CACHE_SECONDS: 1,
  /** An invitation that was not accepted is forgotten so long after it expired. */
  INVITATION_RETENTION_DAYS: 30,
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
  /** From one address. */
  LOGIN_ATTEMPTS_PER_ACCOUNT: 10,
  LOGIN_ATTEMPTS_PER_ADDRESS: 50,
  /** Wrong set-up tokens per address (IPv6: per /64) and window; the right one always works. */
  SETUP_ATTEMPTS_PER_ADDRESS: 10,
  /** Above it, addresses that the account does not know share one attempt every `LOGIN_SLOWED_SECONDS`. */
  LOGIN_ATTEMPTS_PER_ACCOUNT_EVERYWHERE: 100,
  LOGIN_SLOWED_SECONDS: 5,
  EMAIL_CHANGES_PER_ACCOUNT: 5,
  EMAIL_CHANGE_WINDOW_SECONDS: 3600,
  /** Accounts and addresses whose attempts are remembered. */
  LOGIN_REMEMBERED: 20_000,
  MEMBERS_PER_ORGANIZATION: 10_000,
  TEAMS_PER_ORGANIZATION: 1000,
  PROJECTS_PER_ORGANIZATION: 1000,
  KEYS_PER_PROJECT: 100,
  /** Largest project id that is adopted: the ids that come after it must still be exact numbers of JavaScript (2^53). */
  ADOPTED_PROJECT_ID: 9_000_000_000_000_000,
  TOKENS_PER_ORGANIZATION: 500,
  PERSONAL_TOKENS_PER_PERSON: 100,
  LOOKUP_CACHE_ENTRIES: 10_000,
} as const
