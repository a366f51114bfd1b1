import { REPLAYS_COUNTED_MAX } from '@firsthand/contract'
import { useQuery } from '@tanstack/react-query'

import { formatCount } from '../../../lib/format.ts'
import { LinkTab } from '../../../ui/index.ts'
import { issueReplaysQuery } from './queries.ts'

/** A tab that leads from an issue to the replays in which it was reported; nothing when there are none. */
export function IssueReplays({
  org,
  issue,
}: {
  readonly org: string
  readonly issue: { readonly id: string; readonly shortId: string; readonly project: { readonly id: string } }
}) {
  const { data: count = 0 } = useQuery(issueReplaysQuery(org, issue.id, issue.project.id))
  if (count === 0) return null
  return (
    <LinkTab
      to="/organizations/$org/replays"
      params={{ org }}
      search={{ query: `issue:${issue.shortId}`, statsPeriod: '90d' }}
      isCurrent={false}
      count={count < REPLAYS_COUNTED_MAX ? formatCount(count) : `${formatCount(REPLAYS_COUNTED_MAX - 1)}+`}
    >
      Replays
    </LinkTab>
  )
}
