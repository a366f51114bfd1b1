import {
  type AlertDraft,
  type AlertRule,
  createAlert,
  deleteAlert,
  dryRunAlert,
  duplicateAlert,
  enableAlert,
  getAlert,
  listAlertEvaluations,
  listAlertIncidents,
  listAlerts,
  muteAlert,
  PAGE_LIMIT_MAX,
  restoreAlert,
  testAlert,
  unmuteAlert,
  updateAlert,
} from '@firsthand/contract'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'

import { api } from '../../lib/api.ts'
import { timeZone } from '../../lib/moments.ts'
import type { AlertsSearch } from './model/alerts-search.ts'
import { alertsKey } from './model/keys.ts'

const ROWS = 50

export const alertsQuery = (org: string, { query, project }: AlertsSearch) =>
  infiniteQueryOptions({
    queryKey: [...alertsKey(org), 'list', query, project],
    queryFn: ({ pageParam, signal }) =>
      api.page(listAlerts, {
        params: { org },
        query: {
          ...(query !== '' && { query }),
          ...(project.length > 0 && { project: [...project] }),
          limit: PAGE_LIMIT_MAX,
          cursor: pageParam ?? undefined,
        },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
  })

export const alertQuery = (org: string, alert: string) =>
  queryOptions({
    queryKey: [...alertsKey(org), 'rule', alert],
    queryFn: ({ signal }) => api.call(getAlert, { params: { org, alert }, signal }),
  })

export const evaluationsQuery = (org: string, alert: string, all: boolean) =>
  infiniteQueryOptions({
    queryKey: [...alertsKey(org), 'rule', alert, 'evaluations', all],
    queryFn: ({ pageParam, signal }) =>
      api.page(listAlertEvaluations, {
        params: { org, alert },
        query: { all, limit: ROWS, cursor: pageParam ?? undefined },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
  })

export const incidentsQuery = (org: string, alert: string) =>
  infiniteQueryOptions({
    queryKey: [...alertsKey(org), 'rule', alert, 'incidents'],
    queryFn: ({ pageParam, signal }) =>
      api.page(listAlertIncidents, {
        params: { org },
        query: { alert, limit: 20, cursor: pageParam ?? undefined },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
  })

export const dryRunKey = (org: string) => [...alertsKey(org), 'dry-run'] as const

/** @param alert the rule that is changed; null for a new one */
export const dryRunQuery = (org: string, rule: AlertDraft, alert: string | null) =>
  queryOptions({
    queryKey: [...dryRunKey(org), alert, { ...rule, name: '', isEnabled: true }],
    queryFn: ({ signal }) =>
      api.call(dryRunAlert, {
        params: { org },
        // It has no name until it is saved, and is none that is refused for that.
        body: {
          rule: { ...rule, name: rule.name.trim() === '' ? 'Alert' : rule.name, isEnabled: true },
          ...(alert !== null && { alert }),
          timezone: timeZone(),
        },
        signal,
      }),
    staleTime: 60_000,
    // What the server refuses stays refused.
    retry: false,
  })

export const addAlert = (org: string, rule: AlertDraft) => api.call(createAlert, { params: { org }, body: rule })

export const changeAlert = (org: string, alert: string, rule: AlertDraft, version: number) =>
  api.call(updateAlert, { params: { org, alert }, body: { ...rule, version } })

export const removeAlert = (org: string, alert: string) => api.call(deleteAlert, { params: { org, alert } })

export const bringBackAlert = (org: string, alert: string) => api.call(restoreAlert, { params: { org, alert } })

export const switchAlert = (org: string, alert: string, isEnabled: boolean) =>
  api.call(enableAlert, { params: { org, alert }, body: { isEnabled } })

/** @param minutes null until somebody takes it back */
export const silenceAlert = (org: string, alert: string, minutes: number | null) =>
  api.call(muteAlert, { params: { org, alert }, body: { minutes } })

export const letAlertSpeak = (org: string, alert: string) => api.call(unmuteAlert, { params: { org, alert } })

export const copyAlert = (org: string, alert: string): Promise<AlertRule> =>
  api.call(duplicateAlert, { params: { org, alert } })

export const tryAlert = (org: string, alert: string) => api.call(testAlert, { params: { org, alert } })
