import { z } from './zod.ts'
import { date, displayName, empty, flag, id, paging, projectFilter, timeRange } from './common.ts'
import { endpoint } from './endpoint.ts'
import { actor } from './issues.ts'

/** Alerts: saved searches that speak. A rule says what is watched and who is told; an incident is one time that it spoke. */

const numericId = z.string().regex(/^\d{1,16}$/, 'An id is a number.')

/** What can happen to an issue, a report or a release that a rule may wait for. */
export const ALERT_HAPPENINGS = [
  'issue_opened',
  'issue_regressed',
  'issue_escalating',
  'issue_unarchived',
  'issue_priority_raised',
  'issue_resolved',
  'issue_archived',
  'issue_reopened',
  'issue_assigned',
  'release_first_seen',
  'report_received',
  'reporter_replied',
] as const
export type AlertHappening = (typeof ALERT_HAPPENINGS)[number]

/** Minutes over which something is counted. */
export const ALERT_WINDOWS = [1, 5, 10, 15, 30, 60, 120, 240, 1440] as const

const windowMinutes = z.literal(ALERT_WINDOWS)

/** Tables of telemetry that can be measured, by the names that Explore asks them by. */
export const alertDataset = z.enum([
  'errors',
  'spans',
  'logs',
  'tracemetrics',
  'replays',
  'sessions',
  'feedback',
  'check_ins',
])
export type AlertDataset = z.output<typeof alertDataset>

/** A function as Explore writes it: `count()`, `count_unique(user)`, `p95(span.duration)`, `failure_rate()`. */
const aggregate = z.string().trim().min(1).max(200)

/** Each of its values is watched by itself: an incident for every release that is over the limit. */
const groupBy = z.array(z.string().trim().min(1).max(200)).max(3).default([])

/** How far it must have been better for how long until all is clear; `limit` null for the limit itself. */
const recovery = z.object({
  limit: z.number().nullable().default(null),
  minutes: z.int().min(0).max(1440).default(15),
})

const direction = z.enum(['above', 'below'])

/** What a value is held against. `floor` is the smallest value (largest for `below`: no floor) worth a message. */
export const alertComparison = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('fixed'),
    direction,
    limit: z.number(),
    /** From here on it is worse: the incident is told again, to those who are told of nothing less as well. */
    worseLimit: z.number().nullable().default(null),
  }),
  z.object({
    kind: z.literal('change'),
    direction,
    /** 50: half as much again as (or half of) the same window before. */
    percent: z.number().min(1).max(100_000),
    /** How long before, in minutes: an hour, a day, a week. */
    against: z.union([z.literal(60), z.literal(1440), z.literal(10_080)]),
    floor: z.number().min(0).default(0),
  }),
  z.object({
    kind: z.literal('unusual'),
    direction: z.enum(['above', 'below', 'both']),
    sensitivity: z.enum(['sensitive', 'normal', 'calm']).default('normal'),
    floor: z.number().min(0).default(0),
  }),
])
export type AlertComparison = z.output<typeof alertComparison>

export const alertTrigger = z.discriminatedUnion('source', [
  z.object({
    source: z.literal('happened'),
    /** Any of them. */
    kinds: z.array(z.enum(ALERT_HAPPENINGS)).min(1).max(ALERT_HAPPENINGS.length),
  }),
  z.object({
    source: z.literal('measured'),
    dataset: alertDataset,
    aggregate,
    windowMinutes,
    groupBy,
    comparison: alertComparison,
    /** Of fewer (sessions, or rows of the other tables) nothing is said: one of two at night is no half. */
    least: z.int().min(0).max(1_000_000_000).default(0),
    recovery: recovery.prefault({}),
  }),
  z.object({
    source: z.literal('silence'),
    dataset: alertDataset,
    /** So long nothing may come. */
    minutes: z.int().min(1).max(10_080),
    groupBy,
  }),
])
export type AlertTrigger = z.output<typeof alertTrigger>

const clockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'A time of day is written 09:00.')

