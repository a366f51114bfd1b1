import { useQuery } from '@tanstack/react-query'

import { ButtonLink } from '../../../ui/index.ts'
import { profileOfSpan, type ProfiledSpan } from '../model/profile-of-span.ts'
import { traceProfilesQuery } from '../queries.ts'

/** Leads from a span to what ran meanwhile. Nothing when no profile was taken. */
export function SpanProfile({
  org,
  trace,
  span,
}: {
  readonly org: string
  readonly trace: string
  readonly span: ProfiledSpan
}) {
  const { data = [] } = useQuery(traceProfilesQuery(org, trace))
  const link = profileOfSpan(data, span)
  if (link === null) return null
  return (
    <ButtonLink
      size="small"
      to="/organizations/$org/profiles/$profile"
      params={{ org, profile: link.profile }}
      search={link.search}
    >
      Profile
    </ButtonLink>
  )
}
