import type { AlertAction, AlertDraft, AlertRuleDraft, AlertRuleJson } from '@firsthand/contract'
import { toDate } from '../../lib/instant-text.ts'
import { isMuted, type AlertRule } from '../rule.ts'
import { besides } from '../searches.ts'
import { inPercent, sentCrashFree } from './crash-rates.ts'
import { OF_TYPE, TRANSACTIONS } from './words.ts'

/** A rule about how much, as Sentry's older address shows it. */

export interface ShownNames {
  readonly slugOf: (projectId: number) => string
  readonly channelOf: (channelId: number) => { readonly kind: string; readonly name: string } | null
  readonly userOf: (userId: number) => { readonly id: number; readonly name: string; readonly email: string } | null
}

type Measured = Extract<AlertDraft['trigger'], { readonly source: 'measured' }>

/** Null for what that address has no words for: groups, tables and rules of other kinds. */
const measuredOf = ({ draft, projectIds }: AlertRule): Measured | null => {
  const { trigger } = draft
  if (trigger.source !== 'measured' || trigger.groupBy.length > 0 || projectIds?.length !== 1) return null
  if (trigger.dataset === 'sessions') return sentCrashFree(trigger.aggregate) === null ? null : trigger
  return trigger.dataset === 'errors' || trigger.dataset === 'spans' ? trigger : null
}

/** As it is written there: shares of sessions are percent. */
export const thresholdOf = ({ dataset }: Pick<Measured, 'dataset'>, value: number): number =>
  dataset === 'sessions' ? inPercent(value) : value

const thresholds = (measured: Measured): { readonly critical: number; readonly warning: number | null } => {
  const { comparison } = measured
  switch (comparison.kind) {
    case 'fixed': {
      const limit = thresholdOf(measured, comparison.limit)
      return comparison.worseLimit === null
        ? { critical: limit, warning: null }
        : { critical: thresholdOf(measured, comparison.worseLimit), warning: limit }
    }
    case 'change':
      return { critical: comparison.percent, warning: null }
    case 'unusual':
      return { critical: 0, warning: null }
  }
}

const SENSITIVITIES = { calm: 'low', normal: 'medium', sensitive: 'high' } as const

const DETECTIONS = { fixed: 'static', change: 'percent', unusual: 'dynamic' } as const

const thresholdType = ({ comparison: { direction } }: Measured): number =>
  direction === 'both' ? 2 : direction === 'below' ? 1 : 0

export const queryTypeOf = (dataset: string): number => (dataset === 'errors' ? 0 : dataset === 'sessions' ? 2 : 1)

/** What is asked, in Sentry's words for tables and types of events. */
export const datasetOf = (
  query: string,
  dataset: string,
): { readonly dataset: string; readonly query: string; readonly eventTypes: string[] } => {
  if (dataset === 'logs') return { dataset: 'events_analytics_platform', query, eventTypes: ['trace_item_log'] }
  if (dataset === 'tracemetrics')
    return { dataset: 'events_analytics_platform', query, eventTypes: ['trace_item_metric'] }
  if (dataset === 'sessions') return { dataset: 'metrics', query, eventTypes: [] }
  if (dataset === 'errors') {
    for (const type of ['error', 'default'] as const) {
      const rest = besides(OF_TYPE[type], query)
      if (rest !== null) return { dataset: 'events', query: rest, eventTypes: [type] }
    }
    return { dataset: 'events', query, eventTypes: ['default', 'error'] }
  }
  // What has no word there is called as here.
  if (dataset !== 'spans') return { dataset, query, eventTypes: [] }
  const rest = besides(TRANSACTIONS, query)
  return rest === null
    ? { dataset: 'events_analytics_platform', query, eventTypes: ['trace_item_span'] }
    : { dataset: 'transactions', query: rest, eventTypes: ['transaction'] }
}

