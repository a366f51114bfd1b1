import type { ProjectReference } from '../../../accounts/index.ts'
import { reportsDataset } from '../../../feedback/telemetry/report-dataset.ts'
import { errorsDataset } from '../../../issues/errors-dataset.ts'
import { logsDataset } from '../../../logs/dataset.ts'
import { metricsDataset } from '../../../metrics/dataset.ts'
import { checkInsDataset } from '../../../monitors/telemetry/result-dataset.ts'
import type { OpenedTelemetry } from '../../../storage/conformance/engines.ts'
import { replaysDataset } from '../../../replays/telemetry/replay-dataset.ts'
import { sessionsDataset } from '../../../sessions/telemetry/session-dataset.ts'
import { spansDataset } from '../../../traces/telemetry/span-dataset.ts'
import { readShape } from '../shape.ts'
import { measureOf, type ReadRule } from '../batch.ts'
import { createNumbers, type AskNumbers } from '../numbers.ts'
import type { MeasuredRule, WatchedRule } from '../rule.ts'

/** Rows of errors and rules about them. */

export const DATASETS = [
  errorsDataset,
  spansDataset,
  logsDataset,
  metricsDataset,
  replaysDataset,
  sessionsDataset,
  reportsDataset,
  checkInsDataset,
]

export const PROJECTS: readonly ProjectReference[] = [1, 2, 3].map((id) => ({
  id,
  slug: `shop-${id}`,
  name: `Shop ${id}`,
  platform: 'javascript',
  settings: '{}',
}))

export interface SampleError {
  readonly received: number
  /** By its own time; when it was received, where nothing is said. */
  readonly at?: number
  readonly project?: number
  readonly organization?: number
  readonly environment?: string
  readonly level?: string
  readonly release?: string
  readonly user?: string
  readonly email?: string
  readonly unhandled?: boolean
  readonly message?: string
  readonly issue?: number
}

let ids = 0

const rowOf = (error: SampleError) => {
  ids += 1
  return {
    organization_id: error.organization ?? 1,
    project_id: error.project ?? 1,
    issue_id: error.issue ?? 1,
    event_id: `00000000-0000-4000-8000-${ids.toString(16).padStart(12, '0')}`,
    timestamp: error.at ?? error.received,
    received: error.received,
    type: 'error',
    level: error.level ?? 'error',
    environment: error.environment ?? 'production',
    release: error.release ?? '1.0.0',
    user_key: error.user ?? '',
    user_id: error.user ?? '',
    user_email: error.email ?? '',
    unhandled: error.unhandled ?? false,
    message: error.message ?? 'broken',
    title: 'Error: broken',
    search_text: `error: ${error.message ?? 'broken'}`,
  }
}

export const insertErrors = async ({ telemetry }: OpenedTelemetry, errors: readonly SampleError[]): Promise<void> => {
  await telemetry.client.insert({ table: 'events', values: errors.map(rowOf), format: 'JSONEachRow' })
}

/** Nobody is asked: rules of these tests name no issue. */
export const numbersOf = ({ telemetry }: OpenedTelemetry): AskNumbers =>
  createNumbers({
    client: telemetry.client,
    ask: (question) => Promise.resolve(question.otherwise),
    projects: () => Promise.resolve(PROJECTS),
  })

export type RuleSketch = Partial<Omit<MeasuredRule, 'trigger'>> & {
  readonly trigger?: Partial<MeasuredRule['trigger']>
}

/** More than 100 errors in 5 minutes, where nothing else is said. */
export const ruleOf = ({ trigger, ...rule }: RuleSketch = {}): MeasuredRule => ({
  id: 1,
  version: 1,
  organizationId: 1,
  projectIds: null,
  query: '',
  environments: [],
  since: 0,
  ...rule,
  trigger: {
    source: 'measured',
    dataset: 'errors',
    aggregate: 'count()',
    windowMinutes: 5,
    groupBy: [],
    comparison: { kind: 'fixed', direction: 'above', limit: 100, worseLimit: null },
    least: 0,
    recovery: { limit: null, minutes: 0 },
    ...trigger,
  },
})

export const readRule = <Rule extends WatchedRule>(rule: Rule): ReadRule<Rule> => {
  const shape = readShape(DATASETS, { ...rule.trigger, ...measureOf(rule) })
  if (!shape.ok) throw new Error(shape.error)
  return { rule, shape: shape.value, projectIds: rule.projectIds ?? PROJECTS.map(({ id }) => id) }
}
