import type { ReportedEvent, UserReport } from '../../issues/visitor-reports.ts'
import type { ReportReference } from '../report-short-id.ts'
import type { Ledger } from '../../storage/ledger/ledger.ts'

/** How many reports of visitors are about these issues; spam and duplicates do not count. */
export const countReports =
  ({ db }: Ledger) =>
  async (issueIds: readonly number[]): Promise<number> => {
    if (issueIds.length === 0) return 0
    const { reports } = await db
      .selectFrom('feedback')
      .select(({ fn }) => fn.countAll<number>().as('reports'))
      .where('issue_id', 'in', [...issueIds])
      .where('status', '!=', 'spam')
      .where('merged_into_id', 'is', null)
      .executeTakeFirstOrThrow()
    return reports
  }

/** What the visitor to whom the event happened said about it. */
export const reportOf =
  ({ db }: Ledger) =>
  async ({ projectId, eventId }: ReportedEvent): Promise<UserReport | null> => {
    const row = await db
      .selectFrom('feedback')
      .select(['id', 'event_id', 'name', 'email', 'message', 'created_at'])
      .where('project_id', '=', projectId)
      .where('associated_event_id', '=', eventId)
      .where('status', '!=', 'spam')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
    if (row === undefined) return null
    const { id, name, email, message } = row
    return { id, eventId: row.event_id, name, email, message, createdAt: row.created_at }
  }

/** Of the oldest report of an event's id: whoever sends the id again, elsewhere, does not take its address. */
export const organizationOfReport = async ({ db }: Ledger, reference: ReportReference): Promise<number | null> => {
  const living = db
    .selectFrom('feedback')
    .select('organization_id')
    // By each project's own index: there is none of event ids alone.
    .where('project_id', 'in', db.selectFrom('projects').select('id').where('deleted_at', 'is', null))
  const one =
    'eventId' in reference ? living.where('event_id', '=', reference.eventId) : living.where('id', '=', reference.id)
  const row = await one.orderBy('created_at').limit(1).executeTakeFirst()
  return row?.organization_id ?? null
}
