import {
  type BodyInput,
  createMonitor,
  deleteMonitor,
  getCheckInLog,
  getMonitor,
  getMonitorTimelines,
  listCheckIns,
  listMonitors,
  type Monitor,
  previewSchedule,
  restoreMonitor,
  updateMonitor,
  updateMonitorEnvironment,
} from '@firsthand/contract'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { everyPage } from '../../lib/shared-queries.ts'
import type { Hours, MonitorsSearch } from './model/monitors-search.ts'
import { monitorsKey } from './query-keys.ts'

const PAGE = 50
/** Parts of a time line: as many as are wide enough to be seen. */
export const PARTS = 120
/** What runs, is due or is late changes while nobody sends anything. */
const REFRESH_MS = 30_000

export const monitorListQuery = (org: string, { project, query }: MonitorsSearch) =>
  infiniteQueryOptions({
    queryKey: [...monitorsKey(org), 'list', project, query],
    queryFn: ({ pageParam, signal }) =>
      api.page(listMonitors, {
        params: { org },
        query: {
          limit: PAGE,
          ...(project.length > 0 && { project: [...project] }),
          ...(query !== '' && { query }),
          ...(pageParam !== '' && { cursor: pageParam }),
        },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: (last) => last.next ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  })

/** All of them, for those who choose among them. */
export const everyMonitorQuery = (org: string) =>
  queryOptions({
    queryKey: [...monitorsKey(org), 'every'],
    queryFn: ({ signal }) =>
      everyPage((cursor) => api.page(listMonitors, { params: { org }, query: { limit: PAGE, cursor }, signal })),
  })

export const timelinesQuery = (org: string, monitors: readonly string[], hours: Hours) =>
  queryOptions({
    queryKey: [...monitorsKey(org), 'timelines', monitors, hours],
    queryFn: ({ signal }) =>
      api.call(getMonitorTimelines, {
        params: { org },
        query: { monitor: [...monitors], hours: Number(hours), parts: PARTS },
        signal,
      }),
    enabled: monitors.length > 0,
    placeholderData: keepPreviousData,
  })

export const monitorQuery = (org: string, monitor: string) =>
  queryOptions({
    queryKey: [...monitorsKey(org), 'one', monitor],
    queryFn: ({ signal }) => api.call(getMonitor, { params: { org, monitor }, query: {}, signal }),
    refetchInterval: REFRESH_MS,
  })

/** The last runs, for a row that is open. */
export const lastRunsQuery = (org: string, monitor: string, environment: string) =>
  queryOptions({
    queryKey: [...monitorsKey(org), 'last runs', monitor, environment],
    queryFn: ({ signal }) =>
      api.call(listCheckIns, { params: { org, monitor }, query: { environment: [environment], limit: 4 }, signal }),
  })

export const runsQuery = (org: string, monitor: string, environment: string) =>
  infiniteQueryOptions({
    queryKey: [...monitorsKey(org), 'runs', monitor, environment],
    queryFn: ({ pageParam, signal }) =>
      api.page(listCheckIns, {
        params: { org, monitor },
        query: { environment: [environment], limit: PAGE, ...(pageParam !== '' && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: (last) => last.next ?? undefined,
    placeholderData: keepPreviousData,
  })

export const logQuery = (org: string, monitor: string, checkIn: string) =>
  queryOptions({
    queryKey: [...monitorsKey(org), 'log', monitor, checkIn],
    queryFn: ({ signal }) => api.call(getCheckInLog, { params: { org, monitor, checkIn }, query: {}, signal }),
  })

export interface AskedSchedule {
  readonly schedule: string
  readonly unit: IntervalUnit | null
  readonly timezone: string
}
export type IntervalUnit = 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year'

/** What a schedule means, as the server reads it. */
export const scheduleQuery = (org: string, { schedule, timezone, unit }: AskedSchedule) =>
  queryOptions({
    queryKey: [...monitorsKey(org), 'schedule', schedule, unit, timezone],
    queryFn: ({ signal }) =>
      api.call(previewSchedule, {
        params: { org },
        query: { schedule, timezone: timezone === '' ? 'UTC' : timezone, ...(unit !== null && { unit }) },
        signal,
      }),
    enabled: schedule.trim() !== '',
    placeholderData: keepPreviousData,
  })

export type MonitorBody = BodyInput<typeof createMonitor>
export type MonitorChange = BodyInput<typeof updateMonitor>

export const addMonitor = (org: string, body: MonitorBody): Promise<Monitor> =>
  api.call(createMonitor, { params: { org }, body })

export const changeMonitor = (org: string, monitor: string, body: MonitorChange): Promise<Monitor> =>
  api.call(updateMonitor, { params: { org, monitor }, query: {}, body })

export const removeMonitor = (org: string, monitor: string): Promise<null> =>
  api.call(deleteMonitor, { params: { org, monitor }, query: {} })

export const removeEnvironment = (org: string, monitor: string, environment: string): Promise<null> =>
  api.call(deleteMonitor, { params: { org, monitor }, query: { environment: [environment] } })

export const bringBack = (org: string, monitor: string): Promise<Monitor> =>
  api.call(restoreMonitor, { params: { org, monitor } })

export const muteEnvironment = (
  org: string,
  monitor: string,
  environment: string,
  isMuted: boolean,
): Promise<Monitor> =>
  api.call(updateMonitorEnvironment, { params: { org, monitor, environment }, query: {}, body: { isMuted } })
