/** Limits of uptime checks. */
export const LIMITS = {
  UPTIME_CHECKS: 200,
  UPTIME_URL_CHARS: 2000,
  UPTIME_HEADERS: 20,
  UPTIME_HEADER_CHARS: 1000,
  UPTIME_BODY_BYTES: 1024,
  UPTIME_TEXT_CHARS: 300,
  /** Of an answer; of a larger one the beginning is looked at. */
  UPTIME_ANSWER_BYTES: 256 * 1024,
  UPTIME_REDIRECTS: 5,
  UPTIME_TIMEOUT_MS: 60_000,
  /** A failure is asked for again after so long, and once more after that. */
  UPTIME_FIRST_RETRY_MS: 5000,
  UPTIME_SECOND_RETRY_MS: 15_000,
  /** Addresses that are asked at the same time, altogether. */
  UPTIME_AT_ONCE: 40,
  /** Of one organisation. */
  UPTIME_AT_ONCE_PER_ORGANIZATION: 10,
  /** With less time left until a check is due again, it is not asked for once more. */
  UPTIME_LEAST_TRY_MS: 1000,
  /** Between two looks at what is due. */
  UPTIME_LOOK_MS: 1000,
  /** When over half of what was up and asked in so long cannot be reached, of most organisations, this server is cut off. */
  UPTIME_SICK_MS: 60_000,
  /** That is believed of one that is away for so long; then it is down, whatever it is that is broken. */
  UPTIME_CUT_OFF_MS: 5 * 60_000,
  /** While nobody at all answers, for so long. */
  UPTIME_SILENT_MS: 15 * 60_000,
  /** One that is away and was not asked for so long is asked no more: each is asked every hour at least. */
  UPTIME_AWAY_KEPT_MS: 2 * 60 * 60_000,
  /** Hosts that say something about this server together. */
  UPTIME_SICK_HOSTS: 4,
  /** With fewer, one that is away while no other one answers either is in doubt for so long before anybody is told. */
  UPTIME_DOUBT_MS: 3 * 60_000,
  /** Of one check and its certificate, on a day (of UTC): more are recorded but told to nobody, unless they last. */
  UPTIME_INCIDENTS_PER_DAY: 10,
  /** Beyond that, one that fails for so long without a break is told; for twice as long the next one, and so on. */
  UPTIME_LASTING_MS: 15 * 60_000,
  /** Of one check: of older results their days are kept. */
  UPTIME_RESULTS_KEPT: 10_000,
  UPTIME_DAYS_KEPT_DAYS: 400,
  UPTIME_DELETION_MS: 30 * 60_000,
  /** After one that is down is deleted or switched off its issue is over: so long it can be undone before that is told. */
  UPTIME_UNDO_MS: 15_000,
  /** What is still to be told, that one look sends on its way. */
  UPTIME_EVENTS_PER_LOOK: 100,
} as const