export const alertConditions = z.object({
  /** It speaks only then; null at any hour. `to` before `from` goes on past midnight. */
  hours: z
    .object({
      timezone: z.string().min(1).max(64),
      /** 1 Monday … 7 Sunday. */
      days: z.array(z.int().min(1).max(7)).min(1).max(7),
      from: clockTime,
      to: clockTime,
    })
    .nullable()
    .default(null),
  /** The issue is at least so old. */
  minimumAgeMinutes: z.int().min(0).max(525_600).default(0),
})
export type AlertConditions = z.output<typeof alertConditions>

/** `worse`: is told only when an incident becomes worse (`worseLimit`, twice as bad). */
const actionFrom = z.enum(['fired', 'worse']).default('fired')

export const alertAction = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('channel'), channelId: numericId, from: actionFrom }),
  z.object({
    kind: z.literal('people'),
    /** `owners` of the issue, one team, one member. */
    target: z.enum(['owners', 'team', 'member']),
    /** Of the team or the user; null for owners. */
    id: numericId.nullable().default(null),
    /** Who is told when an issue has no owner: those who were here last, all of the project, nobody. */
    fallthrough: z.enum(['active', 'all', 'nobody']).default('active'),
    from: actionFrom,
  }),
])
export type AlertAction = z.output<typeof alertAction>

export const ALERT_MAX_ACTIONS = 10

/** All that somebody says of a rule. */
export const alertDraft = z.object({
  name: displayName,
  /** Null for every project of the organisation, those that come later as well. */
  projects: z.array(numericId).min(1).max(100).nullable().default(null),
  /** Of issues where something happened, otherwise of the dataset. */
  query: z.string().trim().max(2000).default(''),
  /** Any of them; none named is all. */
  environments: z.array(z.string().min(1).max(64)).max(20).default([]),
  trigger: alertTrigger,
  conditions: alertConditions.prefault({}),
  actions: z.array(alertAction).max(ALERT_MAX_ACTIONS).default([]),
  /** The same issue, or the same group, is told again after so long at the earliest. */
  frequencyMinutes: z.int().min(0).max(43_200).default(30),
  maxMessagesPerHour: z.int().min(1).max(60).default(10),
  /** Who looks after the rule: `user:1`, `team:1`. */
  owner: z
    .string()
    .regex(/^(user|team):\d{1,16}$/, 'An owner is written user:1 or team:1.')
    .nullable()
    .default(null),
  isEnabled: z.boolean().default(true),
})
export type AlertDraft = z.output<typeof alertDraft>
export type AlertDraftInput = z.input<typeof alertDraft>

/**
 * How a rule stands. `pending`: over the limit, not for long enough. `recovering`: below it, not for long enough.
 * `unknown`: could not be evaluated. `learning`: does not yet know what is usual. `flapping`: fired and was over again and
 * again; it waits until it is calm.
 */
export const alertState = z.enum(['ok', 'pending', 'firing', 'recovering', 'unknown', 'learning', 'flapping'])
export type AlertState = z.output<typeof alertState>

/** What evaluating it takes, on the average of its last hour; null before it was evaluated. */
const alertCost = z.object({
  evaluations: z.number(),
  rows: z.number(),
  milliseconds: z.number(),
  /** More than 1 when it took more than it may and is evaluated less often. */
  everyMinutes: z.number(),
  isSlowed: z.boolean(),
})

export const alertRule = alertDraft.extend({
  id,
  owner: actor.nullable(),
  /** Rises with each change; a change names the version that it is of. */
  version: z.number(),
  /** The one that every organisation begins with. */
  isDefault: z.boolean(),
  state: alertState,
  /** In a sentence, where there is more to say than the state: why it is unknown, 5 of 14 days learned. */
  stateReason: z.string().nullable(),
  mutedUntil: date.nullable(),
  /** Muted without an end. */
  isMuted: z.boolean(),
  mutedBy: actor.nullable(),
  lastFired: date.nullable(),
  openIncidents: z.number(),
  /** Sent in the last 7 days. */
  messages: z.number(),
  cost: alertCost.nullable(),
  createdBy: actor.nullable(),
  dateCreated: date,
  dateUpdated: date,
})
export type AlertRule = z.output<typeof alertRule>

const BASE = '/organizations/{org}/alerts/'
const ONE = '/organizations/{org}/alerts/{alert}/'

