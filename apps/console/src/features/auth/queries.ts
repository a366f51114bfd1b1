import { getInvitation } from '@firsthand/contract'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'

/** What an invitation link is for. */
export const invitationQuery = (token: string) =>
  queryOptions({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => api.call(getInvitation, { params: { token }, signal }),
    meta: { page: true },
  })
