import { sql } from 'kysely'
import { readStatusDetails } from '../../issues/index.ts'
import type { Ledger } from '../../storage/ledger/ledger.ts'
import { LIMITS } from '../limits.ts'

/** A resolved issue about which somebody wrote who was not told, and of which no telling is planned. */
export interface UntoldIssue {
  readonly issueId: number
  /** In which release it is resolved; '' for the next one, null where nobody said. */
  readonly release: string | null
  /** Since when, milliseconds since the epoch. */
  readonly since: number
}

/** At most `TELLINGS_PER_STEP` of them. */
export const untoldIssues = (ledger: Ledger) => async (): Promise<readonly UntoldIssue[]> => {
  const found = new Map<number, UntoldIssue>()
  let before = Number.MAX_SAFE_INTEGER
  for (;;) {
    const rows = await page(ledger, before)
    for (const row of rows) {
      const details = readStatusDetails(row.status_details)
      if (row.told_resolved_at !== null && row.told_resolved_at >= (details.since ?? 0)) continue
      const release = details.inNextRelease === true ? '' : (details.inRelease ?? null)
      found.set(row.issue_id, { issueId: row.issue_id, release, since: details.since ?? 0 })
      if (found.size >= LIMITS.TELLINGS_PER_STEP) return [...found.values()]
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE) return [...found.values()]
    before = last.id
  }
}

const PAGE = 50

/** Reports, merged ones among them, of issues that are resolved and changed since the reporter was told. */
const page = ({ db }: Ledger, before: number) =>
  db
    .selectFrom('feedback')
    .leftJoin('feedback as parent', 'parent.id', 'feedback.merged_into_id')
    .innerJoin('issues as own', (join) => join.on(sql<boolean>`own.id = coalesce(feedback.issue_id, parent.issue_id)`))
    .innerJoin('issues', (join) => join.on(sql<boolean>`issues.id = coalesce(own.merged_into_id, own.id)`))
    .innerJoin('projects', 'projects.id', 'feedback.project_id')
    .select(['feedback.id', 'feedback.told_resolved_at', 'issues.id as issue_id', 'issues.status_details'])
    .where('feedback.id', '<', before)
    .where('feedback.status', '!=', 'spam')
    .where('issues.status', '=', 'resolved')
    .where('issues.deleted_at', 'is', null)
    .where('projects.deleted_at', 'is', null)
    .where((where) =>
      where.or([
        where('feedback.told_resolved_at', 'is', null),
        where('feedback.told_resolved_at', '<', where.ref('issues.changed_at')),
      ]),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('tellings')
            .select('tellings.id')
            .whereRef('tellings.issue_id', '=', 'issues.id')
            .where('tellings.state', '=', 'planned'),
        ),
      ),
    )
    .orderBy('feedback.id', 'desc')
    .limit(PAGE)
    .execute()
