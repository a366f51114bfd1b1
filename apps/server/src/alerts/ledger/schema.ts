import type { Generated } from 'kysely'
import type { AlertDecision, AlertReason } from '@firsthand/contract'
import type { Flag, Instant, JsonText } from '../../storage/ledger/schema.ts'

/** What is watched, and who is told. */
export interface AlertRuleTable {
  id: Generated<number>
  organization_id: number
  name: string
  source: 'happened' | 'measured' | 'silence'
  /** All that somebody said of it, but its projects. */
  draft: JsonText
  /** It watches every project of the organisation; otherwise those of `alert_rule_projects`. */
  all_projects: Flag
  version: number
  is_enabled: Flag
  is_default: Flag
  muted_until: Instant | null
  /** Muted until somebody takes it back. */
  is_muted: Flag
  muted_by: number | null
  created_by: number | null
  created_at: Instant
  updated_at: Instant
  /** Since when it watches what it watches. */
  watched_since: Generated<Instant>
  last_fired_at: Instant | null
  /** Set when somebody deleted it, which can be undone for a while. */
  deleted_at: Instant | null
  /** As a script wrote it to the older address; null for others. */
  imported: JsonText | null
}

export interface AlertRuleProjectTable {
  rule_id: number
  project_id: number
}

export type IncidentState = 'firing' | 'recovering' | 'flapping' | 'over'

/** One time that a rule spoke, until it is over. */
export interface AlertIncidentTable {
  id: Generated<number>
  organization_id: number
  /** Incidents outlive their rule. */
  rule_id: number
  rule_name: string
  /** What it is about: `issue:7`, or the values of a group. A rule has one open incident of each. */
  subject: string
  group_values: JsonText
  issue_id: number | null
  project_id: number | null
  headline: string
  state: IncidentState
  started_at: Instant
  ended_at: Instant | null
  /** When something of it was told last; null when nothing was. */
  told_at: Instant | null
  changed_at: Instant
  /** When it may be told, if it is not over by then; null for one that was told, or of which nobody knows when. */
  due_at: Instant | null
  /** What began it; null for what is measured. */
  fact_id: number | null
  /** Worst value, and the limit then; null where nothing is measured. */
  peak: number | null
  value_limit: number | null
  unit: string | null
  /** Why it is over, while whoever heard of it is not told yet; null when there is nothing to tell. */
  untold_end: string | null
  /** Fact by which somebody ended it, while that can be taken back; null for others. */
  over_by: number | null
  /** When that is told; null once it was. */
  over_due_at: Instant | null
  /** How it stood before. */
  over_from: IncidentState | null
  /** Firings that were told together with it, and such that were not told. */
  swallowed: number
}

/** What a rule came to, and why. */
export interface AlertEvaluationTable {
  id: Generated<number>
  organization_id: number
  rule_id: number
  rule_version: number
  /** What was evaluated: `fact:12`, or a minute and a group. A rule evaluates it once. */
  occasion: string
  /** When the server received what happened, or the end of the minute. */
  at: Instant
  evaluated_at: Instant
  issue_id: number | null
  group_values: JsonText
  decision: AlertDecision
  reason: AlertReason
  sentence: string
  value: number | null
  value_limit: number | null
  unit: string | null
  window_minutes: number | null
  incident_id: number | null
  /** Equal ones that followed and are not kept by themselves. */
  repeated: number
  rows_read: number | null
  milliseconds: number | null
}

/** A message that a rule sent, of one incident: one of several has a row for each. */
export interface AlertMessageTable {
  id: Generated<number>
  organization_id: number
  rule_id: number
  incident_id: number | null
  /** Of the outbox. */
  key: string
  /** `channel:7`, `user:5`. */
  receiver: string
  /** `single`: it happened once, or was told together with others. */
  stage: 'first' | 'update' | 'over' | 'single'
  urgency: Generated<number>
  /** As what a person hears of it; null for a channel. */
  notice: string | null
  sent_at: Instant
}

/** Firings to one receiver that belong together: the first was told at once, what followed is told together. */
export interface AlertGatheringTable {
  id: Generated<number>
  organization_id: number
  /** `channel:7`, `user:5`. */
  receiver: string
  /** `rule:3`, `deploy:2` of what comes with new releases of a project, `over:` and the key of a summary of ends of what that told. */
  topic: string
  opened_at: Instant
  /** When what waits is told; when nothing waits, the gathering is over. */
  due_at: Instant
  /** Summaries so far. */
  told: number
  /** How many wait to be told; not all of them are named. */
  waiting: number
  /** Of the most urgent one that was told at once: what is more urgent does not wait. */
  urgency: number
}

/** A firing that waits to be told together with others. */
export interface AlertGatheredTable {
  id: Generated<number>
  gathering_id: number
  rule_id: number
  incident_id: number
  project_id: number | null
  /** As what a person hears of it; null for a channel. */
  notice: string | null
  /** Of its message. */
  kind: string
  level: string
  /** What it is called among others, and where it was. */
  name: string
  place: string
  text: string
  path: string
  /** Alerts that speak of the same have the same. */
  occasion: Generated<string>
  /** Another line says it: this one is not counted, and takes its place when that one is withdrawn. */
  is_again: Generated<Flag>
  /** It passes the quiet hours of those who chose so. */
  is_high: Generated<Flag>
}

/** Messages of a rule to a receiver beyond its most in an hour: how many, until a line says so. */
export interface AlertHeldBackTable {
  rule_id: number
  receiver: string
  organization_id: number
  /** When the first was held back. */
  since: Instant
  /** When the next line says how many: soon after the first, and an hour after it. */
  due_at: Instant
  /** Lines so far. */
  told: number
  held: number
  /** Of the worst. */
  level: string
  headline: string
}

/** Organisations that got the rule with which all begin; they may have deleted it. */
export interface AlertDefaultTable {
  organization_id: number
}

/** Up to which minute rules about how much were evaluated: one row, id 1. */
export interface MeasuredClockTable {
  id: number
  /** The last minute that is done, since the epoch. */
  minute: number
  /** A process listened until then: what is after is a gap until the next one does. */
  heard_until: Instant
  /** The last time in which nothing could be received; 0 for none. */
  gap_from: Instant
  gap_to: Instant
}

/** How a rule, or a group of it, stands: only those that are not simply quiet. */
export interface MeasuredCourseTable {
  rule_id: number
  organization_id: number
  /** JSON of the group's values, as they stand in rows. */
  group_key: string
  /** JSON: `Course`. */
  course: JsonText
  /** What its rule measured then: a course of something else says nothing. */
  shape: Generated<string>
}

/** What a rule took that has a search of its own, and how often it is evaluated for that. */
export interface MeasuredCostTable {
  rule_id: number
  organization_id: number
  rows: number
  milliseconds: number
  every_minutes: number
  /** Since when it is evaluated less often; null for a rule that is evaluated each minute. */
  slowed_at: Instant | null
}

declare module '../../storage/ledger/schema.ts' {
  interface LedgerSchema {
    alert_rules: AlertRuleTable
    alert_rule_projects: AlertRuleProjectTable
    alert_incidents: AlertIncidentTable
    alert_evaluations: AlertEvaluationTable
    alert_messages: AlertMessageTable
    alert_gatherings: AlertGatheringTable
    alert_gathered: AlertGatheredTable
    alert_held_back: AlertHeldBackTable
    alert_defaults: AlertDefaultTable
    measured_clock: MeasuredClockTable
    measured_courses: MeasuredCourseTable
    measured_costs: MeasuredCostTable
  }
}
