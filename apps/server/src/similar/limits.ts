/** Limits of what is similar. */
export const LIMITS = {
  /** Issues that share a band with the one that is asked about, and that are compared with it. */
  SIMILAR_CANDIDATES: 300,
  /** Issues that are shown, and the least percentage they are alike. */
  SIMILAR_SHOWN: 10,
  SIMILAR_LEAST_PERCENT: 50,
  /** New issues that get their signature together. */
  SIMILAR_BATCH: 100,
  /** Older issues without a signature that one step of housekeeping takes. */
  SIMILAR_STEP_ISSUES: 200,
  SIMILAR_STEP_MS: 60_000,
} as const
