import { readScope, type ProjectReference, type ScopeQuery } from '../accounts/index.ts'
import type { Clock } from '../lib/clock.ts'
import type { Ask } from '../lib/questions.ts'
import { orUnanswerable, Unanswerable } from '../lib/unanswerable.ts'
import { lastDays, type Dataset } from '../search/index.ts'
import type { ExploreView } from './explore.view.ts'
import type { Scope } from './question.ts'

/** What the routes of this capability work with. */
export interface ExploreServices {
  readonly view: ExploreView
  /** Of all capabilities. */
  readonly datasets: readonly Dataset[]
  /** Living ones of an organisation. */
  readonly projects: (organizationId: number) => Promise<readonly ProjectReference[]>
  readonly clock: Clock
  /** Asks the capabilities that have the datasets. */
  readonly ask: Ask
}

export interface QuestionQuery extends ScopeQuery {
  readonly disableAggregateExtrapolation?: string | undefined
  /** What is asked, as far as it may be a search or have searches in it. */
  readonly query?: string | readonly string[] | undefined
  readonly field?: readonly string[] | undefined
  readonly yAxis?: readonly string[] | undefined
}

/** A search in a function stands between back-ticks. */
const searchesIn = ({ query = [], field = [], yAxis = [] }: QuestionQuery): string[] => [
  ...[query].flat(),
  ...[...field, ...yAxis].flatMap((column) => [...column.matchAll(/`([^`]*)`/g)].map(([, search = '']) => search)),
]

const USUAL_DAYS = 90

/**
 * @param now when the first page was asked for: the time of a period that ends now is the same on all pages
 * @throws Unanswerable
 */
export const readQuestionScope = async (
  services: Pick<ExploreServices, 'ask' | 'projects'>,
  {
    organizationId,
    dataset,
    name,
    now,
  }: { readonly organizationId: number; readonly dataset: Dataset; readonly name: string; readonly now: number },
  query: QuestionQuery,
): Promise<Scope> => {
  if (query.statsPeriod !== undefined && (query.start !== undefined || query.end !== undefined)) {
    throw new Unanswerable('Use either statsPeriod or start and end, not both.')
  }
  const { environments, period, projects } = orUnanswerable(await readScope(services, organizationId, query, now))
  const searches = searchesIn(query)
  const prepared =
    dataset.prepared === undefined ? null : await services.ask(dataset.prepared, { organizationId, projects, searches })
  return {
    dataset: prepared ?? dataset,
    name: dataset.names.some((one) => one.name === name) ? name : (dataset.names[0]?.name ?? name),
    organizationId,
    projects,
    environments,
    period: period ?? lastDays(now, USUAL_DAYS),
    now,
    raw: query.disableAggregateExtrapolation === '1' || query.disableAggregateExtrapolation === 'true',
  }
}

/** A period that ends now goes a little beyond, for clocks that are ahead. */
export const secondsOf = ({ period, now }: Scope): number =>
  Math.max(1, (Math.min(period.to, now) - period.from) / 1000)
