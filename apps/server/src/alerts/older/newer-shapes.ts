import type { AlertAction, AlertHappening, DetectorJson, WorkflowJson } from '@firsthand/contract'
import { toDate } from '../../lib/instant-text.ts'
import type { AlertRule } from '../rule.ts'
import type { ShownNames } from './to-sentry.ts'

/** A rule as Sentry shows alerts since May 2026: what finds something, and who is told of it. Both have the rule's id. */

const HIGH = 75
const MEDIUM = 50
const FINE = 0

type Condition = NonNullable<DetectorJson['conditionGroup']>['conditions'][number]

const conditionOf = (
  rule: AlertRule,
  place: number,
  type: string,
  comparison: unknown,
  conditionResult: number | boolean,
): Condition => ({
  id: `${rule.id}${place}`,
  type,
  comparison,
  conditionResult,
})

/** What a value is held against; the condition that says that all is well is explicit. */
const conditionsOf = (rule: AlertRule): Condition[] => {
  const { trigger } = rule.draft
  if (trigger.source === 'happened') return []
  if (trigger.source === 'silence') {
    return [conditionOf(rule, 1, 'lt', 1, HIGH), conditionOf(rule, 2, 'gte', 1, FINE)]
  }
  const { comparison, recovery } = trigger
  if (comparison.kind === 'unusual') {
    const { direction, sensitivity } = comparison
    const seen = {
      sensitivity: { calm: 'low', normal: 'medium', sensitive: 'high' }[sensitivity],
      seasonality: 'auto',
      thresholdType: { above: 0, below: 1, both: 2 }[direction],
    }
    return [conditionOf(rule, 1, 'anomaly_detection', seen, HIGH)]
  }
  const [beyond, back] = comparison.direction === 'above' ? ['gt', 'lte'] : ['lt', 'gte']
  const first = comparison.kind === 'fixed' ? comparison.limit : comparison.percent
  const worse = comparison.kind === 'fixed' ? comparison.worseLimit : null
  return [
    ...(worse === null ? [] : [conditionOf(rule, 1, beyond, worse, HIGH)]),
    conditionOf(rule, 2, beyond, first, worse === null ? HIGH : MEDIUM),
    conditionOf(rule, 3, back, recovery.limit ?? first, FINE),
  ]
}

const sourcesOf = (rule: AlertRule): DetectorJson['dataSources'] => {
  const { environments, query, trigger } = rule.draft
  if (trigger.source === 'happened') return null
  const id = String(rule.id)
  const minutes = trigger.source === 'measured' ? trigger.windowMinutes : trigger.minutes
  return [
    {
      id,
      organizationId: String(rule.organizationId),
      type: 'snuba_query_subscription',
      sourceId: id,
      queryObj: {
        id,
        status: 0,
        subscription: null,
        snubaQuery: {
          id,
          dataset: trigger.dataset === 'errors' ? 'events' : 'events_analytics_platform',
          query,
          aggregate: trigger.source === 'measured' ? trigger.aggregate : 'count()',
          timeWindow: minutes * 60,
          environment: environments[0] ?? null,
          eventTypes: trigger.dataset === 'errors' ? ['error'] : [],
        },
      },
    },
  ]
}

const configOf = ({ draft: { trigger } }: AlertRule): Record<string, unknown> => {
  if (trigger.source !== 'measured') return trigger.source === 'silence' ? { detectionType: 'static' } : {}
  const { comparison } = trigger
  if (comparison.kind === 'change') return { detectionType: 'percent', comparisonDelta: comparison.against * 60 }
  return { detectionType: comparison.kind === 'unusual' ? 'dynamic' : 'static' }
}

const ownerOf = ({ draft: { owner } }: AlertRule): DetectorJson['owner'] => {
  const [type, id] = owner?.split(':') ?? []
  return type === undefined || id === undefined ? null : { type, id, name: '' }
}

const commonOf = (rule: AlertRule) => ({
  id: String(rule.id),
  name: rule.draft.name,
  createdBy: rule.createdBy === null ? null : String(rule.createdBy),
  dateCreated: toDate(rule.createdAt),
  dateUpdated: toDate(rule.updatedAt),
  enabled: rule.draft.isEnabled,
})

export const detectorJson = (rule: AlertRule, openIssues: number): DetectorJson => {
  const isMeasured = rule.draft.trigger.source !== 'happened'
  const id = String(rule.id)
  return {
    ...commonOf(rule),
    projectId: rule.projectIds?.length === 1 ? String(rule.projectIds[0]) : null,
    description: null,
    type: isMeasured ? 'metric_issue' : 'error',
    workflowIds: [id],
    owner: ownerOf(rule),
    dataSources: sourcesOf(rule),
    conditionGroup: isMeasured
      ? {
          id,
          organizationId: String(rule.organizationId),
          logicType: 'any',
          conditions: conditionsOf(rule),
          actions: [],
        }
      : null,
    config: configOf(rule),
    openIssues,
    latestGroup: null,
  }
}

/** Those that Sentry has a trigger for; of the others the name is ours. */
const TRIGGERS: Partial<Readonly<Record<AlertHappening, string>>> = {
  issue_opened: 'first_seen_event',
  issue_regressed: 'regression_event',
  issue_escalating: 'reappeared_event',
  issue_unarchived: 'reappeared_event',
  issue_priority_raised: 'new_high_priority_issue',
  issue_resolved: 'issue_resolved_trigger',
}

const triggersOf = (rule: AlertRule): Condition[] => {
  const { trigger } = rule.draft
  if (trigger.source !== 'happened') return []
  const types = new Set(trigger.kinds.map((kind) => TRIGGERS[kind] ?? kind))
  return [...types].map((type, place) => conditionOf(rule, place + 1, type, true, true))
}

const actionJson = (
  action: AlertAction,
  place: number,
  rule: AlertRule,
  names: ShownNames,
): WorkflowJson['actionFilters'][number]['actions'][number] => {
  const common = { id: `${rule.id}${place}`, integrationId: null, data: {}, status: 'active' }
  if (action.kind === 'people') {
    const targetType = action.target === 'owners' ? 'issue_owners' : action.target === 'member' ? 'user' : 'team'
    return { ...common, type: 'email', config: { targetType, targetIdentifier: action.id, targetDisplay: null } }
  }
  const channel = names.channelOf(Number(action.channelId))
  const config = { targetType: 'specific', targetIdentifier: action.channelId, targetDisplay: channel?.name ?? null }
  return { ...common, type: channel?.kind ?? 'webhook', config }
}

export const workflowJson = (rule: AlertRule, names: ShownNames): WorkflowJson => {
  const id = String(rule.id)
  const organizationId = String(rule.organizationId)
  const { actions, environments, frequencyMinutes, owner } = rule.draft
  return {
    ...commonOf(rule),
    organizationId,
    triggers: { id, organizationId, logicType: 'any-short', conditions: triggersOf(rule), actions: [] },
    actionFilters: [
      {
        id,
        organizationId,
        logicType: 'all',
        conditions: [],
        actions: actions.map((action, place) => actionJson(action, place + 1, rule, names)),
      },
    ],
    environment: environments[0] ?? null,
    config: { frequency: frequencyMinutes },
    detectorIds: [id],
    lastTriggered: rule.lastFiredAt === null ? null : toDate(rule.lastFiredAt),
    owner,
  }
}
