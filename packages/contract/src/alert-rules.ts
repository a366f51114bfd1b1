import { z } from './zod.ts'
import { date, empty, id, paging } from './common.ts'
import { endpoint } from './endpoint.ts'

/** Rules of issue alerts at Sentry's older address, as scripts write and read them. Ours are in `alerts.ts`. */

/** A condition, a filter or an action: what else it has depends on its id. */
const rulePart = z.looseObject({ id: z.string().min(1).max(200) })

export const issueAlertRuleBody = z.object({
  name: z.string().trim().min(1).max(128),
  actionMatch: z.enum(['any', 'all', 'none']).default('all'),
  conditions: z.array(rulePart).max(20).default([]),
  filterMatch: z.enum(['any', 'all', 'none']).default('all'),
  filters: z.array(rulePart).max(50).default([]),
  actions: z.array(rulePart).max(10).default([]),
  /** Minutes. */
  frequency: z.coerce.number<string | number>().pipe(z.int().min(0).max(43_200)).default(30),
  environment: z.string().max(64).nullish(),
  owner: z
    .string()
    .regex(/^(user|team):\d{1,16}$/, 'An owner is written user:1 or team:1.')
    .nullish(),
  /** What it asks besides, as a search; what it asked when it is left out. */
  query: z.string().trim().max(2000).optional(),
  status: z.enum(['active', 'disabled']).optional(),
})
export type IssueAlertRuleBody = z.output<typeof issueAlertRuleBody>

export const issueAlertRule = z.object({
  id,
  name: z.string(),
  actionMatch: z.enum(['any', 'all', 'none']),
  conditions: z.array(rulePart),
  filterMatch: z.enum(['any', 'all', 'none']),
  filters: z.array(rulePart),
  actions: z.array(rulePart),
  frequency: z.number(),
  environment: z.string().nullable(),
  owner: z.string().nullable(),
  projects: z.array(z.string()),
  status: z.enum(['active', 'disabled']),
  snooze: z.boolean(),
  lastTriggered: date.nullable(),
  dateCreated: date,
  createdBy: z.object({ id: z.number(), name: z.string(), email: z.string() }).nullable(),
  /** What it asks besides its conditions and filters, in the language of searches, which says more than those can. */
  query: z.string(),
})
export type IssueAlertRule = z.output<typeof issueAlertRule>

const BASE = '/projects/{org}/{project}/rules/'
const ONE = '/projects/{org}/{project}/rules/{alert}/'

export const listIssueAlertRules = endpoint({
  method: 'GET',
  path: BASE,
  query: z.object(paging),
  ok: z.array(issueAlertRule),
  summary: 'Alerts of a project that wait for something to happen, as Sentry writes them',
  scope: 'event:read',
})

export const createIssueAlertRule = endpoint({
  method: 'POST',
  path: BASE,
  body: issueAlertRuleBody,
  ok: issueAlertRule,
  summary: 'Add an alert as Sentry writes it (201)',
  scope: 'event:write',
})

export const getIssueAlertRule = endpoint({
  method: 'GET',
  path: ONE,
  ok: issueAlertRule,
  summary: 'One of them',
  scope: 'event:read',
})

export const updateIssueAlertRule = endpoint({
  method: 'PUT',
  path: ONE,
  body: issueAlertRuleBody,
  ok: issueAlertRule,
  summary: 'Write it anew',
  scope: 'event:write',
})

export const deleteIssueAlertRule = endpoint({
  method: 'DELETE',
  path: ONE,
  ok: empty,
  summary: 'Delete it',
  scope: 'event:write',
})

export const ruleSnoozeBody = z.object({
  target: z.enum(['me', 'everyone']).default('everyone'),
  /** Absent: until somebody takes it back. */
  until: z.string().max(40).nullish(),
})
export type RuleSnoozeBody = z.output<typeof ruleSnoozeBody>

export const ruleSnooze = z.object({
  ruleId: z.number(),
  ownerId: z.number(),
  userId: z.literal('everyone'),
  until: z.string(),
  dateAdded: date,
})
export type RuleSnooze = z.output<typeof ruleSnooze>

export const snoozeIssueAlertRule = endpoint({
  method: 'POST',
  path: '/projects/{org}/{project}/rules/{alert}/snooze/',
  body: ruleSnoozeBody,
  ok: ruleSnooze,
  summary: 'Mute it for everybody (201)',
  scope: 'event:write',
})

export const unsnoozeIssueAlertRule = endpoint({
  method: 'DELETE',
  path: '/projects/{org}/{project}/rules/{alert}/snooze/',
  ok: empty,
  summary: 'Let it speak again',
  scope: 'event:write',
})
