import { chunks, ROWS_PER_STATEMENT } from '../../storage/ledger/chunks.ts'
import type { LedgerTransaction } from '../../storage/index.ts'
import { formatShortId } from '../../issues/index.ts'

/** What became of what an incident that ended was about: an end that waits to be told may be true no more. */
export interface Afterwards {
  /** The newest later incident of the same rule about the same thing that went on for a while; null for none. */
  readonly latest: { readonly id: number; readonly isOpen: boolean } | null
  /** The issue that it was about, where that is unresolved again; null otherwise. */
  readonly openIssue: { readonly shortId: string; readonly level: string } | null
}

type Same = 'subject' | 'issue_id'

const laterOf = (transaction: LedgerTransaction, ids: readonly number[], same: Same) =>
  transaction
    .selectFrom('alert_incidents as ended')
    .innerJoin('alert_incidents as later', (join) =>
      join
        .onRef('later.rule_id', '=', 'ended.rule_id')
        .onRef(`later.${same}`, '=', `ended.${same}`)
        .onRef('later.id', '>', 'ended.id'),
    )
    .select(['ended.id as endedId', 'later.id', 'later.ended_at as endedAt'])
    .where('ended.id', 'in', ids)
    .where(`later.${same}`, 'is not', null)
    // What is over at once, as that it was assigned, does not say that it is back.
    .where((where) =>
      where.or([where('later.ended_at', 'is', null), where('later.ended_at', '>', where.ref('later.started_at'))]),
    )
    .execute()

const openIssuesOf = (transaction: LedgerTransaction, ids: readonly number[]) =>
  transaction
    .selectFrom('alert_incidents')
    .innerJoin('issues', 'issues.id', 'alert_incidents.issue_id')
    .innerJoin('projects', 'projects.id', 'issues.project_id')
    .select(['alert_incidents.id', 'issues.number', 'issues.level', 'projects.slug'])
    .where('alert_incidents.id', 'in', ids)
    .where('issues.status', '=', 'unresolved')
    // What was merged or deleted is over, however it stands.
    .where('issues.merged_into_id', 'is', null)
    .where('issues.deleted_at', 'is', null)
    .execute()

/** @param incidentIds of incidents that ended */
export const readAfterwards = async (
  transaction: LedgerTransaction,
  incidentIds: readonly number[],
): Promise<(incidentId: number) => Afterwards> => {
  const latest = new Map<number, { readonly id: number; readonly isOpen: boolean }>()
  const issues = new Map<number, { readonly shortId: string; readonly level: string }>()
  for (const part of chunks(incidentIds, ROWS_PER_STATEMENT)) {
    // An issue into which others were merged goes on with incidents that began under another subject.
    for (const same of ['subject', 'issue_id'] as const) {
      for (const { endedAt, endedId, id } of await laterOf(transaction, part, same)) {
        if (id > (latest.get(endedId)?.id ?? 0)) latest.set(endedId, { id, isOpen: endedAt === null })
      }
    }
    for (const { id, level, number, slug } of await openIssuesOf(transaction, part)) {
      issues.set(id, { level, shortId: formatShortId(slug, number) })
    }
  }
  return (incidentId) => ({ latest: latest.get(incidentId) ?? null, openIssue: issues.get(incidentId) ?? null })
}