export const listAlerts = endpoint({
  method: 'GET',
  path: BASE,
  query: z.object({
    /** Words of the name or of the search. */
    query: z.string().max(200).optional(),
    ...projectFilter,
    ...paging,
  }),
  ok: z.array(alertRule),
  summary: 'Rules of alerts: those that fire first, then by name',
  scope: 'event:read',
})

export const createAlert = endpoint({
  method: 'POST',
  path: BASE,
  body: alertDraft,
  ok: alertRule,
  summary: 'Add a rule (201)',
  scope: 'event:write',
})

export const getAlert = endpoint({ method: 'GET', path: ONE, ok: alertRule, summary: 'One rule', scope: 'event:read' })

export const updateAlert = endpoint({
  method: 'PUT',
  path: ONE,
  body: alertDraft.extend({ version: z.int().min(1) }),
  ok: alertRule,
  summary: 'Change a rule, keeping its incidents; 409 when somebody else changed it meanwhile',
  scope: 'event:write',
})

export const deleteAlert = endpoint({
  method: 'DELETE',
  path: ONE,
  ok: empty,
  summary: 'Delete a rule, close its incidents and tell whoever heard of them; may be undone for a while',
  scope: 'event:write',
})

export const restoreAlert = endpoint({
  method: 'POST',
  path: '/organizations/{org}/alerts/{alert}/restore/',
  ok: alertRule,
  summary: 'Undo a deletion that is not yet carried out',
  scope: 'event:write',
})

export const enableAlert = endpoint({
  method: 'PUT',
  path: '/organizations/{org}/alerts/{alert}/enabled/',
  body: z.object({ isEnabled: z.boolean() }),
  ok: alertRule,
  summary: 'Switch a rule on or off',
  scope: 'event:write',
})

export const muteAlert = endpoint({
  method: 'PUT',
  path: '/organizations/{org}/alerts/{alert}/mute/',
  /** Null until somebody takes it back. */
  body: z.object({ minutes: z.int().min(1).max(525_600).nullable() }),
  ok: alertRule,
  summary: 'Evaluate a rule, but tell nobody, for some time',
  scope: 'event:write',
})

export const unmuteAlert = endpoint({
  method: 'DELETE',
  path: '/organizations/{org}/alerts/{alert}/mute/',
  ok: alertRule,
  summary: 'Let a rule speak again',
  scope: 'event:write',
})

export const duplicateAlert = endpoint({
  method: 'POST',
  path: '/organizations/{org}/alerts/{alert}/duplicate/',
  ok: alertRule,
  summary: 'A copy of a rule under the next name, switched off (201)',
  scope: 'event:write',
})

/** What an evaluation came to. */
export const alertDecision = z.enum([
  /** A new incident: told. */
  'fired',
  'worse',
  /** The incident goes on and somebody was told so. */
  'update',
  'over',
  /** The incident goes on, and nobody was told again. */
  'still',
  /** Over the limit, not for long enough. */
  'pending',
  /** It would have been told: see the reason. */
  'held',
  'quiet',
  /** Could not be evaluated. */
  'unknown',
])
export type AlertDecision = z.output<typeof alertDecision>

/** Why it came to that. */
export const ALERT_REASONS = [
  'matched',
  'limit',
  'kind',
  'project',
  'query',
  'environment',
  'age',
  'hours',
  'muted',
  'off',
  'frequency',
  'cap',
  'channel_cap',
  'organization_cap',
  'grouped',
  'same_channel',
  'inhibited',
  'floor',
  'few',
  'learning',
  'flapping',
  'no_receiver',
  'late',
  'lag',
  'telemetry_away',
  'over_budget',
  'before_rule',
  'other',
] as const
export type AlertReason = (typeof ALERT_REASONS)[number]

const groupValues = z.array(z.object({ name: z.string(), value: z.string() }))

const issueOfAlert = z.object({ id, shortId: z.string(), title: z.string() })

