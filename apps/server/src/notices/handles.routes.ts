import { listHandles, listPausedAddresses, allowMailToMember } from '@firsthand/contract'
import type { Accounts, Handles } from '../accounts/index.ts'
import { bind, notFound, type Route } from '../http/index.ts'
import { toDate } from '../lib/instant-text.ts'
import type { Pauses } from './ledger/pauses.ts'

/** Handles that one answer has when nobody says how many. */
const HANDLES = 8

/** Whom notes can name, and to whom no mail is sent. */
export const createMemberNoticeRoutes = ({
  accounts,
  handles,
  pauses,
}: {
  readonly accounts: Pick<Accounts, 'store'>
  readonly handles: Pick<Handles, 'find'>
  readonly pauses: Pauses
}): Route[] => [
  bind(listHandles, async ({ query, request }) => {
    const found = await handles.find(request.organization.id, query.query ?? '', query.limit ?? HANDLES)
    return { body: found.map(({ id, ...handle }) => ({ ...handle, id: String(id) })) }
  }),

  bind(listPausedAddresses, async ({ request }) => {
    const paused = await pauses.list(request.organization.id)
    return {
      body: paused.map(({ memberId, since, ...rest }) => ({
        ...rest,
        memberId: String(memberId),
        since: toDate(since),
      })),
    }
  }),

  bind(allowMailToMember, async ({ params, request }) => {
    const member = /^\d{1,15}$/.test(params.member)
      ? await accounts.store.member(request.organization.id, Number(params.member))
      : null
    if (member === null || member.user === null) throw notFound()
    await pauses.resume(member.user.email)
    return { body: null }
  }),
]
