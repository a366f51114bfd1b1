import type { AlertDraft } from '@firsthand/contract'

import type { NewAlertUrl } from './alerts-search.ts'
import { EMPTY_DRAFT, MEASURED, SILENT_TABLES, withSilence, withSource } from './draft.ts'
import { QUANTITIES, quantityOf } from './quantities.ts'
import { templateOf } from './templates.ts'

/** What a new alert begins with, as its address says: a template, or what somebody looked at when they wanted to be told. */
export function beginningOf(url: NewAlertUrl): AlertDraft {
  const begun = templateOf(url.template ?? '')?.draft ?? withSource(EMPTY_DRAFT, sourceOf(url))
  const trigger = triggerOf(begun, url)
  const query = url.query ?? begun.query
  return {
    ...begun,
    ...(trigger.source === 'silence' ? withSilence({ ...begun, query }, trigger) : { trigger, query }),
    projects: url.project === undefined ? begun.projects : projectIds(url.project),
    environments: [...(url.environment ?? begun.environments)],
  }
}

const sourceOf = ({ source, aggregate, dataset }: NewAlertUrl) =>
  source === 'measured' || source === 'silence' || source === 'happened'
    ? source
    : aggregate === undefined && dataset === undefined
      ? 'happened'
      : 'measured'

/** A name of a project in an old address is none that a rule can keep. */
function projectIds(projects: readonly string[]): string[] | null {
  const ids = projects.filter((project) => /^\d{1,16}$/.test(project))
  return ids.length === 0 ? null : ids
}

function triggerOf({ trigger }: AlertDraft, { aggregate, dataset: name, group }: NewAlertUrl): AlertDraft['trigger'] {
  if (trigger.source === 'happened') return trigger
  const dataset = DATASETS.find((one) => one === name) ?? trigger.dataset
  const groupBy = [...(group ?? trigger.groupBy)]
  if (trigger.source === 'silence') {
    return SILENT_TABLES.some((one) => one === dataset) ? { ...trigger, dataset, groupBy } : trigger
  }
  const usual = dataset === trigger.dataset ? trigger.aggregate : (usualOf(dataset) ?? 'count()')
  const chosen = aggregate ?? usual
  const { begin } = quantityOf(dataset, chosen)
  if (begin !== undefined) return { ...trigger, dataset, groupBy, aggregate: chosen, ...begin }
  const isNew = chosen !== MEASURED.aggregate || dataset !== MEASURED.dataset
  // A limit for people says nothing about anything else: what is usual is learned until somebody sets one.
  const comparison: typeof trigger.comparison =
    isNew && trigger.comparison === MEASURED.comparison
      ? { kind: 'unusual', direction: 'above', sensitivity: 'normal', floor: 0 }
      : trigger.comparison
  return { ...trigger, dataset, groupBy, aggregate: chosen, comparison }
}

const DATASETS = ['errors', 'spans', 'logs', 'tracemetrics', 'replays', 'sessions', 'feedback', 'check_ins'] as const

const usualOf = (dataset: string): string | undefined => QUANTITIES.find((one) => one.dataset === dataset)?.aggregate
