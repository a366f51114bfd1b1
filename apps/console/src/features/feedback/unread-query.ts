import { countFeedback } from '@firsthand/contract'
import { api } from '../../lib/api.ts'
import { organizationKeys } from '../../lib/query-keys.ts'
import type { CountQuery } from '../../shell/feature.ts'

/** Reports of visitors, their lists and counts. */
export const feedbackKey = (org: string) => [...organizationKeys.all(org), 'feedback'] as const

/** How many reports nobody has read. */
export const unreadCountQuery = (org: string): CountQuery => ({
  queryKey: [...feedbackKey(org), 'unread-count'],
  queryFn: async ({ signal }) => (await api.call(countFeedback, { params: { org }, query: {}, signal })).unread,
  retry: false,
})
