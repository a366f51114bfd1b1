import { Unanswerable } from '../../lib/unanswerable.ts'
import type { RunningDeletion } from '../ledger/deletion-jobs.ts'
import { namedIn } from '../list/named-in.ts'
import type { Granted } from '../services.ts'

export type NamesChecking = Granted<{ issues: 'shortIds'; viewers: 'members' }>

/**
 * A job keeps the words of its search. What these name and is not there any more finds nothing, and all but nothing is
 * everything: `!issue:SHOP-6` would delete all once that issue was deleted, `seen_by_me:false` once who asked has left.
 * Asked after replays were looked for, so that nothing named was gone when they were.
 *
 * An issue that is to be excluded has to be there whatever is kept of it: its events go with it, and then no replay has any.
 * Of one that is not, the kept ids find what is left.
 *
 * @param names what is kept of the search; null while nothing is
 * @throws Unanswerable
 */
export const expectStillThere = async (
  { issues, viewers }: NamesChecking,
  organizationId: number,
  { names, query, userId }: Pick<RunningDeletion, 'names' | 'query' | 'userId'>,
): Promise<void> => {
  const named = namedIn(query)
  const asked = names === null ? named.issues : named.withoutIssues
  const found = await issues.shortIds(organizationId, asked)
  const missing = asked.find((shortId) => !found.has(shortId.toUpperCase()))
  if (missing !== undefined)
    throw new Unanswerable(
      `The search names the issue ${missing}, which is not there. Without it, replays would be deleted that nobody asked to delete.`,
    )
  const people = named.viewers.map((viewer) => (viewer === 'me' ? userId : viewer))
  const members = await viewers.members(
    organizationId,
    people.flatMap((id) => id ?? []),
  )
  if (people.some((id) => id === null || !members.has(id))) {
    throw new Unanswerable(
      'The search asks what somebody has seen who is no member of the organisation, and what they saw is not known. Without it, replays would be deleted that nobody asked to delete.',
    )
  }
}
