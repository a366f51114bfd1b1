import { changeIssues, issueOfHash, occurrenceHash } from '../../issues/index.ts'
import type { Ledger, LedgerTransaction } from '../../storage/index.ts'
import { fingerprintOf, ISSUE_TYPE } from '../occurrence.ts'

export interface RemovedPlace {
  readonly organizationId: number
  readonly projectId: number
  readonly now: number
}

/**
 * Nothing would ever say that an environment runs again which is gone, so its issue is over with it, but for one that somebody
 * archived, and for one of an environment that came back and fails.
 *
 * @returns whether issues are others than they were
 */
export const endIssuesOf = async (
  transaction: LedgerTransaction,
  ledger: Ledger,
  { now, organizationId, projectId }: RemovedPlace,
  { environments, guid }: { readonly guid: string; readonly environments: readonly string[] },
): Promise<boolean> => {
  const back = await transaction
    .selectFrom('monitor_environments')
    .innerJoin('monitors', 'monitors.id', 'monitor_environments.monitor_id')
    .select('monitor_environments.name')
    .where('monitors.organization_id', '=', organizationId)
    .where('monitors.project_id', '=', projectId)
    .where('monitors.guid', '=', guid)
    .where('monitor_environments.name', 'in', ['', ...environments])
    .where('monitor_environments.has_issue', '=', 1)
    .execute()
  const failing = new Set(back.map(({ name }) => name))
  const ids: number[] = []
  for (const environment of environments) {
    if (failing.has(environment)) continue
    const hash = occurrenceHash(ISSUE_TYPE, fingerprintOf({ guid, environment }))
    const issue = await issueOfHash({ db: transaction }, projectId, hash)
    if (issue?.isUnresolved === true) ids.push(issue.id)
  }
  if (ids.length === 0) return false
  await changeIssues(transaction, ledger, { organizationId, userId: null, now, ids, status: { kind: 'resolved' } })
  return true
}
