/** Limits of e-mail. */
export const LIMITS = {
  FEEDBACK_MAIL_TIMEOUT_MS: 30_000,
} as const
