import type { Answer, listReplays } from '@firsthand/contract'
import type { ReplayEventRecord } from '../../issues/index.ts'
import { toDate } from '../../lib/instant-text.ts'
import { reportedAs } from '../replay-rules.ts'
import type { ReplayServices } from '../services.ts'

type FirstError = NonNullable<Answer<typeof listReplays>['data'][number]['first_error']>

/** The first error of each of these replays, in their order, with the issue that it belongs to by now; null for none. */
export const firstErrors = async (
  { issues }: Pick<ReplayServices, 'issues'>,
  organizationId: number,
  replays: readonly { readonly reported: readonly ReplayEventRecord[] }[],
): Promise<readonly (FirstError | null)[]> => {
  const first = replays.map(({ reported }) => reported.find(({ level }) => reportedAs.of(level) === 'error') ?? null)
  const stored = [...new Set(first.flatMap((one) => (one === null ? [] : Number(one.issueId))))]
  const merges = stored.length === 0 ? new Map<number, number>() : await issues.merges(organizationId, stored)
  const living = (issueId: string): number => merges.get(Number(issueId)) ?? Number(issueId)
  const records = await issues.records(organizationId, [...new Set(stored.map((id) => living(String(id))))])
  const shortIds = new Map(records.map(({ id, shortId }) => [id, shortId]))
  return first.map((one) => {
    if (one === null) return null
    const id = living(one.issueId)
    const shortId = shortIds.get(id)
    return {
      event_id: one.eventId,
      title: one.title,
      at: toDate(one.at),
      issue: shortId === undefined ? null : { id: String(id), short_id: shortId },
    }
  })
}
