import { listAlertIncidents, listIssueAlerts } from '@firsthand/contract'
import { queryOptions } from '@tanstack/react-query'

import { api } from '../../../lib/api.ts'
import { alertsKey } from '../model/keys.ts'

/** What rules said of an issue, and why others said nothing. */
export const issueAlertsQuery = (org: string, issue: string) =>
  queryOptions({
    queryKey: [...alertsKey(org), 'issue', issue],
    queryFn: ({ signal }) => api.call(listIssueAlerts, { params: { org, issue }, signal }),
  })

/** As many as a chart has room for. */
const MARKS = 20

/** When alerts fired, of an issue or of projects. */
export const marksQuery = (
  org: string,
  about: {
    readonly issue?: string
    readonly project?: readonly string[]
    readonly statsPeriod?: string
    readonly start?: string
    readonly end?: string
  },
) =>
  queryOptions({
    queryKey: [...alertsKey(org), 'marks', about],
    queryFn: ({ signal }) =>
      api.call(listAlertIncidents, {
        params: { org },
        query: { ...about, project: about.project === undefined ? undefined : [...about.project], limit: MARKS },
        signal,
      }),
    // A chart without them is still a chart.
    retry: false,
  })
