import {
  createCodeowners,
  deleteCodeowners,
  getProjectOwnership,
  listCodeowners,
  testOwnership,
  updateCodeowners,
  updateProjectOwnership,
  type BodyInput,
  type Codeowners,
} from '@firsthand/contract'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { organizationKeys } from '../../lib/query-keys.ts'

const keyOf = (org: string, project: string) => [...organizationKeys.project(org, project), 'ownership'] as const

export const ownershipQuery = (org: string, project: string) =>
  queryOptions({
    queryKey: [...keyOf(org, project), 'rules'] as const,
    queryFn: ({ signal }) => api.call(getProjectOwnership, { params: { org, project }, signal }),
  })

/** The file of the project; null for none. */
export const codeownersQuery = (org: string, project: string) =>
  queryOptions({
    queryKey: [...keyOf(org, project), 'codeowners'] as const,
    queryFn: async ({ signal }): Promise<Codeowners | null> => {
      const [file] = await api.call(listCodeowners, { params: { org, project }, signal })
      return file ?? null
    },
  })

export const saveOwnership = (org: string, project: string, body: BodyInput<typeof updateProjectOwnership>) =>
  api.call(updateProjectOwnership, { params: { org, project }, body })

export const saveCodeowners = (
  org: string,
  project: string,
  file: Codeowners | null,
  body: BodyInput<typeof createCodeowners>,
): Promise<Codeowners> =>
  file === null
    ? api.call(createCodeowners, { params: { org, project }, body })
    : api.call(updateCodeowners, { params: { org, project, file: file.id }, body })

export const removeCodeowners = (org: string, project: string, file: Codeowners) =>
  api.call(deleteCodeowners, { params: { org, project, file: file.id } })

export const tryOwnership = (org: string, project: string, body: BodyInput<typeof testOwnership>) =>
  api.call(testOwnership, { params: { org, project }, body })