export const alertEvaluation = z.object({
  id,
  /** Which time it is of: the minute, or when the server received what happened. */
  at: date,
  /** How late it was evaluated. */
  lateSeconds: z.number(),
  ruleVersion: z.number(),
  group: groupValues,
  issue: issueOfAlert.nullable(),
  decision: alertDecision,
  reason: z.enum(ALERT_REASONS),
  /** `212 > 200 users in 10 minutes`, as it was said then. */
  sentence: z.string(),
  value: z.number().nullable(),
  limit: z.number().nullable(),
  unit: z.string().nullable(),
  windowMinutes: z.number().nullable(),
  incidentId: id.nullable(),
  /** How many evaluations like it followed: only the first of a row of equal ones is kept with all it has. */
  repeated: z.number(),
  rows: z.number().nullable(),
  milliseconds: z.number().nullable(),
})
export type AlertEvaluation = z.output<typeof alertEvaluation>

export const listAlertEvaluations = endpoint({
  method: 'GET',
  path: '/organizations/{org}/alerts/{alert}/evaluations/',
  query: z.object({
    /** Otherwise only those that came to something else than the one before. */
    all: flag().default(false),
    ...paging,
  }),
  ok: z.array(alertEvaluation),
  summary: 'Why a rule fired and why it did not, newest first, of 14 days',
  scope: 'event:read',
})

/** What became of a message, in the words of the outbox. */
const deliveryState = z.enum(['waiting', 'sending', 'sent', 'failed', 'withdrawn', 'held'])

const alertDelivery = z.object({
  id,
  at: date,
  stage: z.enum(['first', 'update', 'over', 'single']),
  receiver: z.string(),
  /** Kind of the channel: `mail`, `slack`, …; `inbox` for people. */
  channel: z.string(),
  channelId: id.nullable(),
  state: deliveryState,
  /** What the other side said, or why it waits. */
  sentence: z.string().nullable(),
})
export type AlertDelivery = z.output<typeof alertDelivery>

export const alertIncident = z.object({
  id,
  ruleId: id,
  ruleName: z.string(),
  group: groupValues,
  issue: issueOfAlert.nullable(),
  projectId: id.nullable(),
  /** Title of its first message. */
  headline: z.string(),
  state: z.enum(['firing', 'recovering', 'flapping', 'over']),
  isMuted: z.boolean(),
  started: date,
  ended: date.nullable(),
  /** Worst value, the limit then, and what both are in. */
  peak: z.number().nullable(),
  limit: z.number().nullable(),
  unit: z.string().nullable(),
  /** How many more were told in its messages. */
  swallowed: z.number(),
  deliveries: z.array(alertDelivery),
})
export type AlertIncident = z.output<typeof alertIncident>

export const listAlertIncidents = endpoint({
  method: 'GET',
  path: '/organizations/{org}/alert-incidents/',
  query: z.object({
    alert: numericId.optional(),
    issue: numericId.optional(),
    /** Only those that are not over. */
    open: flag().optional(),
    ...projectFilter,
    ...timeRange,
    ...paging,
  }),
  ok: z.array(alertIncident),
  summary: 'When alerts fired, newest first, with what became of each message',
  scope: 'event:read',
})

export const listIssueAlerts = endpoint({
  method: 'GET',
  path: '/organizations/{org}/issues/{issue}/alerts/',
  ok: z.object({
    /** What the rules were told of this issue, newest first: only of the last 14 days. */
    happenings: z.array(z.object({ at: date, kind: z.enum(ALERT_HAPPENINGS) })),
    /** Each rule that could have spoken of it, those that did first. */
    rules: z.array(
      z.object({
        rule: z.object({ id, name: z.string(), source: z.enum(['happened', 'measured', 'silence']) }),
        spoke: z.boolean(),
        /** "Waits for regressions; this issue never came back." */
        sentence: z.string(),
        evaluations: z.array(alertEvaluation),
      }),
    ),
  }),
  summary: 'Why rules spoke of an issue, and why others did not',
  scope: 'event:read',
})

/** What is said, without mark-up, as channels make their messages of. */
export const alertMessage = z.object({
  kind: z.string(),
  level: z.enum(['fatal', 'error', 'warning', 'info', 'ok']),
  headline: z.string(),
  blocks: z.array(
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('text'), text: z.string() }),
      z.object({ kind: z.literal('code'), text: z.string() }),
      z.object({ kind: z.literal('quote'), text: z.string(), by: z.string() }),
      z.object({ kind: z.literal('facts'), rows: z.array(z.object({ name: z.string(), value: z.string() })) }),
      z.object({
        kind: z.literal('list'),
        items: z.array(z.object({ text: z.string(), path: z.string().optional() })),
      }),
    ]),
  ),
  actions: z.array(z.object({ label: z.string(), path: z.string() })),
  stage: z.enum(['first', 'update', 'over', 'single']),
  reason: z.string(),
})
export type AlertMessage = z.output<typeof alertMessage>

