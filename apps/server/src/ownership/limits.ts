/** Limits of who owns what. */
export const LIMITS = {
  /** Rules of a project. */
  OWNERSHIP_RULES_CHARS: 250_000,
  OWNERSHIP_RULES_LINES: 5000,
  /** A CODEOWNERS file: below what one request may have. */
  CODEOWNERS_CHARS: 900_000,
  CODEOWNERS_LINES: 20_000,
  /** Of a line; and owners that it names. */
  OWNERSHIP_LINE_CHARS: 1000,
  OWNERSHIP_LINE_OWNERS: 20,
  /** Frames of an event that are asked about, those nearest to the crash. */
  OWNERSHIP_FRAMES: 100,
  /** Of a path, module, URL or tag: what is longer is cut before it is compared. */
  OWNERSHIP_VALUE_CHARS: 1000,
  /** Steps of comparing for one event; beyond, nobody is found. */
  OWNERSHIP_STEPS: 4_000_000,
  /** Of a project, for all of its new issues in a minute. */
  OWNERSHIP_STEPS_PER_MINUTE: 20_000_000,
  /** Lines that lost, as a tester shows them. */
  OWNERSHIP_LOSERS_SHOWN: 20,
  /** Lines that cannot be used, as an answer lists them. */
  OWNERSHIP_PROBLEMS_SHOWN: 200,
  /** New issues that are looked at together. */
  OWNERSHIP_BATCH: 100,
} as const
