import { findPeople, getPerson, listPersonEntries } from '@firsthand/contract'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'

import { api } from '../../lib/api.ts'
import { timeOf } from '../issues/model/index.ts'
import { personKey } from './query-keys.ts'
import { kindsOf, type PersonSearch } from './model/person-search.ts'

const aboutOf = (search: PersonSearch) => ({
  user: search.user,
  project: [...search.project],
  ...timeOf(search),
})

export const personQuery = (org: string, search: PersonSearch) =>
  queryOptions({
    queryKey: [...personKey(org), 'detail', aboutOf(search)],
    queryFn: ({ signal }) => api.call(getPerson, { params: { org }, query: aboutOf(search), signal }),
    placeholderData: keepPreviousData,
  })

export const entriesQuery = (org: string, search: PersonSearch) =>
  infiniteQueryOptions({
    queryKey: [...personKey(org), 'entries', aboutOf(search), search.tab],
    queryFn: ({ pageParam, signal }) =>
      api.page(listPersonEntries, {
        params: { org },
        query: {
          ...aboutOf(search),
          ...(search.tab === 'all' ? {} : { kind: [...kindsOf(search.tab)] }),
          ...(pageParam === null ? {} : { cursor: pageParam }),
        },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
  })

/** The same, for the page that finds them. */
export const foundPeopleQuery = (org: string, text: string) =>
  queryOptions({
    queryKey: [...personKey(org), 'found', text],
    queryFn: ({ signal }) => findPersons(org, text, signal),
    placeholderData: keepPreviousData,
  })

export const findPersons = (org: string, text: string, signal: AbortSignal) =>
  api.call(findPeople, { params: { org }, query: { query: text }, signal })
