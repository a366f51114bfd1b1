import type { EventView, IssueRecord } from '../../issues/index.ts'
import type { Draft } from '../writing/draft.ts'
import { draftOfIssue, type Quote } from './of-issue.ts'

interface GatherParts {
  readonly events: Pick<EventView, 'recommended' | 'load' | 'countIssues'>
  /** What people said about issues, the newest first. */
  readonly quotes: (organizationId: number, issueIds: readonly number[]) => Promise<readonly Quote[]>
  /** Address of this server, without a final slash. */
  readonly publicUrl: string
}

/** Reads what is known of an issue, for its ticket. */
export const createGather =
  ({ events, quotes, publicUrl }: GatherParts) =>
  async (organization: { readonly id: number; readonly slug: string }, issue: IssueRecord): Promise<Draft> => {
    const scope = { organizationId: organization.id, projectIds: [issue.project.id], environments: [], period: null }
    const [place, said, counts] = await Promise.all([
      events.recommended({ ...scope, issueIds: issue.storedIds, filter: null }),
      quotes(organization.id, issue.storedIds),
      events.countIssues({ ...scope, issues: new Map([[issue.id, issue.storedIds]]), buckets: null }),
    ])
    const loaded = place === null ? null : await events.load(place)
    return draftOfIssue({
      issue,
      event: loaded?.event ?? null,
      quotes: said,
      users: counts.get(issue.id)?.users ?? 0,
      url: `${publicUrl}/organizations/${organization.slug}/issues/${issue.id}/`,
    })
  }

export type Gather = ReturnType<typeof createGather>
