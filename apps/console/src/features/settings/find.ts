import { formatFilter } from '@firsthand/search-syntax'
import { membersQuery } from '../../lib/shared-queries.ts'
import type { Find } from '../../shell/feature.ts'
import { type Command, UserIcon } from '../../ui/index.ts'

const MOST_MEMBERS = 4
/** The list of members changes rarely; while one types it is not asked for again. */
const FRESH_MS = 60_000

/** Members by name or e-mail, who lead to their issues; and whoever has an e-mail address, who leads to what they met. */
export const find: Find = async (text, { org, navigate, client, access }) => {
  const toIssues = (query: string) => () =>
    void navigate({ to: '/organizations/$org/issues', params: { org }, search: { query } })
  const wanted = text.toLowerCase()
  const members = access.includes('member:read')
    ? await client.fetchQuery({ ...membersQuery(org), staleTime: FRESH_MS })
    : []
  const colleagues = members
    .filter(({ pending }) => !pending)
    .filter(({ name, email }) => [name, email].some((word) => word.toLowerCase().includes(wanted)))
    .slice(0, MOST_MEMBERS)
    .map(({ id, name, email }): Command => ({
      id: `member-${id}`,
      label: name || email,
      hint: 'issues assigned to them',
      group: 'People',
      icon: UserIcon,
      run: toIssues(formatFilter('assigned', email)),
    }))
  if (!/^\S+@\S+$/.test(text)) return colleagues
  return [
    ...colleagues,
    {
      id: 'person-by-email',
      label: text,
      hint: 'issues they ran into',
      group: 'People',
      icon: UserIcon,
      run: toIssues(formatFilter('user.email', text)),
    },
  ]
}
