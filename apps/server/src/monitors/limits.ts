/** Limits of monitors and their check-ins. */
export const LIMITS = {
  MONITOR_SLUG_CHARS: 50,
  MONITOR_TIMEZONE_CHARS: 64,
  MONITOR_INTERVAL_UNITS: 10_000,
  /** The longest interval: five years. */
  MONITOR_INTERVAL_DAYS: 1825,
  /** Of a margin and of the longest run time: four weeks. */
  MONITOR_MINUTES: 40_320,
  MONITOR_THRESHOLD: 720,
  /** Of a monitor: configurations that were replaced, by which its runs of their time are shown; the oldest go. */
  MONITOR_PAST_CONFIGS: 100,
  /** Of a project: whoever has its DSN can make them up. */
  MONITORS_PER_PROJECT: 1000,
  MONITOR_ENVIRONMENTS: 50,
  /** Of all monitors of a project together. */
  MONITOR_ENVIRONMENTS_PER_PROJECT: 1000,
  /** Of a monitor in one environment, in a minute of the server's clock. */
  CHECK_INS_PER_MINUTE: 6,
  CHECK_IN_LOG_BYTES: 100 * 1024,
  /** With what its run wrote, as JSON. */
  CHECK_IN_ITEM_BYTES: 256 * 1024,
  /** Of a monitor in one environment; the oldest go. */
  CHECK_IN_LOGS_KEPT: 20,
  /** Of a project, compressed; the oldest go. */
  CHECK_IN_LOGS_PROJECT_BYTES: 50 * 1024 * 1024,
  /** Of a monitor in one environment; of older ones their days are kept. */
  MONITOR_RUNS_KEPT: 10_000,
  /** Longer than runs: how many ended how. */
  MONITOR_DAYS_KEPT_DAYS: 400,
  /** Runs of one environment that are open at the same time; the oldest time out. */
  MONITOR_OPEN_RUNS: 20,
  /** Between two looks at what is due. */
  MONITOR_INTERVAL_MS: 5000,
  /** Environments that one look reads and writes together. */
  MONITORS_PER_STEP: 5000,
  /** Times of one environment that one look decides, after a long rest. */
  MONITOR_SLOTS_PER_STEP: 500,
  /** When the server was away or its clock leapt for so long, nobody knows what came meanwhile. */
  MONITOR_OUTAGE_MS: 30_000,
  MONITOR_OUTAGES_KEPT_DAYS: 400,
  /** How often it is noted that the server is there. */
  MONITOR_PRESENCE_MS: 10_000,
  /** Failures in a row that each make an event; of those after them, the 16th, the 32nd, the 64th do. */
  MONITOR_FAILURES_TOLD: 10,
  /** Of a monitor in one environment, on a day (of UTC): more are recorded but told to nobody, unless they last. */
  MONITOR_INCIDENTS_PER_DAY: 10,
  /** Beyond that, one that fails for so long without a break is told; for twice as long the next one, and so on. */
  MONITOR_LASTING_MS: 15 * 60_000,
  /** Events of issues that one look sends on their way, of all organisations in turns. */
  MONITOR_EVENTS_PER_LOOK: 200,
  /** Facts that are looked through together for environments that were removed. */
  MONITOR_REMOVALS_BATCH: 100,
  /** Results of runs that are written to telemetry together. */
  MONITOR_RESULTS_PER_STEP: 500,
  /** So many results wait for a telemetry that is away, however long that takes; of more, the oldest are counted by no alert. */
  MONITOR_RESULTS_WAITING: 1_000_000,
  /** Periods without a run, after which it is asked whether an environment is needed any more. */
  MONITOR_SILENT_PERIODS: 10,
  /** And at least so long without a run: of what runs each minute, ten periods are a short outage. */
  MONITOR_SILENT_MS: 24 * 60 * 60_000,
  /** Periods without a run, after which nothing is expected any more until it runs again. */
  MONITOR_GIVEN_UP_PERIODS: 1000,
  /** After a deletion, so that it can be undone. */
  MONITOR_DELETION_MS: 30 * 60_000,
  /** After one that fails is deleted or switched off its issue is over: so long it can be undone before that is told. */
  MONITOR_UNDO_MS: 15_000,
} as const
