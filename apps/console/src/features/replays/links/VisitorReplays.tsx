import { formatFilter } from '@firsthand/search-syntax'
import { useQuery } from '@tanstack/react-query'

import { ButtonLink } from '../../../ui/index.ts'
import { visitorReplaysQuery } from './queries.ts'

interface Visitor {
  readonly id: string
  readonly email: string
  readonly username: string
}

/** By what tells them apart best; null for somebody of whom only an address is known. */
function searchOf({ id, email, username }: Visitor): string | null {
  if (id !== '') return formatFilter('user.id', id)
  if (email !== '') return formatFilter('user.email', email)
  return username === '' ? null : formatFilter('user.username', username)
}

/** From a visitor to their replays; nothing when there are none. */
export function VisitorReplays({ org, visitor }: { readonly org: string; readonly visitor: Visitor }) {
  const search = searchOf(visitor)
  const { data = [] } = useQuery({ ...visitorReplaysQuery(org, search ?? ''), enabled: search !== null })
  if (data.length === 0 || search === null) return null
  return (
    <ButtonLink
      variant="ghost"
      size="small"
      to="/organizations/$org/replays"
      params={{ org }}
      search={{ query: search, statsPeriod: '90d' }}
    >
      Replays of this visitor
    </ButtonLink>
  )
}