/** The functions that count transactions, and the rates of sessions, have names of their own there. */
export const aggregateOf = (aggregate: string, dataset: string): string =>
  dataset === 'metrics'
    ? (sentCrashFree(aggregate) ?? aggregate)
    : dataset === 'transactions'
      ? aggregate.replaceAll('span.duration', 'transaction.duration')
      : aggregate

const actionJson = (
  action: AlertAction,
  { place, rule, triggerId }: { readonly place: number; readonly rule: AlertRule; readonly triggerId: string },
  names: ShownNames,
): AlertRuleJson['triggers'][number]['actions'][number] => {
  const common = {
    id: `${rule.id}${place}`,
    alertRuleTriggerId: triggerId,
    inputChannelId: null,
    integrationId: null,
    sentryAppId: null,
    dateCreated: toDate(rule.createdAt),
    priority: null,
  }
  if (action.kind === 'people') {
    const targetType = action.target === 'member' ? 'user' : action.target
    return {
      ...common,
      type: 'email',
      targetType,
      targetIdentifier: action.id,
      desc: `Send an e-mail to ${targetType} ${action.id ?? ''}`.trim(),
    }
  }
  const channel = names.channelOf(Number(action.channelId))
  return {
    ...common,
    type: channel?.kind ?? 'webhook',
    targetType: 'specific',
    targetIdentifier: channel?.name ?? null,
    inputChannelId: action.channelId,
    desc: `Send a ${channel?.kind ?? ''} message to ${channel?.name ?? ''}`,
  }
}

export const alertRuleJson = (rule: AlertRule, names: ShownNames, now: number): AlertRuleJson | null => {
  const measured = measuredOf(rule)
  if (measured === null) return null
  const { draft } = rule
  const { comparison, recovery, windowMinutes } = measured
  const { critical, warning } = thresholds(measured)
  const resolveThreshold = recovery.limit === null ? null : thresholdOf(measured, recovery.limit)
  const sent = rule.imported === null ? null : (JSON.parse(rule.imported) as Partial<AlertRuleDraft>)
  const triggers = [
    { label: 'critical', threshold: critical, from: warning === null ? null : ('worse' as const) },
    ...(warning === null ? [] : [{ label: 'warning', threshold: warning, from: 'fired' as const }]),
  ]
  const shown = datasetOf(draft.query, measured.dataset)
  return {
    id: String(rule.id),
    name: draft.name,
    organizationId: String(rule.organizationId),
    status: draft.isEnabled ? 0 : 4,
    queryType: queryTypeOf(measured.dataset),
    ...shown,
    // As it was sent, where a script wrote it.
    aggregate: sent?.aggregate ?? aggregateOf(measured.aggregate, shown.dataset),
    thresholdType: thresholdType(measured),
    resolveThreshold,
    timeWindow: windowMinutes,
    environment: draft.environments[0] ?? null,
    triggers: triggers.map(({ from, label, threshold }, index) => {
      const triggerId = `${rule.id}${index + 1}`
      const own = draft.actions.filter((action) => from === null || action.from === from)
      return {
        id: triggerId,
        alertRuleId: String(rule.id),
        label,
        thresholdType: thresholdType(measured),
        alertThreshold: threshold,
        resolveThreshold,
        dateCreated: toDate(rule.createdAt),
        actions: own.map((action, place) => actionJson(action, { place, rule, triggerId }, names)),
      }
    }),
    projects: (rule.projectIds ?? []).map(names.slugOf),
    owner: draft.owner,
    dateModified: toDate(rule.updatedAt),
    dateCreated: toDate(rule.createdAt),
    createdBy: rule.createdBy === null ? null : names.userOf(rule.createdBy),
    description: '',
    detectionType: DETECTIONS[comparison.kind],
    sensitivity: comparison.kind === 'unusual' ? SENSITIVITIES[comparison.sensitivity] : null,
    seasonality: comparison.kind === 'unusual' ? 'auto' : null,
    comparisonDelta: comparison.kind === 'change' ? comparison.against : null,
    snooze: isMuted(rule, now),
  }
}
