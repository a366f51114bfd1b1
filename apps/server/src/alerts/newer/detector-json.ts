import type { DetectorJson } from '@firsthand/contract'
import { toDate } from '../../lib/instant-text.ts'
import type { AlertRule } from '../rule.ts'
import { aggregateOf, datasetOf, queryTypeOf, thresholdOf } from '../older/to-sentry.ts'

/** A rule about how much, as what finds something. */

const HIGH = 75
const MEDIUM = 50
const FINE = 0

export type Condition = NonNullable<DetectorJson['conditionGroup']>['conditions'][number]

export const conditionOf = (
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
  const written = (limit: number): number => thresholdOf(trigger, limit)
  const first = comparison.kind === 'fixed' ? written(comparison.limit) : comparison.percent
  const worse = comparison.kind === 'fixed' && comparison.worseLimit !== null ? written(comparison.worseLimit) : null
  const well = recovery.limit === null ? first : written(recovery.limit)
  return [
    ...(worse === null ? [] : [conditionOf(rule, 1, beyond, worse, HIGH)]),
    conditionOf(rule, 2, beyond, first, worse === null ? HIGH : MEDIUM),
    conditionOf(rule, 3, back, well, FINE),
  ]
}

const sourcesOf = (rule: AlertRule): DetectorJson['dataSources'] => {
  const { environments, query, trigger } = rule.draft
  if (trigger.source === 'happened') return null
  const id = String(rule.id)
  const minutes = trigger.source === 'measured' ? trigger.windowMinutes : trigger.minutes
  const shown = datasetOf(query, trigger.dataset)
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
          ...shown,
          aggregate: aggregateOf(trigger.source === 'measured' ? trigger.aggregate : 'count()', shown.dataset),
          timeWindow: minutes * 60,
          environment: environments[0] ?? null,
          queryType: queryTypeOf(trigger.dataset),
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

export const commonOf = (rule: AlertRule) => ({
  id: String(rule.id),
  name: rule.draft.name,
  createdBy: rule.createdBy === null ? null : String(rule.createdBy),
  dateCreated: toDate(rule.createdAt),
  dateUpdated: toDate(rule.updatedAt),
  enabled: rule.draft.isEnabled,
})

/** Who is told of it is a workflow of the same id, which is not there while nobody is. */
export const isTold = ({ draft }: AlertRule): boolean => draft.trigger.source === 'happened' || draft.actions.length > 0

/** Null of a rule that waits for something to happen: that finds nothing by itself. */
export const detectorJson = (rule: AlertRule, openIssues: number): DetectorJson | null => {
  if (rule.draft.trigger.source === 'happened') return null
  const id = String(rule.id)
  return {
    ...commonOf(rule),
    projectId: rule.projectIds?.length === 1 ? String(rule.projectIds[0]) : null,
    description: null,
    type: 'metric_issue',
    workflowIds: isTold(rule) ? [id] : [],
    owner: ownerOf(rule),
    dataSources: sourcesOf(rule),
    conditionGroup: {
      id,
      organizationId: String(rule.organizationId),
      logicType: 'any',
      conditions: conditionsOf(rule),
      actions: [],
    },
    config: configOf(rule),
    openIssues,
    latestGroup: null,
  }
}
