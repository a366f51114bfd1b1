import type { ClickHouseClient } from '@clickhouse/client'
import { sql } from 'kysely'
import type { Clock } from '../../lib/clock.ts'
import { DAY_MS } from '../../lib/durations.ts'
import { noteFacts } from '../../facts/index.ts'
import { ISSUE_FACT_COLUMNS, issueOfFact } from '../issue-facts.ts'
import { LIMITS } from '../limits.ts'
import type { IssuesChanged } from '../services.ts'
import type { Ledger } from '../../storage/ledger/ledger.ts'
import {
  growthOfArchived,
  reasonsToReturn,
  untilOf,
  type ArchivedIssue,
  type Growth,
  type Reason,
} from './archive-reasons.ts'
import { readStatusDetails } from './status-details.ts'

/** Changes of an issue's status that no event and no user brings about. */
export interface IssueJobs {
  /** New issues become ongoing after `ISSUE_NEW_DAYS`. Answers how many did. Every hour is enough. */
  ageIssues(): Promise<number>
  /**
   * Archived issues whose condition is met (time, users, a rate, escalation) are unresolved again. Every minute is enough,
   * when something happened to issues or a time has come. Of those that are archived for ever and grow, it is told once.
   */
  reviewArchived(): Promise<ArchiveReview>
}

export interface ArchiveReview {
  /** How many issues are unresolved again. */
  readonly reopened: number
  /** When the time comes for which the next one is archived; `Infinity` when there is none. */
  readonly dueAt: number
}

const ISSUES_PER_STEP = 500

interface Stores {
  readonly ledger: Ledger
  readonly client: ClickHouseClient
}

export const createIssueJobs = ({
  ledger,
  client,
  clock,
  changed,
}: Stores & { readonly clock: Clock; readonly changed?: (change: IssuesChanged) => void }): IssueJobs => {
  return {
    ageIssues: async () => {
      const now = clock.now()
      const result = await ledger.db
        .updateTable('issues')
        .set({ substatus: 'ongoing', changed_at: now })
        // Written out, so that the partial index is used.
        .where(sql<boolean>`substatus = 'new'`)
        .where('status', '=', 'unresolved')
        .where('first_seen', '<', now - LIMITS.ISSUE_NEW_DAYS * DAY_MS)
        .executeTakeFirst()
      return Number(result.numUpdatedRows)
    },

    reviewArchived: async () => {
      const now = clock.now()
      let after = 0
      let reopened = 0
      let dueAt = Infinity
      for (;;) {
        const issues: ArchivedIssue[] = await ledger.db
          .selectFrom('issues')
          .select(['id', 'project_id', 'substatus', 'status_details', 'first_seen', 'last_seen'])
          .where(sql<boolean>`status = 'ignored'`)
          .where('deleted_at', 'is', null)
          .where('merged_into_id', 'is', null)
          .where('id', '>', after)
          .orderBy('id')
          .limit(ISSUES_PER_STEP)
          .execute()
        const last = issues.at(-1)
        if (last === undefined) return { reopened, dueAt }
        after = last.id
        const [forever, returning] = [issues.filter(isForever), issues.filter((issue) => !isForever(issue))]
        const growth = await growthOfArchived({ client, ledger }, forever, now)
        for (const issue of forever) {
          const grown = growth.get(issue.id)
          if (grown !== undefined) await tellGrowth(ledger, issue, grown, now)
        }
        const reasons = await reasonsToReturn({ client, ledger }, returning, now)
        for (const issue of returning) {
          const reason = reasons.get(issue.id)
          if (reason === undefined) {
            dueAt = Math.min(dueAt, untilOf(issue) ?? Infinity)
            continue
          }
          const organizationId = await unarchive(ledger, issue, reason, now)
          if (organizationId === null) continue
          reopened += 1
          changed?.({ organizationId, projectId: issue.project_id, issueIds: [issue.id], opened: [], at: now })
        }
      }
    },
  }
}

const isForever = ({ substatus }: ArchivedIssue): boolean => substatus === 'archived_forever'

/** Notes that an issue that stays archived grows. Once: it is said in the details of its status. */
const tellGrowth = (ledger: Ledger, issue: ArchivedIssue, growth: Growth, now: number): Promise<void> =>
  ledger.transaction(async (transaction) => {
    const details = { ...readStatusDetails(issue.status_details), growthToldAt: now }
    const row = await transaction
      .updateTable('issues')
      .set({ status_details: JSON.stringify(details), changed_at: now })
      .where('id', '=', issue.id)
      .where('status', '=', 'ignored')
      .where('status_details', '=', issue.status_details)
      .returning(['organization_id', ...ISSUE_FACT_COLUMNS])
      .executeTakeFirst()
    if (row === undefined) return
    await transaction
      .insertInto('issue_activity')
      .values({
        issue_id: issue.id,
        project_id: issue.project_id,
        user_id: null,
        type: 'archived_growth',
        data: JSON.stringify(growth),
        created_at: now,
      })
      .execute()
    const data = { issue: issueOfFact(row), ...growth }
    await noteFacts(
      transaction,
      [{ ...aboutOf(row.organization_id, issue, now), kind: 'issue_archived_growth', data }],
      now,
    )
  })

const aboutOf = (organizationId: number, issue: ArchivedIssue, now: number) => ({
  organizationId,
  projectId: issue.project_id,
  issueId: issue.id,
  reportId: null,
  actorId: null,
  receivedAt: now,
})

/** The organisation that it is of; null when somebody changed the issue meanwhile. */
const unarchive = (ledger: Ledger, issue: ArchivedIssue, reason: Reason, now: number): Promise<number | null> =>
  ledger.transaction(async (transaction) => {
    const row = await transaction
      .updateTable('issues')
      .set({ status: 'unresolved', substatus: reason.substatus, status_details: '{}', changed_at: now })
      .where('id', '=', issue.id)
      .where('status', '=', 'ignored')
      .where('status_details', '=', issue.status_details)
      .returning(['organization_id', ...ISSUE_FACT_COLUMNS])
      .executeTakeFirst()
    if (row === undefined) return null
    await transaction
      .insertInto('issue_activity')
      .values({
        issue_id: issue.id,
        project_id: issue.project_id,
        user_id: null,
        type: 'set_unresolved',
        data: JSON.stringify(reason.data),
        created_at: now,
      })
      .execute()
    const about = aboutOf(row.organization_id, issue, now)
    await noteFacts(transaction, [{ ...about, ...reason.fact(issueOfFact(row)) }], now)
    return row.organization_id
  })
