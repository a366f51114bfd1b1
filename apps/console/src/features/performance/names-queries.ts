import { getTransactionNames, updateTransactionNames, type BodyInput } from '@firsthand/contract'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { organizationKeys } from '../../lib/query-keys.ts'

export const namesQuery = (org: string, project: string) =>
  queryOptions({
    queryKey: [...organizationKeys.project(org, project), 'transaction-names'] as const,
    queryFn: ({ signal }) => api.call(getTransactionNames, { params: { org, project }, signal }),
  })

export const changeName = (org: string, project: string, body: BodyInput<typeof updateTransactionNames>) =>
  api.call(updateTransactionNames, { params: { org, project }, body })
