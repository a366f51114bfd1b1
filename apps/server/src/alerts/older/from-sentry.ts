import {
  ALERT_WINDOWS,
  alertDraft,
  type AlertAction,
  type AlertComparison,
  type AlertDraft,
  type AlertRuleDraft,
} from '@firsthand/contract'
import { err, ok, type Result } from '../../lib/result.ts'
import { allOf } from '../searches.ts'
import { crashFreeOf, LEAST_SESSIONS, withParts } from './crash-rates.ts'
import { OF_TYPE, SPAN_TYPES, TRANSACTIONS } from './words.ts'

/** A metric alert as a script of Sentry's writes it → the rule that says the same. What has no counterpart is refused. */

/** What a script may name, as far as it is here. */
export interface Surroundings {
  /** By slug and by id. */
  readonly projects: ReadonlyMap<string, number>
  /** By id, and by kind and name. */
  readonly channels: readonly { readonly id: number; readonly kind: string; readonly name: string }[]
}

type Read<Value> = Result<Value, string>

interface Measured {
  readonly dataset: 'errors' | 'spans' | 'sessions'
  readonly aggregate: string
  readonly query: string
}

/** Transactions are spans here: the segments of their traces. */
const asSpans = (aggregate: string): string =>
  aggregate
    .replaceAll('transaction.duration', 'span.duration')
    .replace(/^(p\d{2,3}|avg|max|min)\(\)$/, '$1(span.duration)')

const measuredOf = ({ aggregate, dataset, eventTypes, query }: AlertRuleDraft): Read<Measured> => {
  if (/\bis:/.test(query)) {
    return err(
      'query: take is:… out of it. Alerts count what comes; whether its issue is resolved would rewrite what was counted.',
    )
  }
  switch (dataset) {
    case 'events':
    case 'errors': {
      const sent = aggregate.replaceAll('tags[sentry:user]', 'user')
      const types = new Set(eventTypes)
      if ([...types].some((type) => type !== 'error' && type !== 'default'))
        return err('eventTypes: an alert of events is about errors here, and one of transactions about transactions.')
      const [type, ...others] = types
      return ok({
        dataset: 'errors',
        aggregate: sent,
        query:
          type === undefined || others.length > 0
            ? query
            : allOf(OF_TYPE[type === 'error' ? 'error' : 'default'], query),
      })
    }
    case 'transactions':
    case 'generic_metrics':
    case 'generic-metrics':
      return ok({ dataset: 'spans', aggregate: asSpans(aggregate), query: allOf(TRANSACTIONS, query) })
    case 'events_analytics_platform':
    case 'spans':
      if (eventTypes?.some((type) => !SPAN_TYPES.has(type)) === true)
        return err(
          'eventTypes: only errors and spans can be watched at this address. Make an alert of logs at alerts/.',
        )
      return ok({ dataset: 'spans', aggregate, query })
    case 'metrics':
    case 'sessions': {
      const crashFree = crashFreeOf(aggregate)
      return crashFree === null
        ? err(
            'aggregate: of sessions is watched percentage(sessions_crashed, sessions) or percentage(users_crashed, users).',
          )
        : ok({ dataset: 'sessions', aggregate: crashFree, query })
    }
    default:
      return err(`dataset: "${dataset}" is not known. Use events, transactions, spans or metrics.`)
  }
}

const SENSITIVITIES = { low: 'calm', medium: 'normal', high: 'sensitive' } as const

const AGAINST = [60, 1440, 10_080] as const

const thresholdOf = ({ triggers }: AlertRuleDraft, label: 'critical' | 'warning'): number | null =>
  triggers.find((one) => one.label === label)?.alertThreshold ?? null

/** Counts of a handful that were none before say nothing, and percent of nothing are any number. */
const LEAST_COUNT = 10

