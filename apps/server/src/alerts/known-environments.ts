import type { AlertDraft } from '@firsthand/contract'
import { badRequest } from '../http/index.ts'
import type { Ledger } from '../storage/index.ts'

/**
 * A script that names an environment which never was means another: its rule would never speak. What a rule had before
 * may stay.
 *
 * @throws HttpError 400
 */
export const checkEnvironments = async (
  { db }: Pick<Ledger, 'db'>,
  organizationId: number,
  { environments }: Pick<AlertDraft, 'environments'>,
  before: Pick<AlertDraft, 'environments'> | null = null,
): Promise<void> => {
  const added = environments.filter((name) => before?.environments.includes(name) !== true)
  if (added.length === 0) return
  const rows = await db
    .selectFrom('environments')
    .innerJoin('projects', 'projects.id', 'environments.project_id')
    .select('environments.name')
    .distinct()
    .where('projects.organization_id', '=', organizationId)
    .where('projects.deleted_at', 'is', null)
    .where('environments.name', 'in', added)
    .execute()
  const known = new Set(rows.map(({ name }) => name))
  const strange = added.find((name) => !known.has(name))
  if (strange === undefined) return
  const sentence = `No event came from an environment "${strange}" yet, so that the alert would never speak. Send one first, or leave the environment out.`
  throw badRequest(sentence, { environment: sentence })
}
