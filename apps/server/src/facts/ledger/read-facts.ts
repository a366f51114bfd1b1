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

/** What happened to the issue of a fact before it, the last of some kinds; null for nothing that is still kept. */
export const factBefore = async (
  db: Db,
  { id, issueId, organizationId }: StoredFact,
  kinds: readonly FactKind[],
): Promise<StoredFact | null> => {
  const row = await db
    .selectFrom('facts')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('issue_id', '=', issueId)
    .where('kind', 'in', kinds)
    .where('id', '<', id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? null : toFact(row)
}

/** Those of an organisation after a number and up to another one, in order. */
export const factsBetween = async (
  db: Db,
  organizationId: number,
  { from, until }: { readonly from: number; readonly until: number },
  limit: number,
): Promise<readonly StoredFact[]> => {
  const rows = await db
    .selectFrom('facts')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '>', from)
    .where('id', '<=', until)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(toFact)
}

/**
 * Organisations of which there are facts after a number, each with the number of its last one.
 *
 * @param notedUntil leaves out whatever stands behind a fact that was noted later; null leaves out nothing
 */
export const organizationsAfter = async (
  db: Db,
  after: number,
  notedUntil: number | null,
): Promise<ReadonlyMap<number, number>> => {
  const later =
    notedUntil === null
      ? undefined
      : await db
          .selectFrom('facts')
          .select(({ fn }) => fn.min('id').as('first'))
          .where('id', '>', after)
          .where('noted_at', '>', notedUntil)
          .executeTakeFirst()
  const rows = await db
    .selectFrom('facts')
    .select(({ fn }) => ['organization_id', fn.max('id').as('last')])
    .where('id', '>', after)
    .where('id', '<', later?.first ?? Number.MAX_SAFE_INTEGER)
    .groupBy('organization_id')
    .orderBy('organization_id')
    .execute()
  return new Map(rows.map(({ last, organization_id: organizationId }) => [organizationId, last]))
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

/** Facts by their ids, as far as they are kept. */
export const factsById = async (db: Db, ids: readonly number[]): Promise<readonly StoredFact[]> => {
  const rows = await db
    .selectFrom('facts')
    .selectAll()
    .where('id', 'in', [0, ...ids])
    .orderBy('id')
    .execute()
  return rows.map(toFact)
}
