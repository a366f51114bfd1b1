/** Limits of findings. */
export const LIMITS = {
  /** Spans of a trace that are looked at. */
  FINDING_SPANS: 20_000,
  /** Of the name and of each attribute of a span that is read again: it may have any length. */
  FINDING_READ_CHARS: 1000,
  /** Bytes of spans that are read together. */
  FINDING_READ_BYTES: 32 * 1024 * 1024,
  /** Of one segment; more say nothing more. */
  FINDINGS_PER_SEGMENT: 10,
  /** What was found must have taken so much of its segment. */
  FINDING_SHARE_PERCENT: 5,
  FINDING_TEXT_CHARS: 200,
  /** Spans that the evidence names, and that the waterfall marks. */
  FINDING_SPANS_NAMED: 100,
  /** Spans that the evidence shows with their times. */
  FINDING_SPANS_SHOWN: 20,
  /** From the last that came of a trace until it is looked at. */
  FINDING_SETTLE_MS: 3000,
  /** How long a root is waited for. */
  FINDING_ROOT_WAIT_MS: 60_000,
  /** Traces that wait; of the organisation of which most do, the oldest of the project of which most do gives way. */
  FINDING_TRACES_WAITING: 20_000,
  /** That some gave way is told until it did not happen for so long. */
  FINDING_LEFT_OUT_TOLD_MS: 10 * 60_000,
  /** Projects that this names; of more, how many. */
  FINDING_PROJECTS_NAMED: 3,
  /** Traces of one look: few large reads cost the engine less than many small ones. */
  FINDING_TRACES_PER_LOOK: 200,
  /** After a look that could not take all that is due, so many times as long as it took. */
  FINDING_REST_TIMES: 5,
  /** Between two looks. */
  FINDING_INTERVAL_MS: 1000,
  /** Other requests would notice when spans of a trace were looked at for longer at a stretch. */
  FINDING_SLICE_MS: 10,
  /** Problems of a project that one look counts: a trace may hold any number, and each is a write. */
  FINDING_PROBLEMS_PER_LOOK: 200,
  /** Of one problem, in a minute; what more was found is the same. */
  FINDING_EVENTS_PER_MINUTE: 20,
  /** New issues of a project in an hour: whoever can send spans can invent problems. */
  FINDING_ISSUES_PER_HOUR: 100,
  /** Within so long something must be seen as often as its detector asks. */
  FINDING_SEEN_HOURS: 24,
  /** Problems of a project that are counted before they are issues. */
  FINDING_SIGHTINGS: 1000,
  FINDING_SIGHTING_DAYS: 30,
  /** How old settings may be that are found by. */
  FINDING_SETTINGS_AGE_MS: 10_000,
  FINDING_MUTES: 200,
  /** Of hours that are compared: so many may be slow, the last of which is the last whole one. */
  SLOWDOWN_LEAST_HOURS: 3,
  SLOWDOWN_MOST_HOURS: 6,
  /** Hours before, and of how many of them something must be known. */
  SLOWDOWN_BEFORE_HOURS: 24,
  SLOWDOWN_KNOWN_HOURS: 6,
  /** How late what was sent of an hour may come to be counted. */
  SLOWDOWN_SETTLE_MS: 10 * 60_000,
  /** Of a project: those that were seen most in the last hour. */
  SLOWDOWN_TRANSACTIONS: 50,
  /** Of a project: a service that is slow as a whole needs no more of them. */
  SLOWDOWNS_PER_DAY: 10,
  /** Between two looks. */
  SLOWDOWN_INTERVAL_MS: 60_000,
  /** After so long a look ends: the next takes the projects that are left. */
  SLOWDOWN_LOOK_MS: 5000,
  /** What the engine may take for one project. */
  SLOWDOWN_READ_SECONDS: 10,
  /** Projects that wait to be looked at. */
  SLOWDOWN_PROJECTS_WAITING: 10_000,
  /** Segments of the last day that a trial looks at. */
  FINDING_TRIAL_TRACES: 2000,
  FINDING_TRIAL_HOURS: 24,
  /** Problems that a trial shows. */
  FINDING_TRIAL_EXAMPLES: 20,
} as const
