import type { Dataset } from '../../search/index.ts'
import { LIMITS } from '../limits.ts'
import { isMeasured, type MeasuredRule, type WatchedRule } from './rule.ts'
import { levelsIn, type Shape } from './shape.ts'

/**
 * Rules that one statement answers. Those that narrow rows by project, environment and level alone share one for each
 * window, whosever they are; a rule with another search has one with those that search for the same.
 */
export interface Batch<Rule = WatchedRule> {
  readonly dataset: Dataset
  readonly name: string
  readonly windowMinutes: number
  /** The same window so long before is asked as well. */
  readonly againstMinutes: number | null
  readonly by: readonly string[]
  readonly aggregates: readonly string[]
  readonly first: 'highest' | 'lowest'
  /** The search that all of them have; null for those that share a statement by their cells. */
  readonly own: OwnRows | null
  readonly cells: readonly Cell[]
  readonly members: readonly Member<Rule>[]
}

export interface OwnRows {
  readonly organizationId: number
  readonly projectIds: readonly number[]
  readonly environments: readonly string[]
  readonly query: string
}

/** Rows that are narrowed by no search. None of the environments, or of the levels, is all. */
export interface Cell {
  readonly organizationId: number
  readonly projectIds: readonly number[]
  readonly environments: readonly string[]
  readonly levels: readonly string[]
}

/** A rule, and where in the answer its numbers are. */
export interface Member<Rule = MeasuredRule> {
  readonly rule: Rule
  readonly shape: Shape
  readonly cell: number
  readonly aggregate: number
}

/** A rule that was understood, with the projects that it is about now. */
export interface ReadRule<Rule extends WatchedRule = WatchedRule> {
  readonly rule: Rule
  readonly shape: Shape
  readonly projectIds: readonly number[]
}

/** What is asked of telemetry for a rule. Of one about nothing, how much came. */
export interface Measure {
  readonly aggregate: string
  readonly groupBy: readonly string[]
  readonly windowMinutes: number
  readonly againstMinutes: number | null
  readonly first: Batch['first']
}

export const measureOf = (rule: WatchedRule): Measure => {
  const { groupBy } = rule.trigger
  if (!isMeasured(rule)) {
    const windowMinutes = rule.trigger.source === 'silence' ? rule.trigger.minutes : 0
    return { aggregate: 'count()', groupBy, windowMinutes, againstMinutes: null, first: 'highest' }
  }
  const { aggregate, comparison, windowMinutes } = rule.trigger
  return {
    aggregate,
    groupBy,
    windowMinutes,
    againstMinutes: comparison.kind === 'change' ? comparison.against : null,
    first: comparison.direction === 'below' ? 'lowest' : 'highest',
  }
}

/** Rules that are about the rows of a search of their own; null for what can share a statement. */
const ownOf = ({ rule, shape, projectIds }: ReadRule): OwnRows | null => {
  const isNamed = shape.by.some(({ lookup }) => lookup === 'named')
  if (!shape.isOverall && !isNamed && levelsIn(shape.dataset, rule.query) !== null) return null
  return { organizationId: rule.organizationId, projectIds, environments: rule.environments, query: rule.query }
}

interface Draft<Rule> extends Omit<Batch<Rule>, 'aggregates' | 'cells' | 'members'> {
  readonly aggregates: string[]
  readonly cells: Map<string, { readonly place: number; readonly cell: Cell }>
  readonly members: Member<Rule>[]
  joined: number
}

/** What has to be equal of rules in one statement. */
const keyOf = (shape: Shape, measure: Measure, own: OwnRows | null): string => {
  const { aggregate, againstMinutes, first, groupBy, windowMinutes } = measure
  // Which groups are left out where there are too many depends on what they are ordered by.
  const ordered = groupBy.length === 0 ? null : [aggregate, first]
  return JSON.stringify([shape.name, windowMinutes, againstMinutes, groupBy, ordered, own])
}

const isFull = ({ aggregates, joined }: Draft<unknown>, aggregate: string): boolean =>
  joined >= LIMITS.MEASURE_JOINED_ROWS ||
  (aggregates.length >= LIMITS.MEASURE_AGGREGATES && !aggregates.includes(aggregate))

const add = <Rule extends WatchedRule>(
  draft: Draft<Rule>,
  { rule, shape, projectIds }: ReadRule<Rule>,
  aggregate: string,
): void => {
  if (!draft.aggregates.includes(aggregate)) draft.aggregates.push(aggregate)
  const levels = draft.own === null ? (levelsIn(shape.dataset, rule.query) ?? []) : []
  const environments = draft.own === null ? rule.environments : []
  const cell: Cell = { organizationId: rule.organizationId, projectIds, environments, levels }
  const key = JSON.stringify(cell)
  const known = draft.cells.get(key) ?? { place: draft.cells.size, cell }
  if (!draft.cells.has(key)) {
    draft.cells.set(key, known)
    draft.joined += projectIds.length * Math.max(1, environments.length) * Math.max(1, levels.length)
  }
  draft.members.push({ rule, shape, cell: known.place, aggregate: draft.aggregates.indexOf(aggregate) })
}

const finished = <Rule>(draft: Draft<Rule>): Batch<Rule> => {
  const { cells, dataset, first, members, name, own, windowMinutes } = draft
  const { againstMinutes, aggregates, by } = draft
  const listed = [...cells.values()].map(({ cell }) => cell)
  return { dataset, name, windowMinutes, againstMinutes, by, aggregates, first, own, cells: listed, members }
}

export const batchesOf = <Rule extends WatchedRule>(rules: readonly ReadRule<Rule>[]): Batch<Rule>[] => {
  const open = new Map<string, Draft<Rule>>()
  const all: Draft<Rule>[] = []
  for (const read of rules) {
    // Of no project there are no rows.
    if (read.projectIds.length === 0) continue
    const { rule, shape } = read
    const { aggregate, groupBy, ...measure } = measureOf(rule)
    const own = ownOf(read)
    const key = keyOf(shape, { aggregate, groupBy, ...measure }, own)
    let draft = open.get(key)
    if (draft === undefined || isFull(draft, aggregate)) {
      const { dataset, name } = shape
      const empty = { aggregates: [], cells: new Map(), members: [], joined: 0 }
      draft = { dataset, name, by: groupBy, ...measure, own, ...empty }
      open.set(key, draft)
      all.push(draft)
    }
    add(draft, read, aggregate)
  }
  return all.map(finished)
}
