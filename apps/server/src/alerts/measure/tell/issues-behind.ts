import type { ProjectReference } from '../../../accounts/index.ts'
import { COUNT_WRITERS, type IssueView } from '../../../issues/index.ts'
import type { Ask } from '../../../lib/questions.ts'
import type { Dataset } from '../../../search/index.ts'
import { batchesOf } from '../batch.ts'
import { foundOf, valuesOfKey } from '../found.ts'
import type { AskNumbers } from '../numbers.ts'
import type { Outcome } from '../outcome.ts'
import { isMeasured, type MeasuredRule } from '../rule.ts'
import { valueText } from '../say.ts'
import { readShape } from '../shape.ts'
import { windowOf } from '../windows.ts'

/** An issue behind the number of an alert, as its message names it. */
export interface IssueBehind {
  readonly id: number
  readonly shortId: string
  readonly title: string
  /** Its own value of what is measured, with its unit. */
  readonly value: string
  readonly firstRelease: string | null
  /** People who wrote about it. */
  readonly writers: number
}

export type IssuesBehind = (outcome: Outcome) => Promise<readonly IssueBehind[]>

/** A message names the worst ones, and leads to all. */
const NAMED = 3

const ISSUE = 'issue.id'

/** Of how little there is no issue is the cause; of spans and log lines there are none. */
const hasIssues = (rule: Outcome['rule']): rule is MeasuredRule =>
  isMeasured(rule) && rule.trigger.dataset === 'errors' && rule.trigger.comparison.direction !== 'below'

/**
 * Which issues are behind what fires: the same rows as the evaluation's, grouped by issue. None where that takes more than
 * it may, or telemetry is away: the message goes out all the same.
 */
export const createIssuesBehind = (parts: {
  readonly ask: Ask
  readonly datasets: readonly Dataset[]
  readonly issues: Pick<IssueView, 'records'>
  readonly numbers: AskNumbers
  readonly projects: (organizationId: number) => Promise<readonly Pick<ProjectReference, 'id'>[]>
}): IssuesBehind => {
  const { ask, datasets, issues, numbers, projects } = parts

  const worst = async (rule: MeasuredRule, { key, minute }: Outcome): Promise<ReadonlyMap<number, string>> => {
    const { trigger, organizationId } = rule
    const byIssue: MeasuredRule = { ...rule, trigger: { ...trigger, groupBy: [...trigger.groupBy, ISSUE] } }
    const shape = readShape(datasets, byIssue.trigger)
    if (!shape.ok) return new Map()
    const projectIds = rule.projectIds ?? (await projects(organizationId)).map(({ id }) => id)
    const [batch] = batchesOf([{ rule: byIssue, shape: shape.value, projectIds }])
    const [member] = batch?.members ?? []
    if (batch === undefined || member === undefined) return new Map()
    const { rows } = await numbers(batch, { windows: [windowOf(minute, trigger.windowMinutes)] })
    const group = valuesOfKey(key)
    const ofGroup = foundOf(rows, member).groups.filter(({ values }) =>
      group.every((value, at) => values[at] === value),
    )
    return new Map(
      ofGroup.slice(0, NAMED).map(({ value, values }) => [Number(values.at(-1)), valueText(value, shape.value)]),
    )
  }

  const look = async (rule: MeasuredRule, outcome: Outcome): Promise<readonly IssueBehind[]> => {
    const values = await worst(rule, outcome)
    const { organizationId } = rule
    const records = await issues.records(organizationId, [...values.keys()])
    const stored = new Map(records.map(({ id, storedIds }) => [id, storedIds]))
    const writers = await ask(COUNT_WRITERS, { organizationId, issues: stored })
    return [...values].flatMap(([id, value]) => {
      const record = records.find((one) => one.id === id)
      if (record === undefined) return []
      const { firstRelease, shortId, title } = record
      return [{ id, shortId, title, value, firstRelease, writers: writers.get(id) ?? 0 }]
    })
  }

  return async (outcome) => {
    if (!hasIssues(outcome.rule)) return []
    return look(outcome.rule, outcome).catch(() => [])
  }
}
