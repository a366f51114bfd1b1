import { z } from './zod.ts'
import { ruleSnooze, ruleSnoozeBody } from './alert-rules.ts'
import { date, displayName, empty, id, paging, projectFilter } from './common.ts'
import { endpoint } from './endpoint.ts'

/** Alerts about how much as scripts of Sentry's write and read them at its older address. */

/** Fields whose values stand for something that another system has are read as they come, and refused where that is not here. */
const triggerAction = z.looseObject({
  type: z.string().max(64),
  targetType: z.string().max(64).nullish(),
  targetIdentifier: z.union([z.string().max(200), z.number()]).nullish(),
  inputChannelId: z.string().max(200).nullish(),
  integrationId: z.union([z.string().max(64), z.number()]).nullish(),
  priority: z.string().max(64).nullish(),
})

const trigger = z.looseObject({
  label: z.enum(['critical', 'warning']),
  alertThreshold: z.number(),
  actions: z.array(triggerAction).max(10).default([]),
})

/** All that is understood of it; what else a script sends is refused, or means nothing here. */
export const alertRuleDraft = z.looseObject({
  name: displayName,
  aggregate: z.string().trim().min(1).max(200),
  /** Minutes. */
  timeWindow: z.number(),
  projects: z.array(z.string().max(100)).max(100),
  query: z.string().trim().max(2000).default(''),
  dataset: z.string().max(64).default('events'),
  queryType: z.number().nullish(),
  eventTypes: z.array(z.string().max(64)).max(10).nullish(),
  environment: z.string().max(64).nullish(),
  /** 0 above, 1 below, 2 both. */
  thresholdType: z.union([z.literal(0), z.literal(1), z.literal(2)]),
  resolveThreshold: z.number().nullish(),
  /** Minutes before with which is compared; then thresholds are percent. */
  comparisonDelta: z.number().nullish(),
  detectionType: z.enum(['static', 'percent', 'dynamic']).nullish(),
  sensitivity: z.enum(['low', 'medium', 'high']).nullish(),
  seasonality: z.string().max(64).nullish(),
  owner: z.string().max(64).nullish(),
  triggers: z.array(trigger).min(1).max(2),
})
export type AlertRuleDraft = z.output<typeof alertRuleDraft>

const alertRuleJson = z.object({
  id,
  name: z.string(),
  organizationId: id,
  /** 0 switched on, 4 off. */
  status: z.number(),
  queryType: z.number(),
  dataset: z.string(),
  query: z.string(),
  aggregate: z.string(),
  thresholdType: z.number(),
  resolveThreshold: z.number().nullable(),
  timeWindow: z.number(),
  environment: z.string().nullable(),
  triggers: z.array(
    z.object({
      id,
      alertRuleId: id,
      label: z.string(),
      thresholdType: z.number(),
      alertThreshold: z.number(),
      resolveThreshold: z.number().nullable(),
      dateCreated: date,
      actions: z.array(
        z.object({
          id,
          alertRuleTriggerId: id,
          type: z.string(),
          targetType: z.string(),
          targetIdentifier: z.string().nullable(),
          inputChannelId: z.string().nullable(),
          integrationId: z.number().nullable(),
          sentryAppId: z.number().nullable(),
          dateCreated: date,
          desc: z.string(),
          priority: z.string().nullable(),
        }),
      ),
    }),
  ),
  projects: z.array(z.string()),
  eventTypes: z.array(z.string()),
  owner: z.string().nullable(),
  dateModified: date,
  dateCreated: date,
  createdBy: z.object({ id: z.number(), name: z.string(), email: z.string() }).nullable(),
  description: z.string(),
  detectionType: z.string(),
  sensitivity: z.string().nullable(),
  seasonality: z.string().nullable(),
  comparisonDelta: z.number().nullable(),
  snooze: z.boolean(),
})
export type AlertRuleJson = z.output<typeof alertRuleJson>

const RULES = '/organizations/{org}/alert-rules/'
const RULE = '/organizations/{org}/alert-rules/{alert}/'

export const listAlertRules = endpoint({
  method: 'GET',
  path: RULES,
  query: z.object({ ...projectFilter, ...paging }),
  ok: z.array(alertRuleJson),
  summary: 'Alerts about how much, as Sentry wrote them before May 2026; those that cannot be said so are left out',
  scope: 'event:read',
})

export const createAlertRule = endpoint({
  method: 'POST',
  path: RULES,
  body: alertRuleDraft,
  ok: alertRuleJson,
  summary: 'Add one (201); what is not understood is refused with a sentence',
  scope: 'event:write',
})

export const getAlertRule = endpoint({
  method: 'GET',
  path: RULE,
  ok: alertRuleJson,
  summary: 'One of them',
  scope: 'event:read',
})

export const updateAlertRule = endpoint({
  method: 'PUT',
  path: RULE,
  body: alertRuleDraft,
  ok: alertRuleJson,
  summary: 'Write it anew, keeping its incidents',
  scope: 'event:write',
})

export const deleteAlertRule = endpoint({
  method: 'DELETE',
  path: RULE,
  ok: empty,
  summary: 'Delete it, close its incidents, and tell whoever heard of them (202)',
  scope: 'event:write',
})

const SNOOZE = '/projects/{org}/{project}/alert-rules/{alert}/snooze/'

export const snoozeAlertRule = endpoint({
  method: 'POST',
  path: SNOOZE,
  body: ruleSnoozeBody,
  ok: ruleSnooze,
  summary: 'Mute it for everybody (201)',
  scope: 'event:write',
})

export const unsnoozeAlertRule = endpoint({
  method: 'DELETE',
  path: SNOOZE,
  ok: empty,
  summary: 'Let it speak again',
  scope: 'event:write',
})
