import type { ProjectSummary } from '@firsthand/contract'
import { useQuery } from '@tanstack/react-query'
import { keysQuery } from '../queries.ts'
import { useProjectToSetUp } from './project-to-set-up.ts'

/** What an example of code needs: the project that an empty list offers to set up, and a DSN of it. Null while there is none. */
export function useSetUp(
  org: string,
  shown: readonly string[],
): { readonly project: ProjectSummary; readonly dsn: string } | null {
  const project = useProjectToSetUp(org, shown) ?? undefined
  const { data: keys = [] } = useQuery({ ...keysQuery(org, project?.slug ?? ''), enabled: project !== undefined })
  const dsn = keys.find(({ isActive }) => isActive)?.dsn.public
  return project === undefined || dsn === undefined ? null : { project, dsn }
}
