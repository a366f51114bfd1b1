import {
  addStatusUpdate,
  type BodyInput,
  createStatusIncident,
  deleteStatusIncident,
  getStatusPage,
  listStatusIncidents,
  type StatusIncident,
  type StatusPage,
  updateStatusIncident,
  updateStatusPage,
} from '@firsthand/contract'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api } from '../../../lib/api.ts'
import { monitorsKey } from '../query-keys.ts'

export const statusKey = (org: string) => [...monitorsKey(org), 'status page'] as const

export const statusPageQuery = (org: string) =>
  queryOptions({
    queryKey: [...statusKey(org), 'page'],
    queryFn: ({ signal }) => api.call(getStatusPage, { params: { org }, signal }),
  })

export const incidentsQuery = (org: string) =>
  infiniteQueryOptions({
    queryKey: [...statusKey(org), 'incidents'],
    queryFn: ({ pageParam, signal }) =>
      api.page(listStatusIncidents, { params: { org }, query: pageParam === '' ? {} : { cursor: pageParam }, signal }),
    initialPageParam: '',
    getNextPageParam: (last) => last.next ?? undefined,
  })

export const savePage = (org: string, body: BodyInput<typeof updateStatusPage>): Promise<StatusPage> =>
  api.call(updateStatusPage, { params: { org }, body })

export const say = (org: string, body: BodyInput<typeof createStatusIncident>): Promise<StatusIncident> =>
  api.call(createStatusIncident, { params: { org }, body })

export const changeIncident = (
  org: string,
  incident: string,
  body: BodyInput<typeof updateStatusIncident>,
): Promise<StatusIncident> => api.call(updateStatusIncident, { params: { org, incident }, body })

export const goOn = (org: string, incident: string, body: BodyInput<typeof addStatusUpdate>): Promise<StatusIncident> =>
  api.call(addStatusUpdate, { params: { org, incident }, body })

export const removeIncident = (org: string, incident: string): Promise<null> =>
  api.call(deleteStatusIncident, { params: { org, incident } })
