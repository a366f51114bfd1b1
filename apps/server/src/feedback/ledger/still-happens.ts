import type { Ledger } from '../../storage/ledger/ledger.ts'

/** A report whose sender says that it still happens, and the resolved issue that it is about. */
export interface UnrepairedIssue {
  readonly organizationId: number
  readonly projectId: number
  readonly feedbackId: number
  readonly issueId: number
}

/** By the secret of the report's thread. Null where nothing is to be opened again. */
export const createUnrepaired =
  ({ db }: Ledger) =>
  async (token: string): Promise<UnrepairedIssue | null> => {
    const row = await db
      .selectFrom('feedback')
      .leftJoin('feedback as parent', 'parent.id', 'feedback.merged_into_id')
      .innerJoin('issues as own', (join) =>
        join.on(({ eb, ref, fn }) => eb(ref('own.id'), '=', fn.coalesce('feedback.issue_id', 'parent.issue_id'))),
      )
      .innerJoin('issues', (join) =>
        join.on(({ eb, ref, fn }) => eb(ref('issues.id'), '=', fn.coalesce('own.merged_into_id', 'own.id'))),
      )
      .select(['feedback.id', 'feedback.organization_id', 'issues.project_id', 'issues.id as issue_id'])
      .where('feedback.thread_token', '=', token)
      .where('issues.status', '=', 'resolved')
      .where('issues.deleted_at', 'is', null)
      .executeTakeFirst()
    return row === undefined
      ? null
      : {
          organizationId: row.organization_id,
          projectId: row.project_id,
          feedbackId: row.id,
          issueId: row.issue_id,
        }
  }
