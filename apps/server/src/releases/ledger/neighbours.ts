import type { Ledger } from '../../storage/ledger/ledger.ts'
import { LIMITS } from '../limits.ts'
import type { OrderedRelease } from '../release-before.ts'

export interface NamedRelease extends OrderedRelease {
  readonly id: number
  /** Living ones of which it is. */
  readonly projectIds: readonly number[]
}

/** A release and those with which it shares a project. */
export const createNeighbours = ({ db }: Pick<Ledger, 'db'>) => ({
  release: async (organizationId: number, version: string): Promise<NamedRelease | null> => {
    const row = await db
      .selectFrom('releases')
      .select(['id', 'version', 'first_seen', 'date_released'])
      .where('organization_id', '=', organizationId)
      .where('version', '=', version)
      .executeTakeFirst()
    if (row === undefined) return null
    const projects = await db
      .selectFrom('release_projects')
      .innerJoin('projects', 'projects.id', 'release_projects.project_id')
      .select('projects.id')
      .where('release_projects.release_id', '=', row.id)
      .where('projects.deleted_at', 'is', null)
      .execute()
    return {
      id: row.id,
      version: row.version,
      firstSeenAt: row.first_seen,
      releasedAt: row.date_released,
      projectIds: projects.map(({ id }) => id),
    }
  },

  /** Those that are not archived, the newest first; of many, the newest. */
  neighbours: async (organizationId: number, { id, projectIds }: NamedRelease): Promise<readonly OrderedRelease[]> => {
    if (projectIds.length === 0) return []
    const rows = await db
      .selectFrom('releases')
      .select(['releases.version', 'releases.first_seen', 'releases.date_released'])
      .where('releases.organization_id', '=', organizationId)
      .where('releases.id', '<>', id)
      .where('releases.status', '=', 'open')
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('release_projects')
            .select('release_projects.release_id')
            .whereRef('release_projects.release_id', '=', 'releases.id')
            .where('release_projects.project_id', 'in', projectIds),
        ),
      )
      .orderBy('releases.first_seen', 'desc')
      .limit(LIMITS.RELEASE_NEIGHBOURS)
      .execute()
    return rows.map((row) => ({ version: row.version, firstSeenAt: row.first_seen, releasedAt: row.date_released }))
  },
})

export type Neighbours = ReturnType<typeof createNeighbours>
