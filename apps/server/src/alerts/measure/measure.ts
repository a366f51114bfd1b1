import type { ClickHouseClient } from '@clickhouse/client'
import { livingProjects } from '../../accounts/index.ts'
import { withNames } from '../../explore/index.ts'
import type { SettledClock } from '../../ingest/index.ts'
import type { Ask } from '../../lib/questions.ts'
import type { Dataset } from '../../search/index.ts'
import type { Ledger } from '../../storage/index.ts'
import { createCosts } from './costs.ts'
import { createEvaluateBatch, type NamesOf } from './evaluate.ts'
import { createEvaluateMinute } from './evaluate-minute.ts'
import { createCourses } from './ledger/courses.ts'
import { createMeasuredClock } from './ledger/measured-clock.ts'
import { projectsByOrganization } from './ledger/projects.ts'
import { createNumbers } from './numbers.ts'
import { createGroupsOfPerson } from './groups-of-person.ts'
import { createPast, type IncidentsOf } from './past.ts'
import { createPlanner } from './plan.ts'
import { createSilences } from './silence.ts'
import { Standings } from './standings.ts'
import { createWatch, type WatchParts } from './watch.ts'

/** Rules about how much and about nothing, put together. */
export interface MeasureParts extends Pick<WatchParts, 'due' | 'gone' | 'goneGroups' | 'rules' | 'take'> {
  readonly client: Pick<ClickHouseClient, 'query'>
  readonly ledger: Ledger
  readonly settled: SettledClock
  readonly datasets: readonly Dataset[]
  readonly ask: Ask
  /** Times in which a rule fired: what was unusual then does not say what is usual. */
  readonly incidentsOf: IncidentsOf
}

export const createNamesOf = ({ ask, ledger }: Pick<MeasureParts, 'ask' | 'ledger'>): NamesOf => {
  const projects = livingProjects(ledger)
  return async ({ rule: { organizationId }, shape }, groups) => {
    const isPlain = shape.by.every(({ lookup }) => lookup === undefined)
    if (isPlain || groups.length === 0) return groups
    const slugs = new Map((await projects(organizationId)).map(({ id, slug }) => [String(id), slug]))
    const named = await withNames({ ask }, { dataset: shape.dataset, organizationId }, shape.by, groups)
    return named.map((values) =>
      values.map((value, place) => {
        const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
        return shape.by[place]?.lookup === 'project' ? (slugs.get(text) ?? text) : text
      }),
    )
  }
}

export const createMeasure = (parts: MeasureParts) => {
  const { ask, client, datasets, due, gone, goneGroups, incidentsOf, ledger, rules, settled, take } = parts
  const numbers = createNumbers({ client, ask, projects: livingProjects(ledger) })
  const namesOf = createNamesOf(parts)
  const standing = new Standings()
  const coursesOf = (ruleId: number) => standing.of(ruleId)
  const past = createPast({ numbers })
  const costs = createCosts({ ledger })
  const silences = createSilences({ numbers, coursesOf, namesOf })
  const watch = createWatch({
    settled,
    ledger,
    clocks: createMeasuredClock({ ledger }),
    courses: createCourses({ ledger }),
    standing,
    costs,
    planner: createPlanner(datasets),
    evaluateMinute: createEvaluateMinute({
      evaluateBatch: createEvaluateBatch({ numbers, past, coursesOf, incidentsOf, namesOf }),
      silences,
      costs,
      standing,
      now: settled.now,
      elapsed: () => performance.now(),
    }),
    forget: [past.forget, silences.forget, costs.forget],
    rules,
    storedUntil: async (watched) => {
      const names = new Set<string>(watched.map(({ trigger }) => trigger.dataset))
      const asked = datasets.filter((dataset) => dataset.names.some(({ name }) => names.has(name)))
      const until = await Promise.all(
        asked.map(({ storedUntil }) =>
          storedUntil === undefined ? Promise.resolve(Infinity) : ask(storedUntil, null),
        ),
      )
      return Math.min(Infinity, ...until)
    },
    projects: () => projectsByOrganization(ledger),
    take,
    due,
    gone,
    goneGroups,
  })
  return {
    /** Evaluates the minutes that are over, and all that came in them stored. */
    run: watch.run,
    progress: watch.progress,
    /** Groups that are a person who is erased. */
    ofPerson: createGroupsOfPerson({ ledger, rules, standing, silences, between: watch.between }),
    /** What evaluating a rule takes. */
    costOf: costs.of,
    standing,
    numbers,
    namesOf,
  }
}

export type Measures = ReturnType<typeof createMeasure>
