import type { AlertDraft, AlertRule, AlertTrigger } from '@firsthand/contract'

import { QUANTITIES, type Quantity, quantityOf } from './quantities.ts'

/** What is said of a rule while it is written. */

export type Source = AlertTrigger['source']
export type Happened = Extract<AlertTrigger, { source: 'happened' }>
export type Measured = Extract<AlertTrigger, { source: 'measured' }>
export type Silence = Extract<AlertTrigger, { source: 'silence' }>
export type Comparison = Measured['comparison']

const HAPPENED: Happened = { source: 'happened', kinds: ['issue_opened', 'issue_regressed'] }

export const MEASURED: Measured = {
  source: 'measured',
  dataset: 'errors',
  aggregate: 'count_unique(user)',
  windowMinutes: 10,
  groupBy: [],
  comparison: { kind: 'fixed', direction: 'above', limit: 50, worseLimit: null },
  least: 0,
  recovery: { limit: null, minutes: 15 },
}

const SILENCE: Silence = { source: 'silence', dataset: 'spans', minutes: 10, groupBy: [] }

/** Tables of which it can be told that nothing comes. Recordings are stored after everything else: none may be some that wait. */
export const SILENT_TABLES = ['errors', 'spans', 'logs', 'tracemetrics', 'sessions', 'feedback', 'check_ins'] as const

/** A run that never came is a check-in, too: what has to come is one that went well. */
const WENT_WELL = 'status:ok'

/** What is searched for where nothing else is said. */
function searchOf({ dataset, source }: Measured | Silence, query: string): string {
  if (source !== 'silence' || dataset !== 'check_ins') return query === WENT_WELL ? '' : query
  return query.includes('status:') ? query : `${WENT_WELL} ${query}`.trim()
}

/** With another silence, that of another table is searched for in its own words. */
export const withSilence = ({ query }: AlertDraft, trigger: Silence): Pick<AlertDraft, 'query' | 'trigger'> => ({
  trigger,
  query: searchOf(trigger, query),
})

/** Where each source begins. */
const BEGINNINGS: Readonly<Record<Source, AlertTrigger>> = { happened: HAPPENED, measured: MEASURED, silence: SILENCE }

export const EMPTY_DRAFT: AlertDraft = {
  name: '',
  projects: null,
  query: '',
  environments: [],
  trigger: HAPPENED,
  conditions: { hours: null, minimumAgeMinutes: 0 },
  actions: [{ kind: 'people', target: 'owners', id: null, fallthrough: 'active', from: 'fired' }],
  frequencyMinutes: 30,
  maxMessagesPerHour: 10,
  owner: null,
  isEnabled: true,
}

/** What of a rule somebody said. */
export function draftOf(rule: AlertRule): AlertDraft {
  return {
    name: rule.name,
    projects: rule.projects,
    query: rule.query,
    environments: rule.environments,
    trigger: rule.trigger,
    conditions: rule.conditions,
    actions: rule.actions,
    frequencyMinutes: rule.frequencyMinutes,
    maxMessagesPerHour: rule.maxMessagesPerHour,
    owner: rule.owner === null ? null : `${rule.owner.type}:${rule.owner.id}`,
    isEnabled: rule.isEnabled,
  }
}

/** Another source keeps what it can: of what is measured and of what must not stop, the table and the groups. */
export function withSource(draft: AlertDraft, source: Source): AlertDraft {
  const { trigger } = draft
  if (trigger.source === source) return draft
  const begin = BEGINNINGS[source]
  if (trigger.source === 'happened' || begin.source === 'happened') {
    return { ...draft, trigger: begin, query: draft.query === WENT_WELL ? '' : draft.query }
  }
  const { dataset, groupBy } = trigger
  if (begin.source === 'silence') {
    const isTold = SILENT_TABLES.some((one) => one === dataset)
    return { ...draft, ...withSilence(draft, isTold ? { ...begin, dataset, groupBy } : begin) }
  }
  const usual = QUANTITIES.find((one) => one.dataset === dataset && one.begin !== undefined)
  const aggregate = dataset === 'errors' ? begin.aggregate : 'count()'
  const measured = usual === undefined ? { ...begin, dataset, aggregate } : withQuantity(begin, usual)
  return { ...draft, trigger: { ...measured, groupBy }, query: searchOf(measured, draft.query) }
}

