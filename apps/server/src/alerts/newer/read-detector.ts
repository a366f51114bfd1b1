import { alertRuleDraft, type AlertRuleDraft, type DetectorBody, type DetectorJson } from '@firsthand/contract'
import { err, ok, type Result } from '../../lib/result.ts'

/** A monitor of how much as Sentry writes it now, in the form of before May 2026: what has no counterpart is refused there. */

type Conditions = NonNullable<DetectorBody['conditionGroup']>['conditions']

const LABELS = new Map([
  [75, 'critical'],
  [50, 'warning'],
] as const)
const WELL = 0

const DIRECTIONS = new Map([
  ['gt', 0],
  ['lt', 1],
])

const anomalyOf = (comparison: unknown) => {
  const { sensitivity, thresholdType } = (comparison ?? {}) as Readonly<Record<string, unknown>>
  return {
    detectionType: 'dynamic',
    sensitivity,
    thresholdType,
    triggers: [{ label: 'critical', alertThreshold: 0 }],
  }
}

const thresholdsOf = (conditions: Conditions): Result<object, string> => {
  const anomaly = conditions.find(({ type }) => type === 'anomaly_detection')
  if (anomaly !== undefined) return ok(anomalyOf(anomaly.comparison))
  const found = conditions.filter(({ conditionResult }) => conditionResult !== WELL)
  const strange = found.find(({ type }) => !DIRECTIONS.has(type))
  if (strange !== undefined) {
    return err(`conditionGroup: what is found is above (gt) or below (lt) a number, not ${strange.type}.`)
  }
  const triggers = found.map(({ comparison, conditionResult }) => ({
    label: LABELS.get(conditionResult as 75 | 50),
    alertThreshold: comparison,
  }))
  if (triggers.some(({ label }) => label === undefined))
    return err('conditionGroup: a conditionResult is 75 (critical), 50 (warning) or 0 (all is well).')
  const first = triggers.find(({ label }) => label === 'warning') ?? triggers[0]
  const well = conditions.find(({ conditionResult }) => conditionResult === WELL)?.comparison ?? null
  return ok({
    thresholdType: DIRECTIONS.get(found[0]?.type ?? 'gt'),
    triggers,
    // All is well where the first threshold is no longer passed, which needs not be said.
    resolveThreshold: well === first?.alertThreshold ? null : well,
  })
}

const ownerOf = (owner: DetectorBody['owner']): string | null =>
  typeof owner === 'object' && owner !== null ? `${owner.type}:${owner.id}` : (owner ?? null)

const minutes = (seconds: unknown): unknown => (typeof seconds === 'number' ? seconds / 60 : seconds)

/** @param shown what is written anew; null for a new one */
export const readDetector = (
  body: DetectorBody,
  shown: DetectorJson | null,
  project: string,
): Result<AlertRuleDraft, string> => {
  const type = body.type ?? shown?.type
  if (type !== 'metric_issue') {
    return err(
      `type: "${type}" is not made here, but metric_issue is. What runs on a schedule is watched at monitors/, an address at uptime/.`,
    )
  }
  if ((body.description ?? '') !== '') return err('description: a monitor has none here. Leave it out.')
  const [sent] = body.dataSources ?? []
  const source = sent ?? shown?.dataSources?.[0]?.queryObj.snubaQuery
  const conditions = body.conditionGroup?.conditions ?? shown?.conditionGroup?.conditions
  if (source === undefined || conditions === undefined)
    return err(
      'A monitor has dataSources and a conditionGroup, which say what is counted and from where on it is too much.',
    )
  const thresholds = thresholdsOf(conditions)
  if (!thresholds.ok) return thresholds
  const config = body.config ?? shown?.config ?? {}
  const isEnabled = body.enabled ?? shown?.enabled ?? true
  const { aggregate, dataset, environment, eventTypes, query, timeWindow } = source
  const read = alertRuleDraft.safeParse({
    name: body.name ?? shown?.name,
    aggregate,
    dataset,
    query: query ?? '',
    eventTypes,
    environment,
    timeWindow: minutes(timeWindow),
    projects: [project],
    comparisonDelta: minutes(config['comparisonDelta']) ?? null,
    owner: ownerOf(body.owner === undefined ? shown?.owner : body.owner),
    status: isEnabled ? 0 : 4,
    ...thresholds.value,
  })
  if (read.success) return ok(read.data)
  const [issue] = read.error.issues
  return err(`${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`)
}
