/** Limits of e-mail. */
export const LIMITS = {
  /** For the connection, the greeting of the mail server, and each of its answers. */
  FEEDBACK_MAIL_TIMEOUT_MS: 30_000,
} as const
