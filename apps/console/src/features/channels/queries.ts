import { getChannel, getDelivery, listChannels, listDeliveries, type Delivery } from '@firsthand/contract'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { channelsKey } from './query-keys.ts'

export { channelsKey } from './query-keys.ts'

/** Places to which messages go. */
export const channelsQuery = (org: string) =>
  queryOptions({
    queryKey: [...channelsKey(org), 'list'],
    queryFn: ({ signal }) => api.call(listChannels, { params: { org }, signal }),
  })

export const channelQuery = (org: string, channel: string) =>
  queryOptions({
    queryKey: [...channelsKey(org), 'one', channel],
    queryFn: ({ signal }) => api.call(getChannel, { params: { org, channel }, signal }),
  })

/** Rows that the list of deliveries shows. */
export const DELIVERIES_SHOWN = 50

/** The newest messages to a channel, of all states when none is named. */
export const deliveriesQuery = (org: string, channel: string, state: readonly Delivery['state'][]) =>
  queryOptions({
    queryKey: [...channelsKey(org), 'deliveries', channel, state],
    queryFn: ({ signal }) =>
      api.call(listDeliveries, {
        params: { org, channel },
        query: { state: [...state], limit: DELIVERIES_SHOWN },
        signal,
      }),
    placeholderData: keepPreviousData,
  })

export const deliveryQuery = (org: string, channel: string, delivery: string) =>
  queryOptions({
    queryKey: [...channelsKey(org), 'delivery', channel, delivery],
    queryFn: ({ signal }) => api.call(getDelivery, { params: { org, channel, delivery }, signal }),
  })
