import type { Answer, listReplays } from '@firsthand/contract'
import { standingIssues, type ReplayEventRecord } from '../../issues/index.ts'
import { toDate } from '../../lib/instant-text.ts'
import { reportedAs } from '../replay-rules.ts'
import type { Granted } from '../services.ts'

type FirstError = NonNullable<Answer<typeof listReplays>['data'][number]['first_error']>

/** The first error of each of these replays, in their order, with the issue that it belongs to by now; null for none. */
export const firstErrors = async (
  { issues }: Granted<{ issues: 'merges' | 'records' }>,
  organizationId: number,
  replays: readonly { readonly reported: readonly ReplayEventRecord[] }[],
): Promise<readonly (FirstError | null)[]> => {
  const first = replays.map(({ reported }) => reported.find(({ level }) => reportedAs.of(level) === 'error') ?? null)
  const standing = await standingIssues(
    issues,
    organizationId,
    first.flatMap((one) => (one === null ? [] : Number(one.issueId))),
  )
  return first.map((one) => {
    if (one === null) return null
    const issue = standing.get(Number(one.issueId))
    return {
      event_id: one.eventId,
      title: one.title,
      at: toDate(one.at),
      issue: issue === undefined ? null : { id: String(issue.id), short_id: issue.shortId },
    }
  })
}
