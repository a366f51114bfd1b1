import { shortenOrNull, type Fact } from '../../facts/index.ts'
import { issueOfFact, type IssueRowOfFact } from '../issue-facts.ts'
import type { StatusDetails } from '../workflow/status.ts'
import type { Actor } from '../workflow/workflow.store.ts'

const RANK = { low: 0, medium: 1, high: 2 } as const

/** What somebody changed of an issue. */
export interface IssueChange {
  readonly before: IssueRowOfFact & { readonly id: number; readonly project_id: number }
  readonly after: Partial<Pick<IssueRowOfFact, 'status' | 'substatus' | 'priority'>> &
    Partial<Pick<IssueRowOfFact, 'assigned_user_id' | 'assigned_team_id'>>
  /** Of the new status. */
  readonly details: StatusDetails
}

/** What every fact says of an issue to which somebody did something. */
export const aboutIssue = (issue: Pick<IssueChange['before'], 'id' | 'project_id'>, actor: Actor) => ({
  organizationId: actor.organizationId,
  projectId: issue.project_id,
  issueId: issue.id,
  reportId: null,
  actorId: actor.userId,
  receivedAt: actor.now,
})

/** What is noted of it: one fact for each thing that happened. */
export const factsOfChange = ({ before, after, details }: IssueChange, actor: Actor): readonly Fact[] => {
  const row = { ...before, ...after }
  const about = aboutIssue(before, actor)
  const issue = issueOfFact(row)
  const facts: Fact[] = []
  if (row.status !== before.status) {
    if (row.status === 'resolved') {
      const data = { issue, inRelease: shortenOrNull(details.inRelease), inNextRelease: details.inNextRelease === true }
      facts.push({ ...about, kind: 'issue_resolved', data })
    } else if (row.status === 'ignored') facts.push({ ...about, kind: 'issue_archived', data: { issue } })
    else facts.push({ ...about, kind: 'issue_reopened', data: { issue } })
  }
  if (row.assigned_user_id !== before.assigned_user_id || row.assigned_team_id !== before.assigned_team_id) {
    const data = { issue, userId: row.assigned_user_id, teamId: row.assigned_team_id }
    facts.push({ ...about, kind: 'issue_assigned', data })
  }
  if (RANK[row.priority] > RANK[before.priority]) {
    facts.push({ ...about, kind: 'issue_priority_raised', data: { issue, from: before.priority, to: row.priority } })
  }
  return facts
}
