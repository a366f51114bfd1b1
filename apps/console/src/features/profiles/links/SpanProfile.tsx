import { useQuery } from '@tanstack/react-query'

import { ButtonLink } from '../../../ui/index.ts'
import { profileOfSpan, type ProfiledSpan } from '../model/profile-of-span.ts'
import { traceProfilesQuery } from '../queries.ts'
import styles from './SpanProfile.module.css'

/**
 * Leads from a span to what ran meanwhile. In a trace without profiles nothing; in any other one a line for every span,
 * so that nothing moves from one to the next.
 */
export function SpanProfile({
  org,
  trace,
  span,
}: {
  readonly org: string
  readonly trace: string
  /** Undefined until all of it is known. */
  readonly span: ProfiledSpan | undefined
}) {
  const { data = [] } = useQuery(traceProfilesQuery(org, trace))
  if (data.length === 0) return null
  const link = span === undefined ? null : profileOfSpan(data, span)
  return (
    <p className={styles.line}>
      {link !== null ? (
        <ButtonLink
          size="small"
          to="/organizations/$org/profiles/$profile"
          params={{ org, profile: link.profile }}
          search={link.search}
        >
          Profile
        </ButtonLink>
      ) : span === undefined ? null : (
        'No profile was taken meanwhile'
      )}
    </p>
  )
}
