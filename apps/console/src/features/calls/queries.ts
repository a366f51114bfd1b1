import { type Answer, getEventsTimeseries, queryEvents } from '@firsthand/contract'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { organizationKeys } from '../../lib/query-keys.ts'
import { tableFile } from '../explore/export/index.ts'
import { askInSuitableSteps } from '../explore/model/index.ts'
import { scopeKey, scopeQuery, type ScopeSearch } from '../issues/model/index.ts'
import { readBefore, readCalls, readOne, textOf, withSamples } from './model/answers.ts'
import type { CallSearch, CallsSearch } from './model/calls-url.ts'
import type { CallColumn, CallKind } from './model/kinds.ts'
import {
  allQuestion,
  beforeQuestion,
  callersQuestion,
  callQuestion,
  GROUP,
  listQuestion,
  type SampleChoice,
  samplesQuestion,
} from './model/questions.ts'
import { rangeBefore } from './model/shown.ts'

const callsKey = (org: string, kind: CallKind) => [...organizationKeys.all(org), 'calls', kind.name] as const

const ROWS = 50
const CALLERS = 20
const SAMPLES = 10

interface Samples {
  readonly choice: SampleChoice
  /** Milliseconds. */
  readonly median: number
}

const spansOf = (search: ScopeSearch) => ({ ...scopeQuery(search), dataset: 'spans' })

const listAsked = (kind: CallKind, search: CallsSearch) => ({ ...spansOf(search), ...listQuestion(kind, search) })
const callersAsked = (kind: CallKind, search: CallSearch) => ({ ...spansOf(search), ...callersQuestion(kind, search) })
const samplesAsked = (kind: CallKind, search: CallSearch, { choice, median }: Samples) => ({
  ...spansOf(search),
  ...samplesQuestion(kind, search, choice, median),
})

export const listFile = (org: string, kind: CallKind, search: CallsSearch) => tableFile(org, listAsked(kind, search))
export const callersFile = (org: string, kind: CallKind, search: CallSearch) =>
  tableFile(org, callersAsked(kind, search))
export const samplesFile = (org: string, kind: CallKind, search: CallSearch, samples: Samples) =>
  tableFile(org, samplesAsked(kind, search, samples))

/** Each with how many samples it is of. */
const rowsOf = ({ data, meta }: Answer<typeof queryEvents>) => withSamples(data, meta.accuracy?.sampleCount ?? [])

export const listQuery = (org: string, kind: CallKind, search: CallsSearch) =>
  infiniteQueryOptions({
    queryKey: [...callsKey(org, kind), 'list', search],
    queryFn: async ({ pageParam, signal }) => {
      const { data, next } = await api.page(queryEvents, {
        params: { org },
        query: {
          ...listAsked(kind, search),
          per_page: ROWS,
          ...(pageParam !== null && { cursor: pageParam }),
        },
        signal,
      })
      const rows = data.data
      const groups = rows.map((row) => textOf(row[GROUP]))
      const before = groups.length === 0 ? null : await askBefore(org, kind, search, groups, signal)
      const known = readBefore(kind, before?.data ?? [], before?.meta.accuracy?.sampleCount ?? [])
      return { rows: readCalls(kind, rows, data.meta.accuracy?.sampleCount ?? [], known), next }
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
  })

const askBefore = async (
  org: string,
  kind: CallKind,
  search: CallsSearch,
  groups: readonly string[],
  signal: AbortSignal,
) => {
  return api.call(queryEvents, {
    params: { org },
    query: {
      ...spansOf({ ...search, ...rangeBefore(search, Date.now()) }),
      ...beforeQuestion(kind, groups),
      per_page: ROWS * 4,
    },
    signal,
  })
}

/** The columns of all rows of a list together. */
export const allQuery = (org: string, kind: CallKind, search: CallsSearch) =>
  queryOptions({
    queryKey: [...callsKey(org, kind), 'all', search.query, scopeKey(search)],
    queryFn: async ({ signal }) => {
      const answer = await api.call(queryEvents, {
        params: { org },
        query: { ...spansOf(search), ...allQuestion(kind, search.query), per_page: 1 },
        signal,
      })
      return rowsOf(answer)[0] ?? {}
    },
    placeholderData: keepPreviousData,
  })

/** One column over time. */
export const overTimeQuery = (
  org: string,
  kind: CallKind,
  {
    scope,
    condition,
    column,
  }: { readonly scope: ScopeSearch; readonly condition: string; readonly column: CallColumn },
) =>
  queryOptions({
    queryKey: [...callsKey(org, kind), 'over time', column.key, condition, scopeKey(scope)],
    queryFn: ({ signal }) =>
      askInSuitableSteps(scope, (interval) =>
        api.call(getEventsTimeseries, {
          params: { org },
          query: { ...spansOf(scope), query: condition, interval, yAxis: [column.field] },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  })

export const callQuery = (org: string, kind: CallKind, search: CallSearch) =>
  queryOptions({
    queryKey: [...callsKey(org, kind), 'one', search],
    queryFn: async ({ signal }) => {
      const answer = await api.call(queryEvents, {
        params: { org },
        query: { ...spansOf(search), ...callQuestion(kind, search), per_page: 1 },
        signal,
      })
      return readOne(kind, rowsOf(answer)[0])
    },
    placeholderData: keepPreviousData,
  })

/** The transactions that it was called from. */
export const callersQuery = (org: string, kind: CallKind, search: CallSearch) =>
  queryOptions({
    queryKey: [...callsKey(org, kind), 'callers', search],
    queryFn: async ({ signal }) => {
      const answer = await api.call(queryEvents, {
        params: { org },
        query: { ...callersAsked(kind, search), per_page: CALLERS },
        signal,
      })
      return rowsOf(answer)
    },
    placeholderData: keepPreviousData,
  })

export const samplesQuery = (org: string, kind: CallKind, search: CallSearch, { choice, median }: Samples) =>
  queryOptions({
    queryKey: [...callsKey(org, kind), 'samples', choice, median, search],
    queryFn: async ({ signal }) => {
      const { data } = await api.call(queryEvents, {
        params: { org },
        query: { ...samplesAsked(kind, search, { choice, median }), per_page: SAMPLES },
        signal,
      })
      return data
    },
    placeholderData: keepPreviousData,
  })
