import type { Ledger, RetentionPart } from '../../storage/index.ts'

/** Reports of visitors in which nothing has happened since, with their threads. */
const expireReports = async (ledger: Ledger, organizationId: number, before: number): Promise<number> => {
  const result = await ledger.db
    .deleteFrom('feedback')
    .where('organization_id', '=', organizationId)
    .where('last_activity_at', '<', before)
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}

/** Reports go with the age of their last change; their threads and tags go with them. */
export const createReportRetention = ({ ledger }: { readonly ledger: Ledger }): RetentionPart => ({
  expire: async ({ organizationId, before }) => ({ feedback: await expireReports(ledger, organizationId, before) }),
})
