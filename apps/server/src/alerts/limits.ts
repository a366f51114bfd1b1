/** Limits of rules, their evaluations and incidents. */
export const LIMITS = {
  /** Rules of an organisation, deleted ones not counted. */
  ALERT_RULES: 1000,
  /** One rule as JSON. */
  ALERT_RULE_BYTES: 64 * 1024,
  /** What happened is taken so many at a time. */
  ALERT_FACTS_AT_ONCE: 100,
  /** Of one thing that happened, evaluations that came to nothing and are kept; why a rule did not speak can be told without them. */
  ALERT_QUIET_EVALUATIONS: 50,
  /** Of one rule and hour; what it comes to beyond that is counted, but for what somebody is told of. */
  ALERT_EVALUATIONS_AN_HOUR: 300,
  /** How long evaluations are kept. */
  ALERT_EVALUATION_DAYS: 14,
  /** For so long each hour of what is measured and quiet is kept by itself; of days before, one says how many were like it. */
  ALERT_QUIET_DAYS: 2,
  /** Evaluations or incidents that one statement looks through for a person who is erased. */
  ALERT_SEARCHED_ROWS: 500,
  /** Of these that name the person, those that one transaction changes: whoever writes meanwhile waits for it. */
  ALERT_CHANGED_AT_ONCE: 10,
  /** Evaluations of one rule, the newest. */
  ALERT_EVALUATIONS_KEPT: 5000,
  /** Further firings of a rule within it are told together, at its end. */
  ALERT_GATHER_MS: 60_000,
  /** While firings go on, the next message comes at the end of it. */
  ALERT_GATHER_LONG_MS: 5 * 60_000,
  /** Firings that one message names. */
  ALERT_GATHERED_NAMED: 500,
  /** For so long after its first event a release is new: what fires because of it is told together. */
  ALERT_DEPLOY_MS: 10 * 60_000,
  /** Changes between firing and over within a time after which an incident flaps, and how long it then has to be calm. */
  ALERT_FLAPPING_CHANGES: 4,
  ALERT_FLAPPING_WITHIN_MS: 30 * 60_000,
  ALERT_FLAPPING_CALM_MS: 15 * 60_000,
  /** The end of its incidents is told so long after somebody closed an issue. When that is undone by then, nobody is told of it. */
  ALERT_UNDO_MS: 10_000,
  /** How long after that its incidents go on when the issue is opened again; later that is a decision of its own. */
  ALERT_TAKEN_BACK_MS: 60 * 60_000,
  /** Of incidents that end at once, as their rule is deleted, a receiver is told one by one up to so many, else in one message. */
  ALERT_ENDS_APART: 3,
  /** An incident of an issue that nobody closed is over after so long without anything new. */
  ALERT_INCIDENT_DAYS: 14,
  /** Incidents that are over are kept for so long. */
  ALERT_INCIDENT_KEPT_DAYS: 365,
  /** Between two looks at what has to be told later. */
  ALERT_TICK_MS: 1000,
  /** Rules that were read are believed for so long where other servers may change them, */
  ALERT_RULES_AGE_MS: 5000,
  /** and where none does; the people, teams and projects that their searches name, too. */
  ALERT_NAMES_AGE_MS: 60_000,
  /** Organisations whose rules are kept compiled. */
  ALERT_ORGANIZATIONS_KNOWN: 2000,
  /** Who was here lately, for rules whose issue nobody owns. */
  ALERT_RECENT_PEOPLE: 20,
  ALERT_RECENT_DAYS: 30,
  /** People that one rule tells. */
  ALERT_PEOPLE: 200,
  /** Rules of which the page of an issue says why they spoke or did not. */
  ALERT_RULES_EXPLAINED: 200,
  ALERT_FACTS_EXPLAINED: 50,
  /** Rows that one step of housekeeping removes. */
  ALERT_STEP_ROWS: 2000,
  /** A snooze link in a message is good for so long. */
  ALERT_SNOOZE_LINK_DAYS: 30,
  /** Days of the past before this hour of the week is known; until then all hours are looked at. */
  BASELINE_LEARNING_DAYS: 14,
  /** Weeks whose hours are compared with this one. */
  BASELINE_WEEKS: 4,
  /** Values without which nothing is usual: hours of the week, and hours of any day while it is learned. */
  BASELINE_LEAST_VALUES: 4,
  BASELINE_LEAST_LEARNED: 24,
  /** Of the middle, by which a number other than a count may differ for no reason. */
  BASELINE_LEAST_SPREAD_PERCENT: 10,
  /** Parts of a thousand by which a share that is nearly all may differ for no reason. */
  BASELINE_LEAST_SPREAD_PER_MILLE: 5,
  /** A share or a percentile of fewer rows says nothing about what is usual. */
  BASELINE_LEAST_ROWS: 20,
  /** What is unusual has to be so in so many of the last minutes. */
  UNUSUAL_MINUTES: 2,
  UNUSUAL_OF_MINUTES: 3,
  /** What is older than so by its own time when it comes is not counted: a phone that was in a tunnel is no spike. */
  MEASURE_OLD_MS: 60 * 60_000,
  /** How far back the things are looked for that came too late to count. */
  MEASURE_OLD_DAYS: 7,
  /** Steps of the time in which nothing may come: the last with something says when to look again. */
  SILENCE_STEPS: 60,
  SILENCE_LEAST_STEPS: 6,
  /** Groups that were there so long ago are missed when they are silent. */
  SILENCE_GROUPS_MS: 24 * 60 * 60_000,
  /** Groups of one rule that are looked at. */
  MEASURE_GROUPS: 100,
  /** What fires is over when for so long, after its window was empty, nothing at all came that could be measured, */
  MEASURE_NOTHING_MINUTES: 30,
  /** and when for so long too little came to judge it by. */
  MEASURE_UNKNOWN_MINUTES: 24 * 60,
  /** The shortest window over check-ins: that a run never came is written a little later than what is digested. */
  MEASURE_CHECK_IN_MINUTES: 5,
  /** The shortest window over replays, which are stored after everything else. */
  MEASURE_REPLAY_MINUTES: 5,
  /** Characters of a value by which rows are grouped. */
  MEASURE_GROUP_CHARACTERS: 200,
  /** Rules that share a statement: projects with what narrows their rows, different aggregates, and text. */
  MEASURE_JOINED_ROWS: 4000,
  MEASURE_AGGREGATES: 8,
  MEASURE_STATEMENT_BYTES: 1024 * 1024,
  /** What a statement may take that many rules share. */
  MEASURE_SHARED_SECONDS: 8,
  MEASURE_SHARED_ROWS: 50_000_000,
  MEASURE_STATEMENT_GROUPS: 200_000,
  MEASURE_MEMORY_BYTES: 200 * 1024 * 1024,
  /** What one rule with a search of its own may take before it is stopped. */
  MEASURE_OWN_SECONDS: 2,
  MEASURE_OWN_ROWS: 20_000_000,
  /** What it may take on the average, before it is evaluated only every so many minutes. */
  MEASURE_BUDGET_ROWS: 2_000_000,
  MEASURE_BUDGET_MS: 300,
  MEASURE_SLOWED_MINUTES: 5,
  /** What telemetry may work for all rules with searches of their own, of one minute; others of them wait for the next. */
  MEASURE_OWN_TIME_MS: 20_000,
  /** However little it works, so much of the minute is theirs: a busy machine has the next one not wait. */
  MEASURE_OWN_ELAPSED_MS: 45_000,
  /** So many of them are evaluated each minute, however long they take. */
  MEASURE_OWN_LEAST: 10,
  /** How often it is looked whether a minute is over. */
  MEASURE_INTERVAL_MS: 2000,
  /** Minutes that are evaluated in one go after a lag. */
  MEASURE_MINUTES_AT_ONCE: 60,
  /** When nobody listened for longer, nothing could be received in that time. */
  MEASURE_GAP_MS: 60_000,
  /** How often it is written down that somebody listens: a time in which nobody did begins so much too early at most. */
  MEASURE_HEARD_MS: 20_000,
  /** Time for reading what was: when it is over, the days that were read by then are enough. */
  DRY_RUN_READ_MS: 1500,
  /** What one statement of it may take. */
  DRY_RUN_SECONDS: 4,
  DRY_RUN_ROWS: 100_000_000,
  /** Steps of a window, where its values cannot be added up from minutes. */
  DRY_RUN_STEPS: 60,
  /** Minutes of all groups up to which other limits are tried as well. */
  DRY_RUN_LADDER_STEPS: 500_000,
  /** Points of a line that is drawn of it, and lines. */
  DRY_RUN_POINTS: 336,
  DRY_RUN_LINES: 5,
  /** Firings whose messages are shown, and those that are listed. */
  DRY_RUN_MESSAGES: 20,
  DRY_RUN_FIRINGS: 200,
  /** Things that happened which are looked at, the newest. */
  DRY_RUN_FACTS: 20_000,
} as const
