import { chunks, ROWS_PER_STATEMENT } from '../../storage/ledger/chunks.ts'
import type { LedgerTransaction } from '../../storage/index.ts'
import type { Notice } from '../notice.ts'

type Reader = Pick<LedgerTransaction, 'selectFrom'>

const isId = (id: number | null): id is number => id !== null

/** Which project what people are told is of: that of its issue, else that of its report. */
export const projectsOf = async (
  db: Reader,
  notices: readonly Notice[],
): Promise<{ readonly of: (notice: Notice) => number | null }> => {
  const byIssue = new Map<number, number>()
  const byReport = new Map<number, number>()
  for (const part of chunks([...new Set(notices.map(({ issueId }) => issueId).filter(isId))], ROWS_PER_STATEMENT)) {
    const rows = await db.selectFrom('issues').select(['id', 'project_id']).where('id', 'in', part).execute()
    for (const row of rows) byIssue.set(row.id, row.project_id)
  }
  for (const part of chunks([...new Set(notices.map(({ reportId }) => reportId).filter(isId))], ROWS_PER_STATEMENT)) {
    const rows = await db.selectFrom('feedback').select(['id', 'project_id']).where('id', 'in', part).execute()
    for (const row of rows) byReport.set(row.id, row.project_id)
  }
  return {
    of: ({ issueId, projectId, reportId }) =>
      projectId ??
      (issueId === null ? undefined : byIssue.get(issueId)) ??
      (reportId === null ? null : (byReport.get(reportId) ?? null)),
  }
}
