import { sql } from 'kysely'
import type { Ledger } from '../../storage/ledger/ledger.ts'
import { LIMITS } from '../limits.ts'

/** A moment at which a release began to matter. */
export interface ReleaseMark {
  readonly version: string
  /** Where it runs since; null where nobody told of a deploy: it was released then, else first seen. */
  readonly environment: string | null
  readonly at: number
}

interface Asked {
  readonly organizationId: number
  /** Null for all of the organisation. */
  readonly projectIds: readonly number[] | null
  /** None for all. */
  readonly environments: readonly string[]
  readonly from: number
  readonly to: number
}

/** When releases began to run, the newest `RELEASE_MARKS` in the order of time: by their deploys, else by their day. */
export const releaseMarks = async (
  { db }: Pick<Ledger, 'db'>,
  { environments, from, organizationId, projectIds, to }: Asked,
): Promise<readonly ReleaseMark[]> => {
  if (projectIds?.length === 0) return []
  const open = db
    .selectFrom('releases')
    .where('releases.organization_id', '=', organizationId)
    .where('releases.status', '=', 'open')
    .$if(projectIds !== null, (query) =>
      query.where(({ exists, selectFrom }) =>
        exists(
          selectFrom('release_projects')
            .select('release_projects.release_id')
            .whereRef('release_projects.release_id', '=', 'releases.id')
            .where('release_projects.project_id', 'in', projectIds ?? []),
        ),
      ),
    )
  const deployed = await open
    .innerJoin('release_deploys', 'release_deploys.release_id', 'releases.id')
    .select(['releases.version', 'release_deploys.environment', 'release_deploys.finished_at as at'])
    .where('release_deploys.finished_at', '>=', from)
    .where('release_deploys.finished_at', '<=', to)
    .$if(environments.length > 0, (query) => query.where('release_deploys.environment', 'in', environments))
    .orderBy('release_deploys.finished_at', 'desc')
    .orderBy('release_deploys.id', 'desc')
    .limit(LIMITS.RELEASE_MARKS)
    .execute()
  const day = sql<number | string>`coalesce(releases.date_released, releases.first_seen)`
  const others = await open
    .select('releases.version')
    .select(day.as('at'))
    .where(day, '>=', from)
    .where(day, '<=', to)
    // What a build has only named does not run yet.
    .where(({ eb, or }) => or([eb('releases.last_seen', '>', 0), eb('releases.date_released', 'is not', null)]))
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('release_deploys')
            .select('release_deploys.id')
            .whereRef('release_deploys.release_id', '=', 'releases.id'),
        ),
      ),
    )
    .orderBy(day, 'desc')
    .orderBy('releases.id', 'desc')
    .limit(LIMITS.RELEASE_MARKS)
    .execute()
  return [...deployed, ...others.map((row) => ({ ...row, environment: null }))]
    .map(({ at, environment, version }) => ({ version, environment, at: Number(at) }))
    .toSorted((a, b) => a.at - b.at)
    .slice(-LIMITS.RELEASE_MARKS)
}
