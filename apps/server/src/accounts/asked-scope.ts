import { ok, type Result } from '../lib/result.ts'
import { readPeriod, type Period, type PeriodQuery } from '../search/index.ts'
import { chooseProjects, type ProjectReference } from './living-projects.ts'

export interface ScopeQuery extends PeriodQuery {
  /** Ids or slugs; absent or `-1` is every project. */
  readonly project?: readonly string[] | undefined
  readonly environment?: readonly string[] | undefined
}

/** Which projects, environments and time a request is about. */
export interface AskedScope {
  readonly projects: readonly ProjectReference[]
  readonly projectIds: readonly number[]
  readonly allProjects: boolean
  /** None for all. */
  readonly environments: readonly string[]
  /** Null when the request names none. */
  readonly period: Period | null
}

/**
 * @param of who knows the living projects of an organisation
 * @param now milliseconds since the epoch, for periods that end now
 * @returns a sentence for the caller when it names what is not there
 */
export const readScope = async (
  of: { readonly projects: (organizationId: number) => Promise<readonly ProjectReference[]> },
  organizationId: number,
  query: ScopeQuery,
  now: number,
): Promise<Result<AskedScope, string>> => {
  const period = readPeriod(query, now)
  if (!period.ok) return period
  const living = await of.projects(organizationId)
  const projects = chooseProjects(living, query.project)
  if (!projects.ok) return projects
  return ok({
    projects: projects.value,
    projectIds: projects.value.map(({ id }) => id),
    allProjects: projects.value.length === living.length,
    environments: (query.environment ?? []).filter((name) => name !== ''),
    period: period.value,
  })
}