const leastWorthAMessage = (aggregate: string): number => (/^count(?:_unique)?\(/.test(aggregate) ? LEAST_COUNT : 0)

/** Whether a value between both would be wrong and well at once. */
const isContrary = (limit: number, other: number, isAbove: boolean): boolean =>
  isAbove ? other > limit : other < limit

const problemOfThresholds = (draft: AlertRuleDraft, critical: number, warning: number | null): string | null => {
  const isAbove = draft.thresholdType === 0
  const word = isAbove ? 'above' : 'below'
  if (warning !== null && isContrary(critical, warning, isAbove))
    return `triggers: the critical threshold is ${word} that of the warning, not ${critical} where a warning is ${warning}.`
  const resolve = draft.resolveThreshold ?? null
  const first = warning ?? critical
  return resolve !== null && isContrary(first, resolve, isAbove)
    ? `resolveThreshold: an alert that begins ${word} ${first} is not over at ${resolve}. Write ${first} or what is better.`
    : null
}

const comparisonOf = (draft: AlertRuleDraft): Read<AlertComparison> => {
  const { comparisonDelta, detectionType, sensitivity, thresholdType } = draft
  const [critical, warning] = [thresholdOf(draft, 'critical'), thresholdOf(draft, 'warning')]
  if (critical === null) return err('triggers: one of them has the label critical.')
  if (detectionType === 'dynamic') {
    if (warning !== null) return err('triggers: an alert of what is unusual has one trigger, critical.')
    if ((draft.resolveThreshold ?? null) !== null)
      return err('resolveThreshold: an alert of what is unusual is over where it is usual again. Leave it out.')
    const direction = thresholdType === 2 ? 'both' : thresholdType === 1 ? 'below' : 'above'
    return ok({ kind: 'unusual', direction, sensitivity: SENSITIVITIES[sensitivity ?? 'medium'], floor: 0 })
  }
  if (thresholdType === 2)
    return err('thresholdType: only an alert with detectionType dynamic looks in both directions.')
  const direction = thresholdType === 1 ? 'below' : 'above'
  if (comparisonDelta !== null && comparisonDelta !== undefined) {
    const against = AGAINST.find((minutes) => minutes === comparisonDelta)
    if (against === undefined)
      return err(
        `comparisonDelta: ${comparisonDelta} minutes cannot be compared with. Use one of: ${AGAINST.join(', ')}.`,
      )
    if (warning !== null) return err('triggers: an alert of a change has one trigger, critical.')
    if (!(critical >= 1 && critical <= 100_000))
      return err('triggers: the threshold of a change is percent, from 1 to 100,000.')
    if ((draft.resolveThreshold ?? null) !== null)
      return err(
        'resolveThreshold: an alert of a change is over where its threshold is no longer passed. Leave it out.',
      )
    return ok({ kind: 'change', direction, percent: critical, against, floor: leastWorthAMessage(draft.aggregate) })
  }
  const problem = problemOfThresholds(draft, critical, warning)
  if (problem !== null) return err(problem)
  return ok({
    kind: 'fixed',
    direction,
    limit: warning ?? critical,
    worseLimit: warning === null ? null : critical,
  })
}

const actionOf = (
  { inputChannelId, targetIdentifier, targetType, type }: AlertRuleDraft['triggers'][number]['actions'][number],
  from: AlertAction['from'],
  { channels }: Surroundings,
): Read<AlertAction> => {
  const target = String(targetIdentifier ?? '')
  if (type === 'email') {
    if (targetType === 'owners') return ok({ kind: 'people', target: 'owners', id: null, fallthrough: 'active', from })
    const kind = targetType === 'user' ? 'member' : targetType === 'team' ? 'team' : null
    if (kind === null || !/^\d{1,16}$/.test(target)) {
      return err('actions: an e-mail goes to targetType user or team, whose id is targetIdentifier.')
    }
    return ok({ kind: 'people', target: kind, id: target, fallthrough: 'active', from })
  }
  const wanted = new Set([inputChannelId ?? '', target, target.replace(/^[#@]/, '')])
  const channel = channels.find(({ id, kind, name }) => kind === type && (wanted.has(name) || wanted.has(String(id))))
  if (channel === undefined) {
    const known = channels.map(({ kind, name }) => `${kind} "${name}"`).join(', ')
    return err(
      `actions: there is no channel of type ${type} called "${target}". ${known === '' ? 'Add one in the settings first.' : `There are: ${known}.`}`,
    )
  }
  return ok({ kind: 'channel', channelId: String(channel.id), from })
}

const actionsOf = (draft: AlertRuleDraft, around: Surroundings): Read<AlertAction[]> => {
  const hasWarning = draft.triggers.some(({ label }) => label === 'warning')
  const actions = new Map<string, AlertAction>()
  for (const { actions: own, label } of draft.triggers.toSorted((left, right) =>
    right.label.localeCompare(left.label),
  )) {
    for (const one of own) {
      const action = actionOf(one, hasWarning && label === 'critical' ? 'worse' : 'fired', around)
      if (!action.ok) return action
      const { from: _from, ...to } = action.value
      const key = JSON.stringify(to)
      // Who is told of a warning is told of what is worse, too.
      if (!actions.has(key)) actions.set(key, action.value)
    }
  }
  return ok([...actions.values()])
}

/** Fields that say nothing about what is watched: a script that reads a rule and writes it back sends them. */
const IGNORED: ReadonlySet<string> = new Set(
  'id organizationId status dateCreated dateModified createdBy description snooze originalAlertRuleId monitorType excludedProjects includeAllProjects activations activationCondition errors sdk weeklyAvg totalThisWeek latestIncident user teams access'.split(
    ' ',
  ),
)

const KNOWN: ReadonlySet<string> = new Set(
  'name aggregate timeWindow thresholdPeriod projects query dataset queryType eventTypes environment thresholdType resolveThreshold comparisonDelta detectionType sensitivity seasonality owner triggers'.split(
    ' ',
  ),
)

/** What that form has no words for stays as it was: of the rule that is written anew. */
const unsaidOf = (asked: AlertRuleDraft, dataset: Measured['dataset'], before: AlertDraft | null) => {
  const environment = asked.environment || null
  const trigger = before?.trigger.source === 'measured' ? before.trigger : null
  return {
    environments:
      environment === (before?.environments[0] ?? null)
        ? (before?.environments ?? [])
        : environment === null
          ? []
          : [environment],
    conditions: before?.conditions,
    frequencyMinutes: before?.frequencyMinutes ?? 0,
    maxMessagesPerHour: before?.maxMessagesPerHour,
    isEnabled: asked['status'] === 4 ? false : asked['status'] === 0 ? true : (before?.isEnabled ?? true),
    // Sentry resolves at once.
    recoveryMinutes: trigger?.recovery.minutes ?? 0,
    least: trigger?.dataset === dataset ? trigger.least : dataset === 'sessions' ? LEAST_SESSIONS : 0,
    floor: trigger !== null && 'floor' in trigger.comparison ? trigger.comparison.floor : null,
  }
}

/** @param before the rule that is written anew. The error is a sentence for who wrote it. */
export const draftOf = (
  sent: AlertRuleDraft,
  around: Surroundings,
  before: AlertDraft | null = null,
): Read<AlertDraft> => {
  const strange = Object.keys(sent).find((key) => !KNOWN.has(key) && !IGNORED.has(key))
  if (strange !== undefined) return err(`${strange}: this field is not understood. Leave it out.`)
  if (typeof sent['thresholdPeriod'] === 'number' && sent['thresholdPeriod'] > 1)
    return err(
      'thresholdPeriod: an alert speaks at the first minute that is beyond its threshold. Leave it out, or send 1.',
    )
  const windowMinutes = ALERT_WINDOWS.find((minutes) => minutes === sent.timeWindow)
  if (windowMinutes === undefined)
    return err(`timeWindow: ${sent.timeWindow} is not one of ${ALERT_WINDOWS.join(', ')} minutes.`)
  const [project, ...others] = sent.projects
  if (project === undefined || others.length > 0) return err('projects: it has the slug of one project.')
  const projectId = around.projects.get(project)
  if (projectId === undefined) return err(`projects: there is no project "${project}" in this organisation.`)
  const measured = measuredOf(sent)
  if (!measured.ok) return measured
  const asked = measured.value.dataset === 'sessions' ? withParts(sent) : sent
  const comparison = comparisonOf(asked)
  if (!comparison.ok) return comparison
  const actions = actionsOf(asked, around)
  if (!actions.ok) return actions
  const { aggregate, dataset, query } = measured.value
  const { floor, least, recoveryMinutes, ...unsaid } = unsaidOf(asked, dataset, before)
  const read = alertDraft.safeParse({
    name: asked.name,
    projects: [String(projectId)],
    query,
    ...unsaid,
    trigger: {
      source: 'measured',
      dataset,
      aggregate,
      windowMinutes,
      groupBy: [],
      comparison: floor !== null && 'floor' in comparison.value ? { ...comparison.value, floor } : comparison.value,
      least,
      recovery: { limit: asked.resolveThreshold ?? null, minutes: recoveryMinutes },
    },
    actions: actions.value,
    owner: asked.owner ?? null,
  })
  if (!read.success) {
    const [issue] = read.error.issues
    return err(`${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`)
  }
  return ok(read.data)
}
