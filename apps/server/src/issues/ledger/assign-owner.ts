import { noteFacts } from '../../facts/index.ts'
import { ISSUE_FACT_COLUMNS, issueOfFact } from '../issue-facts.ts'
import type { AssigneeRecord } from '../issues.view.ts'
import type { Ledger, LedgerTransaction } from '../../storage/index.ts'

interface OwnerRequest {
  /** What happened to the issue that somebody owns. */
  readonly fact: { readonly organizationId: number; readonly receivedAt: number }
  readonly issueId: number
  readonly assignee: AssigneeRecord | null
  /** The line that decided. */
  readonly rule: string
  readonly now: number
}

/** Assigns an issue to whose it is, unless it is somebody's, or a person ever decided whose it is. */
export const assignToOwner = async (
  transaction: LedgerTransaction,
  { dialect }: Pick<Ledger, 'dialect'>,
  { assignee, fact, issueId, now, rule }: OwnerRequest,
): Promise<'assigned' | 'left' | 'gone'> => {
  const issue = await transaction
    .selectFrom('issues')
    .select(['project_id', ...ISSUE_FACT_COLUMNS])
    .where('id', '=', issueId)
    .where('organization_id', '=', fact.organizationId)
    .where('deleted_at', 'is', null)
    .where('merged_into_id', 'is', null)
    .$if(dialect === 'postgres', (query) => query.forUpdate())
    .executeTakeFirst()
  if (issue === undefined) return 'gone'
  if (assignee === null || issue.assigned_user_id !== null || issue.assigned_team_id !== null) return 'left'
  const byHand = await transaction
    .selectFrom('issue_activity')
    .select('id')
    .where('issue_id', '=', issueId)
    .where('type', 'in', ['assigned', 'unassigned'])
    .limit(1)
    .executeTakeFirst()
  if (byHand !== undefined) return 'left'
  const userId = assignee.type === 'user' ? assignee.id : null
  const teamId = assignee.type === 'team' ? assignee.id : null
  await transaction
    .updateTable('issues')
    .set({ assigned_user_id: userId, assigned_team_id: teamId, changed_at: now })
    .where('id', '=', issueId)
    .execute()
  await transaction
    .insertInto('issue_activity')
    .values({
      issue_id: issueId,
      project_id: issue.project_id,
      user_id: null,
      type: 'assigned',
      data: JSON.stringify({
        assignee: String(assignee.id),
        assigneeType: assignee.type,
        assigneeName: assignee.name,
        ...(assignee.type === 'user' ? { assigneeEmail: assignee.email } : {}),
        // Sentry's word for it.
        integration: 'projectOwnership',
        rule,
      }),
      created_at: now,
    })
    .execute()
  await noteFacts(
    transaction,
    [
      {
        organizationId: fact.organizationId,
        projectId: issue.project_id,
        kind: 'issue_assigned',
        issueId,
        reportId: null,
        actorId: null,
        receivedAt: fact.receivedAt,
        data: { issue: issueOfFact({ ...issue, assigned_user_id: userId, assigned_team_id: teamId }), userId, teamId },
      },
    ],
    now,
  )
  return 'assigned'
}