/** Something else that is measured: groups are of its table, and a limit of errors says nothing of shares. */
export function withQuantity(trigger: Measured, { aggregate, begin, dataset }: Quantity): Measured {
  const groupBy = dataset === trigger.dataset ? trigger.groupBy : []
  const before = quantityOf(trigger.dataset, trigger.aggregate).begin
  const { comparison, least, windowMinutes } = begin ?? MEASURED
  const isAlike = begin === undefined || before === undefined ? begin === before : dataset === trigger.dataset
  const begun = isAlike ? {} : { comparison, least, windowMinutes }
  return { ...trigger, dataset, aggregate, groupBy, ...begun }
}

/** The limit of something that has none yet. */
function usualLimit({ aggregate, dataset }: Measured): number {
  const { begin, form } = quantityOf(dataset, aggregate)
  if (begin?.comparison.kind === 'fixed') return begin.comparison.limit
  return form === 'share' ? 0.05 : 50
}

/** Another way to compare keeps the side that is watched, and the limit as the floor. */
export function withComparison(trigger: Measured, kind: Comparison['kind']): Measured {
  const { comparison } = trigger
  if (comparison.kind === kind) return trigger
  const direction = comparison.direction === 'below' ? 'below' : 'above'
  const floor = comparison.kind === 'fixed' ? 0 : comparison.floor
  const next: Comparison =
    kind === 'fixed'
      ? { kind, direction, limit: floor > 0 ? floor : usualLimit(trigger), worseLimit: null }
      : kind === 'change'
        ? { kind, direction, percent: 50, against: 10_080, floor }
        : { kind, direction, sensitivity: 'normal', floor }
  return { ...trigger, comparison: next }
}

/** What the handle on the chart stands at; null where there is no fixed limit. */
export function limitOf({ trigger }: AlertDraft): number | null {
  if (trigger.source === 'silence') return trigger.minutes
  return trigger.source === 'measured' && trigger.comparison.kind === 'fixed' ? trigger.comparison.limit : null
}

/** Longest silence that can be waited for, in minutes. */
export const LONGEST_SILENCE = 10_080

/** The handle on the chart moves the limit; what the new one passes, the all-clear or what is worse, goes back to it. */
export function withLimit(draft: AlertDraft, limit: number): AlertDraft {
  const { trigger } = draft
  if (trigger.source === 'silence') {
    const minutes = Math.min(LONGEST_SILENCE, Math.max(1, Math.round(limit)))
    return { ...draft, trigger: { ...trigger, minutes } }
  }
  if (trigger.source !== 'measured' || trigger.comparison.kind !== 'fixed') return draft
  const { comparison, recovery } = trigger
  const isAbove = comparison.direction === 'above'
  const stillCalm = recovery.limit === null || (isAbove ? recovery.limit <= limit : recovery.limit >= limit)
  const stillWorse =
    comparison.worseLimit === null || (isAbove ? comparison.worseLimit > limit : comparison.worseLimit < limit)
  return {
    ...draft,
    trigger: {
      ...trigger,
      comparison: { ...comparison, limit, worseLimit: stillWorse ? comparison.worseLimit : null },
      recovery: { ...recovery, limit: stillCalm ? recovery.limit : null },
    },
  }
}

export const isSame = (one: AlertDraft, other: AlertDraft): boolean => JSON.stringify(one) === JSON.stringify(other)

/** Whether charts of both have the same height: one draws how often it happens, one minutes of silence, one what is measured. */
export function isOfSameQuantity({ trigger: one }: AlertDraft, { trigger: other }: AlertDraft): boolean {
  if (one.source === 'measured' && other.source === 'measured')
    return one.dataset === other.dataset && one.aggregate === other.aggregate
  return one.source === other.source
}

/** What keeps a rule from being saved, in a sentence; null when all is well. */
export function missingOf(draft: AlertDraft): string | null {
  if (draft.name.trim() === '') return 'Give the alert a name.'
  if (draft.trigger.source === 'happened' && draft.trigger.kinds.length === 0) return 'Choose what has to happen.'
  return null
}
