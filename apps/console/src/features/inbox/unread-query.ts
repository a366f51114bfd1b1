import { countInbox } from '@firsthand/contract'
import { api } from '../../lib/api.ts'
import { organizationKeys } from '../../lib/query-keys.ts'
import type { CountQuery } from '../../shell/feature.ts'

/** The inbox of the signed-in person: lists, counts, single lines. */
export const inboxKey = (org: string) => [...organizationKeys.all(org), 'inbox'] as const

/** For the side bar. */
export const unreadQuery = (org: string): CountQuery => ({
  queryKey: [...inboxKey(org), 'unread'],
  queryFn: async ({ signal }) => (await api.call(countInbox, { params: { org }, signal })).unread,
  retry: false,
})
