import { getFindingSettings, tryFindingSettings, updateFindingSettings } from '@firsthand/contract'
import type { WantedFindingSettings } from '@firsthand/contract'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { organizationKeys } from '../../lib/query-keys.ts'

export const settingsKey = (org: string, project: string) =>
  [...organizationKeys.project(org, project), 'findings'] as const

export const settingsQuery = (org: string, project: string) =>
  queryOptions({
    queryKey: settingsKey(org, project),
    queryFn: ({ signal }) => api.call(getFindingSettings, { params: { org, project }, signal }),
  })

export const saveSettings = (org: string, project: string, body: WantedFindingSettings) =>
  api.call(updateFindingSettings, { params: { org, project }, body })

export const trySettings = (org: string, project: string, body: WantedFindingSettings) =>
  api.call(tryFindingSettings, { params: { org, project }, body })
