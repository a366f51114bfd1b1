import { formatFilter } from '@firsthand/search-syntax'
import { useQuery } from '@tanstack/react-query'

import { ButtonLink } from '../../../ui/index.ts'
import { visitorReplaysQuery } from './queries.ts'

interface Visitor {
  readonly id: string
  readonly email: string
  readonly username: string
}

/** With all ids that they had; null for somebody of whom only an address is known. */
function searchOf({ id, email, username }: Visitor): string | null {
  const known = email === '' ? id : email
  if (known !== '') return formatFilter('visitor', known)
  return username === '' ? null : formatFilter('user.username', username)
}

/** From a visitor to their replays; nothing when there are none. */
export function VisitorReplays({
  org,
  project,
  visitor,
}: {
  readonly org: string
  /** An id may be somebody else's in another one. */
  readonly project: string
  readonly visitor: Visitor
}) {
  const search = searchOf(visitor)
  const { data = [] } = useQuery({ ...visitorReplaysQuery(org, project, search ?? ''), enabled: search !== null })
  if (data.length === 0 || search === null) return null
  return (
    <ButtonLink
      variant="ghost"
      size="small"
      to="/organizations/$org/replays"
      params={{ org }}
      search={{ query: search, statsPeriod: '90d', project: [project] }}
    >
      Replays of this visitor
    </ButtonLink>
  )
}
