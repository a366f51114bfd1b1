import {
  type BodyInput,
  createUptimeCheck,
  deleteUptimeCheck,
  getUptimeCheck,
  getUptimeTimelines,
  listUptimeChecks,
  listUptimeResults,
  restoreUptimeCheck,
  tryUptimeCheck,
  type UptimeCell,
  updateUptimeCheck,
  type UptimeCheck,
} from '@firsthand/contract'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../../lib/api.ts'
import { everyPage } from '../../../lib/shared-queries.ts'
import type { Hours, MonitorsSearch } from '../model/monitors-search.ts'
import { PARTS } from '../queries.ts'
import { monitorsKey } from '../query-keys.ts'

const PAGE = 100

export const uptimeListQuery = (org: string, { project }: Pick<MonitorsSearch, 'project'>) =>
  queryOptions({
    queryKey: [...monitorsKey(org), 'uptime', project],
    queryFn: ({ signal }) =>
      everyPage((cursor) =>
        api.page(listUptimeChecks, {
          params: { org },
          query: { limit: PAGE, cursor, ...(project.length > 0 && { project: [...project] }) },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  })

export const uptimeLinesQuery = (org: string, checks: readonly string[], hours: Hours) =>
  queryOptions({
    queryKey: [...monitorsKey(org), 'uptime lines', checks, hours],
    queryFn: ({ signal }) =>
      api.call(getUptimeTimelines, {
        params: { org },
        query: { check: checks.slice(0, PAGE), hours: Number(hours), parts: PARTS },
        signal,
      }),
    enabled: checks.length > 0,
    placeholderData: keepPreviousData,
  })

export const uptimeQuery = (org: string, check: string) =>
  queryOptions({
    queryKey: [...monitorsKey(org), 'uptime one', check],
    queryFn: ({ signal }) => api.call(getUptimeCheck, { params: { org, check }, signal }),
  })

export const answersQuery = (org: string, check: string) =>
  infiniteQueryOptions({
    queryKey: [...monitorsKey(org), 'uptime answers', check],
    queryFn: ({ pageParam, signal }) =>
      api.page(listUptimeResults, {
        params: { org, check },
        query: { limit: 50, ...(pageParam !== '' && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: (last) => last.next ?? undefined,
    placeholderData: keepPreviousData,
  })

export type UptimeBody = BodyInput<typeof createUptimeCheck>
export type UptimeChange = BodyInput<typeof updateUptimeCheck>

export const addCheck = (org: string, body: UptimeBody): Promise<UptimeCheck> =>
  api.call(createUptimeCheck, { params: { org }, body })

export const changeCheck = (org: string, check: string, body: UptimeChange): Promise<UptimeCheck> =>
  api.call(updateUptimeCheck, { params: { org, check }, body })

export const removeCheck = (org: string, check: string): Promise<null> =>
  api.call(deleteUptimeCheck, { params: { org, check } })

export const bringCheckBack = (org: string, check: string): Promise<UptimeCheck> =>
  api.call(restoreUptimeCheck, { params: { org, check } })

export const tryCheck = (org: string, body: BodyInput<typeof tryUptimeCheck>) =>
  api.call(tryUptimeCheck, { params: { org }, body })

/** As parts of a time line of runs are drawn. */
export const asRuns = (cells: readonly UptimeCell[]) =>
  cells.map(({ at, down, longest, unknown, up }) => ({
    at,
    runs: up + down + unknown,
    ok: up,
    late: 0,
    error: down,
    missed: 0,
    timeout: 0,
    unknown,
    running: 0,
    longest,
  }))
