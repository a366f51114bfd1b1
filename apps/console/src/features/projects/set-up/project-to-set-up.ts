import type { ProjectSummary } from '@firsthand/contract'
import { useQuery } from '@tanstack/react-query'
import { projectsQuery } from '../../../lib/shared-queries.ts'

type Known = Pick<ProjectSummary, 'id' | 'slug'>

/** The project whose SDK could send what is missing: of those that are looked at, by their ids or slugs, the first; of all when it is all. */
export function projectToSetUp<Project extends Known>(
  projects: readonly Project[],
  shown: readonly string[],
): Project | null {
  return projects.find(({ id, slug }) => shown.includes(id) || shown.includes(slug)) ?? projects[0] ?? null
}

/** Null when there is no project, undefined while that is not known. */
export function useProjectToSetUp(org: string, shown: readonly string[]): ProjectSummary | null | undefined {
  const { data } = useQuery(projectsQuery(org))
  return data === undefined ? undefined : projectToSetUp(data, shown)
}
