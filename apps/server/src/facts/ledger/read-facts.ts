import type { Selectable } from 'kysely'
import type { Ledger, LedgerTransaction } from '../../storage/index.ts'
import type { FactKind, StoredFact } from '../fact.ts'
import type { FactTable } from './schema.ts'

type Db = Ledger['db'] | LedgerTransaction

/** Only `noteFacts` writes such rows, with the data that belongs to the kind. */
const toFact = (row: Selectable<FactTable>): StoredFact =>
  ({
    id: row.id,
    organizationId: row.organization_id,
    projectId: row.project_id,
    kind: row.kind,
    issueId: row.issue_id,
    reportId: row.report_id,
    actorId: row.actor_id,
    receivedAt: row.received_at,
    notedAt: row.noted_at,
    data: JSON.parse(row.data) as unknown,
  }) as StoredFact

/** The next ones after a number, in order. */
export const factsAfter = async (db: Db, after: number, limit: number): Promise<readonly StoredFact[]> => {
  const rows = await db.selectFrom('facts').selectAll().where('id', '>', after).orderBy('id').limit(limit).execute()
  return rows.map(toFact)
}

/** What happened to an issue, the oldest first. */
export const factsOfIssue = async (
  db: Db,
  organizationId: number,
  issueId: number,
  limit: number,
): Promise<readonly StoredFact[]> => {
  const rows = await db
    .selectFrom('facts')
    .selectAll()
    .where('issue_id', '=', issueId)
    .where('organization_id', '=', organizationId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toFact).toReversed()
}

/** What happened in an organisation within a time, the oldest first; where it is more than the limit, the newest of it. */
export const factsOfOrganization = async (
  db: Db,
  organizationId: number,
  wanted: {
    readonly kinds: readonly FactKind[]
    readonly from: number
    readonly until: number
    readonly limit: number
  },
): Promise<readonly StoredFact[]> => {
  const rows = await db
    .selectFrom('facts')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('kind', 'in', ['', ...wanted.kinds])
    .where('received_at', '>=', wanted.from)
    .where('received_at', '<', wanted.until)
    .orderBy('id', 'desc')
    .limit(wanted.limit)
    .execute()
  return rows.map(toFact).toReversed()
}
