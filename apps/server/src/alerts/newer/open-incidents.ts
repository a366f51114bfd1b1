import type { Ledger } from '../../storage/index.ts'

/** How many incidents of each rule are not over. */
export const openIncidentsOf = async (
  { db }: Pick<Ledger, 'db'>,
  organizationId: number,
): Promise<ReadonlyMap<number, number>> => {
  const rows = await db
    .selectFrom('alert_incidents')
    .select(({ fn }) => ['rule_id', fn.countAll<number>().as('open')])
    .where('organization_id', '=', organizationId)
    .where('ended_at', 'is', null)
    .groupBy('rule_id')
    .execute()
  return new Map(rows.map(({ open, rule_id: id }) => [id, open]))
}