/** The same message as one kind of channel would have sent it. */
const renderedMessage = z.object({
  /** Kind of the channel: `slack`, `mail`, `webhook`, … */
  channel: z.string(),
  subject: z.string().nullable(),
  /** The request's body, or the mail's text. */
  body: z.string(),
  /** Of a mail. */
  html: z.string().nullable(),
})

/** `[seconds since the epoch, value]`; null where nothing can be said. */
const point = z.tuple([z.number(), z.number().nullable()])

export const alertDryRun = z.object({
  from: date,
  to: date,
  /** Seconds of a step of the series, of which each value is the worst. */
  interval: z.number(),
  unit: z.string(),
  /** Those with the worst values first, of at most five; `label` is empty without groups. */
  series: z.array(z.object({ label: z.string(), points: z.array(point) })),
  groups: z.number(),
  /** What was usual: seconds, lower end, middle, upper end. */
  band: z.array(z.tuple([z.number(), z.number(), z.number(), z.number()])).nullable(),
  limit: z.number().nullable(),
  /** How many messages each other limit would have cost, in order of limits. */
  ladder: z.array(z.object({ limit: z.number(), messages: z.number() })),
  firings: z.array(
    z.object({
      /** Of the message; null for one that nobody would have got. */
      number: z.number().nullable(),
      at: date,
      until: date.nullable(),
      value: z.number().nullable(),
      limit: z.number().nullable(),
      group: groupValues,
      issue: issueOfAlert.nullable(),
      decision: alertDecision,
      reason: z.enum(ALERT_REASONS),
      sentence: z.string(),
      /** First, updates and all-clear; of the first incidents only. */
      messages: z.array(z.object({ at: date, message: alertMessage, rendered: z.array(renderedMessage) })),
    }),
  ),
  /** More fired than are listed when these are more than `firings`. */
  incidents: z.number(),
  messages: z.number(),
  /** Between 22:00 and 6:00 of the person's zone. */
  atNight: z.number(),
  /** One for each action, in their order. */
  receivers: z.array(
    z.object({
      label: z.string(),
      channel: z.string(),
      /** Messages that began an incident, and those that followed. */
      first: z.number(),
      updates: z.number(),
      note: z.string().nullable(),
    }),
  ),
  evaluations: z.number(),
  rows: z.number(),
  milliseconds: z.number(),
  /** When not all was looked at: in a sentence, and how many of the days. */
  sampled: z.object({ days: z.number(), of: z.number(), sentence: z.string() }).nullable(),
  /** What cannot be replayed, in sentences. */
  missing: z.array(z.string()),
  /** Days that it has learned from, of those that it needs. */
  learning: z.object({ days: z.number(), of: z.number() }).nullable(),
})
export type AlertDryRun = z.output<typeof alertDryRun>

export const dryRunAlert = endpoint({
  method: 'POST',
  path: '/organizations/{org}/alert-dry-run/',
  body: z.object({
    rule: alertDraft,
    /** The rule that is being changed, whose mutes count. */
    alert: numericId.optional(),
    days: z.int().min(1).max(14).default(14),
    timezone: z.string().min(1).max(64).default('UTC'),
  }),
  ok: alertDryRun,
  summary: 'When a rule would have fired in the last 14 days, and its messages; nothing is sent or kept',
  scope: 'event:read',
})

export const testAlert = endpoint({
  method: 'POST',
  path: '/organizations/{org}/alerts/{alert}/test/',
  ok: z.object({
    results: z.array(
      z.object({
        /** Place in the rule's actions. */
        action: z.number(),
        receiver: z.string(),
        isOk: z.boolean(),
        status: z.number().nullable(),
        /** What the other side said. */
        answer: z.string(),
      }),
    ),
  }),
  summary: 'Perform what the rule says as it is saved, with a message that says it is a test',
  scope: 'event:write',
})
