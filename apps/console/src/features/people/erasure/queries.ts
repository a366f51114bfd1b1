import { createErasure, deleteErasure, listErasures, previewErasure, type Erasure } from '@firsthand/contract'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'

import { api } from '../../../lib/api.ts'
import { personKey } from '../query-keys.ts'

/** How often it is asked how far one is that is under way. Milliseconds. */
const UNDER_WAY_MS = 5000

const isOpen = ({ state }: Erasure): boolean => state === 'planned' || state === 'running'

export const erasuresQuery = (org: string) =>
  queryOptions({
    queryKey: [...personKey(org), 'erasures'],
    queryFn: ({ signal }) => api.call(listErasures, { params: { org }, signal }),
    refetchInterval: ({ state }) => (state.data?.some(isOpen) === true ? UNDER_WAY_MS : false),
  })

/** @param names null for all that stand beside `user` */
export const previewQuery = (org: string, user: string, names: readonly string[] | null) =>
  queryOptions({
    queryKey: [...personKey(org), 'erasure', user, names],
    queryFn: ({ signal }) =>
      api.call(previewErasure, {
        params: { org },
        query: { user, ...(names !== null && { name: [...names] }) },
        signal,
      }),
    placeholderData: keepPreviousData,
  })

export const erase = (org: string, names: readonly string[]) =>
  api.call(createErasure, { params: { org }, body: { names: [...names] } })

export const takeBack = (org: string, erasure: string) => api.call(deleteErasure, { params: { org, erasure } })
