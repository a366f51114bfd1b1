import { chunks, ROWS_PER_STATEMENT } from '../../storage/ledger/chunks.ts'
import type { LedgerTransaction } from '../../storage/ledger/ledger.ts'
import { LIMITS } from '../limits.ts'
import { nameRelease } from './writing.ts'

interface NamedReleases {
  readonly organizationId: number
  readonly projectId: number
  readonly versions: readonly string[]
  readonly now: number
}

/**
 * Makes releases of a project that are not there yet. Anybody who has a key can name releases: in an organisation that has
 * very many, no more are made.
 */
export const nameReleases = async (
  transaction: LedgerTransaction,
  { organizationId, projectId, versions, now }: NamedReleases,
): Promise<void> => {
  const missing = new Set(versions)
  for (const part of chunks([...missing], ROWS_PER_STATEMENT)) {
    const rows = await transaction
      .selectFrom('releases')
      .innerJoin('release_projects', 'release_projects.release_id', 'releases.id')
      .select('releases.version')
      .where('releases.organization_id', '=', organizationId)
      .where('release_projects.project_id', '=', projectId)
      .where('releases.version', 'in', part)
      .execute()
    for (const { version } of rows) missing.delete(version)
  }
  if (missing.size === 0) return
  const { count } = await transaction
    .selectFrom('releases')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow()
  const free = Math.max(0, LIMITS.RELEASES_NAMED - Number(count))
  for (const version of [...missing].slice(0, free)) {
    await nameRelease(transaction, { organizationId, version, projectIds: [projectId], now })
  }
}
