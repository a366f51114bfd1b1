import { sql } from 'kysely'
import type { Ledger } from '../../storage/ledger/ledger.ts'
import { LIMITS } from '../limits.ts'

/** A report that names a trace and no event: an error of that trace may be what it is about. */
export interface TracedReport {
  readonly feedbackId: number
  readonly organizationId: number
  readonly projectId: number
  /** 32 hex characters. */
  readonly traceId: string
  /** Milliseconds since the epoch. */
  readonly writtenAt: number
}

export type TracesOfReports = ReturnType<typeof createTracesOfReports>

export const createTracesOfReports = ({ ledger }: { readonly ledger: Ledger }) => ({
  /** Those of the last minutes; organisations take turns, and each begins with any of its reports. */
  find: async (now: number): Promise<readonly TracedReport[]> => {
    const rows = await ledger.db
      .selectFrom((reports) =>
        reports
          .selectFrom('feedback')
          .select(['id', 'organization_id', 'project_id', 'trace_id', 'written_at', 'created_at'])
          .select(sql<number>`row_number() OVER (PARTITION BY organization_id ORDER BY random())`.as('turn'))
          .where('trace_id', 'is not', null)
          .where('associated_event_id', 'is', null)
          .where('issue_id', 'is', null)
          .where('is_unlinked', '=', 0)
          .where('status', '!=', 'spam')
          // By each project's own index.
          .where('project_id', 'in', (projects) =>
            projects.selectFrom('projects').select('projects.id').where('deleted_at', 'is', null),
          )
          .where('created_at', '>', now - LIMITS.FEEDBACK_TRACE_WAIT_MS)
          .as('traced'),
      )
      .selectAll('traced')
      .orderBy('turn')
      .orderBy(sql`random()`)
      .limit(LIMITS.FEEDBACK_STEP_ROWS)
      .execute()
    return rows.map((row) => ({
      feedbackId: row.id,
      organizationId: row.organization_id,
      projectId: row.project_id,
      traceId: row.trace_id ?? '',
      writtenAt: row.written_at === 0 ? row.created_at : row.written_at,
    }))
  },

  /** What somebody linked or unlinked meanwhile stays as they left it. */
  link: async (feedbackId: number, issueId: number): Promise<void> => {
    await ledger.db
      .updateTable('feedback')
      .set({ issue_id: issueId, linked_by: 'trace' })
      .where('id', '=', feedbackId)
      .where('issue_id', 'is', null)
      .where('is_unlinked', '=', 0)
      .where((eb) => eb.exists(eb.selectFrom('issues').select('issues.id').where('issues.id', '=', issueId)))
      .execute()
  },
})
