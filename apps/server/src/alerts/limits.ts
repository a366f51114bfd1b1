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
  /** How long evaluations are kept. */
  ALERT_EVALUATION_DAYS: 14,
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
  /** An incident of an issue that nobody closed is over after so long without anything new. */
  ALERT_INCIDENT_DAYS: 14,
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
} as const
