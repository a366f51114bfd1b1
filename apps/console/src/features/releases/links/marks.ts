import { listReleaseMarks, type ReleaseMark } from '@firsthand/contract'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { api } from '../../../lib/api.ts'
import { scopeKey, scopeQuery, type ScopeSearch } from '../../issues/model/index.ts'
import { releasesKey } from '../query-keys.ts'

/** The moment on a chart from which on a release ran. */
export interface ShippedMark {
  readonly timeMs: number
  readonly label: string
}

const NONE: readonly ShippedMark[] = []

/** All charts of a page that are of the same time and projects ask once. */
const releaseMarksQuery = (org: string, search: ScopeSearch) =>
  queryOptions({
    queryKey: [...releasesKey(org), 'marks', scopeKey(search)],
    queryFn: ({ signal }) => api.call(listReleaseMarks, { params: { org }, query: scopeQuery(search), signal }),
    placeholderData: keepPreviousData,
    // A chart is read without them.
    retry: false,
    select: shippedMarks,
  })

/** Most deploys are to production: only others are named. */
function shippedMarks(marks: readonly ReleaseMark[]): readonly ShippedMark[] {
  return marks.map(({ date, environment, shortVersion }) => ({
    timeMs: Date.parse(date),
    label: environment === null || environment === 'production' ? shortVersion : `${shortVersion} ${environment}`,
  }))
}

/** When releases began to run, for charts of this time and these projects; none while that is not known. */
export function useReleaseMarks(org: string, search: ScopeSearch): readonly ShippedMark[] {
  return useQuery(releaseMarksQuery(org, search)).data ?? NONE
}
