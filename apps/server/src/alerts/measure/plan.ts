import type { Result } from '../../lib/result.ts'
import type { Dataset } from '../../search/index.ts'
import { batchesOf, measureOf, type Batch, type ReadRule } from './batch.ts'
import { isMeasured, isSilence, type MeasuredRule, type SilenceRule, type WatchedRule } from './rule.ts'
import { projectPlaceOf, readShape, type Shape } from './shape.ts'

/** All rules as the statements that answer them: made anew when a rule or the projects changed. */
export interface Plan {
  /** Rules that share a statement by their cells, and those that have a search of their own. */
  readonly shared: readonly Batch<MeasuredRule>[]
  readonly own: readonly Batch<MeasuredRule>[]
  readonly silences: readonly ReadRule<SilenceRule>[]
  /** Rules that cannot be read, with a sentence. */
  readonly unreadable: readonly { readonly rule: WatchedRule; readonly sentence: string }[]
  readonly ids: ReadonlySet<number>
  /** Rules that are grouped by project: which value of a group that is, and the projects that they are about now. */
  readonly byProject: readonly {
    readonly rule: WatchedRule
    readonly place: number
    readonly projectIds: ReadonlySet<number>
  }[]
}

/** Ids of living projects by organisation. */
export type Projects = ReadonlyMap<number, readonly number[]>

export const projectsOf = ({ organizationId, projectIds }: WatchedRule, projects: Projects): readonly number[] => {
  const living = projects.get(organizationId) ?? []
  if (projectIds === null) return living
  const wanted = new Set(projectIds)
  return living.filter((id) => wanted.has(id))
}

const makePlan = (
  rules: readonly WatchedRule[],
  projects: Projects,
  shapeOf: (rule: WatchedRule) => Result<Shape, string>,
): Plan => {
  const measured: ReadRule<MeasuredRule>[] = []
  const silences: ReadRule<SilenceRule>[] = []
  const unreadable: { rule: WatchedRule; sentence: string }[] = []
  const byProject: Plan['byProject'][number][] = []
  for (const rule of rules) {
    const shape = shapeOf(rule)
    if (!shape.ok) {
      unreadable.push({ rule, sentence: shape.error })
      continue
    }
    const read = { shape: shape.value, projectIds: projectsOf(rule, projects) }
    const place = projectPlaceOf(shape.value)
    if (place !== -1) byProject.push({ rule, place, projectIds: new Set(read.projectIds) })
    if (isMeasured(rule)) measured.push({ rule, ...read })
    // Nothing comes of no project, and nobody misses it.
    else if (isSilence(rule) && read.projectIds.length > 0) silences.push({ rule, ...read })
  }
  const batches = batchesOf(measured)
  return {
    shared: batches.filter(({ own }) => own === null),
    own: batches.filter(({ own }) => own !== null),
    silences,
    unreadable,
    ids: new Set(rules.map(({ id }) => id)),
    byProject,
  }
}

export const createPlanner = (datasets: readonly Dataset[]) => {
  const shapes = new Map<string, Result<Shape, string>>()
  let made: { readonly of: string; readonly plan: Plan } | null = null

  const shapeOf = (rule: WatchedRule): Result<Shape, string> => {
    const { aggregate, groupBy } = measureOf(rule)
    const measures = { dataset: rule.trigger.dataset, aggregate, groupBy }
    const key = JSON.stringify(measures)
    const shape = shapes.get(key) ?? readShape(datasets, measures)
    shapes.set(key, shape)
    return shape
  }

  return {
    plan: (rules: readonly WatchedRule[], projects: Projects): Plan => {
      const of = JSON.stringify([rules.map(({ id, version }) => [id, version]), [...projects]])
      if (made?.of === of) return made.plan
      // What nobody measures any more is forgotten.
      shapes.clear()
      made = { of, plan: makePlan(rules, projects, shapeOf) }
      return made.plan
    },
  }
}
