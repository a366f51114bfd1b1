import { changeReport } from '../../feedback/index.ts'
import type { StoredFact } from '../../facts/index.ts'
import { changeIssues } from '../../issues/index.ts'
import type { Ledger, LedgerTransaction } from '../../storage/index.ts'
import type { TicketState } from '../kinds/kind.ts'
import type { TakenTicket } from './ticket-queue.ts'

/** What happens to issues and reports of which their tickets are told. */
const OF_ISSUES = new Set<StoredFact['kind']>([
  'issue_resolved',
  'issue_regressed',
  'issue_reopened',
  // From then on how another one stands is how it stands.
  'issue_merged',
  'issue_unmerged',
])
const OF_REPORTS = new Set<StoredFact['kind']>(['report_moved', 'reporter_replied'])

/** How a ticket shall be whose issue or report stands so; null where that says nothing of it. */
const stateFor = (status: string | undefined): TicketState | null =>
  status === 'resolved' ? 'closed' : status === 'unresolved' || status === 'open' ? 'open' : null

/** First the tickets, then what they belong to: who hears of a tracker changes them in this order as well. */
const ticketsOf = async (
  transaction: LedgerTransaction,
  { dialect }: Pick<Ledger, 'dialect'>,
  { issueIds, reportIds }: { readonly issueIds: readonly number[]; readonly reportIds: readonly number[] },
) =>
  transaction
    .selectFrom('tickets')
    .select(['id', 'state', 'taken_until', 'issue_id', 'feedback_id'])
    .where(({ eb, or, selectFrom }) =>
      or([
        eb('issue_id', 'in', [0, ...issueIds]),
        eb(
          'issue_id',
          'in',
          selectFrom('issues')
            .select('issues.id')
            .where('merged_into_id', 'in', [0, ...issueIds]),
        ),
        eb('feedback_id', 'in', [0, ...reportIds]),
      ]),
    )
    .where('deleted_at', 'is', null)
    // One that failed has nothing there that could follow.
    .where('state', '!=', 'failed')
    .where(({ eb, or }) => or([eb('state', '=', 'creating'), eb('remote_id', '!=', '')]))
    .$if(dialect === 'postgres', (query) => query.forUpdate())
    .execute()

const statusesOf = async (
  transaction: LedgerTransaction,
  tickets: readonly { readonly issue_id: number | null; readonly feedback_id: number | null }[],
) => {
  const issueIds = tickets.flatMap(({ issue_id }) => issue_id ?? [])
  const reportIds = tickets.flatMap(({ feedback_id }) => feedback_id ?? [])
  const issues = await transaction
    .selectFrom('issues')
    // Of one that was merged, how the other stands.
    .innerJoin('issues as standing', (join) =>
      join.on(({ eb, fn, ref }) => eb('standing.id', '=', fn.coalesce(ref('issues.merged_into_id'), ref('issues.id')))),
    )
    .select(['issues.id', 'standing.status'])
    .where('issues.id', 'in', [0, ...issueIds])
    .execute()
  const reports = await transaction
    .selectFrom('feedback')
    .select(['id', 'status'])
    .where('id', 'in', [0, ...reportIds])
    .execute()
  return {
    issues: new Map(issues.map(({ id, status }) => [id, status])),
    reports: new Map(reports.map(({ id, status }) => [id, status])),
  }
}

/**
 * Notes what tickets shall be, by how their issues and reports stand now: what a fact said may be over.
 *
 * @returns whether any shall be another than it is
 */
export const wantStates = async (
  transaction: LedgerTransaction,
  ledger: Pick<Ledger, 'dialect'>,
  facts: readonly StoredFact[],
  now: number,
): Promise<boolean> => {
  const issueIds = [
    ...new Set(facts.flatMap(({ kind, issueId }) => (OF_ISSUES.has(kind) && issueId !== null ? [issueId] : []))),
  ]
  const reportIds = [
    ...new Set(facts.flatMap(({ kind, reportId }) => (OF_REPORTS.has(kind) && reportId !== null ? [reportId] : []))),
  ]
  if (issueIds.length + reportIds.length === 0) return false
  const tickets = await ticketsOf(transaction, ledger, { issueIds, reportIds })
  if (tickets.length === 0) return false
  const statuses = await statusesOf(transaction, tickets)
  let any = false
  for (const { id, issue_id, feedback_id, state, taken_until } of tickets) {
    const wanted = stateFor(issue_id === null ? statuses.reports.get(feedback_id ?? 0) : statuses.issues.get(issue_id))
    if (wanted === null) continue
    // While somebody looks at it, it may become what it is not: it is looked at once more.
    const isSo = state === wanted && taken_until === null
    any ||= !isSo
    await transaction
      .updateTable('tickets')
      .set(({ eb }) =>
        isSo ? { wanted: null } : { wanted, asked: eb('asked', '+', 1), attempts: 0, due_at: now, error: null },
      )
      .where('id', '=', id)
      .execute()
  }
  return any
}

/** A ticket was closed or opened in its tracker: its issue or report follows. */
export const followTicket =
  (ledger: Ledger) =>
  async (transaction: LedgerTransaction, taken: TakenTicket, state: TicketState, now: number): Promise<void> => {
    const { issueId, reportId, organizationId } = taken
    const actor = { organizationId, userId: null, now }
    const { issues, reports } = await statusesOf(transaction, [{ issue_id: issueId, feedback_id: reportId }])
    const status = issueId === null ? reports.get(reportId ?? 0) : issues.get(issueId)
    // What is archived is none that a ticket opens: that was never closed. Spam is no work.
    if (status === undefined || status === 'spam' || (status === 'resolved') === (state === 'closed')) return
    if (reportId !== null) {
      return changeReport(transaction, actor, reportId, { status: state === 'closed' ? 'resolved' : 'open' })
    }
    const issue = await transaction
      .selectFrom('issues')
      .select(({ fn, ref }) => fn.coalesce(ref('merged_into_id'), ref('id')).as('id'))
      .where('id', '=', issueId)
      .executeTakeFirstOrThrow()
    await changeIssues(transaction, ledger, {
      ...actor,
      ids: [issue.id],
      status: state === 'closed' ? { kind: 'resolved' } : { kind: 'unresolved' },
    })
  }
