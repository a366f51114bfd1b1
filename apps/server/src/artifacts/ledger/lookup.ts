import type { Selectable } from 'kysely'
import { chunks, ROWS_PER_STATEMENT } from '../../storage/ledger/chunks.ts'
import type { Ledger } from '../../storage/ledger/ledger.ts'
import type { ArtifactFileTable } from './schema.ts'

/** A file as whoever maps frames sees it. */
export type FoundFile = Pick<
  Selectable<ArtifactFileTable>,
  'id' | 'kind' | 'url' | 'debug_id' | 'source_map' | 'bundle_id' | 'blob_key' | 'prepared_key' | 'map_error'
>

export interface ByAddress {
  readonly projectId: number
  readonly release: string
  /** '' for none, which is a value of its own: files with a dist are for events with it. */
  readonly dist: string
  readonly urls: readonly string[]
}

const FIELDS = [
  'artifact_files.id',
  'artifact_files.kind',
  'artifact_files.url',
  'artifact_files.debug_id',
  'artifact_files.source_map',
  'artifact_files.bundle_id',
  'artifact_files.blob_key',
  'artifact_files.prepared_key',
  'artifact_files.map_error',
] as const

export type ArtifactLookup = ReturnType<typeof createArtifactLookup>

/**
 * Finds uploaded files. Only bundles that are whole, only those of the project; the newest upload first, and behind it
 * what is of a site: what somebody uploaded says more than what a site has today.
 */
export const createArtifactLookup = ({ ledger: { db } }: { readonly ledger: Pick<Ledger, 'db'> }) => {
  const filesOf = (projectId: number) =>
    db
      .selectFrom('artifact_files')
      .innerJoin('artifact_bundles', 'artifact_bundles.id', 'artifact_files.bundle_id')
      .innerJoin('artifact_bundle_projects', 'artifact_bundle_projects.bundle_id', 'artifact_bundles.id')
      .where('artifact_bundle_projects.project_id', '=', projectId)
      .where('artifact_bundles.state', '=', 'ok')
      .select(FIELDS)

  /** Indexes of releases and of debug ids begin with it: without it, all bundles of the project are read. */
  const organizationOf = (projectId: number) =>
    db.selectFrom('projects').select('projects.organization_id').where('projects.id', '=', projectId)

  return {
    /** Those of the projects that have any. */
    projects: async (projectIds: readonly number[]): Promise<ReadonlySet<number>> => {
      const found = new Set<number>()
      for (const part of chunks(projectIds, ROWS_PER_STATEMENT)) {
        const rows = await db
          .selectFrom('artifact_bundle_projects')
          .select('project_id')
          .distinct()
          .where('project_id', 'in', part)
          .execute()
        for (const row of rows) found.add(row.project_id)
      }
      return found
    },

    /** The map of each debug id, of the newest upload that has it: code that stays the same is uploaded with each build. */
    mapsByDebugIds: async (projectId: number, debugIds: readonly string[]): Promise<readonly FoundFile[]> => {
      const found: FoundFile[] = []
      for (const part of chunks(debugIds, ROWS_PER_STATEMENT)) {
        const maps = filesOf(projectId)
          .where('artifact_files.organization_id', '=', organizationOf(projectId))
          .where('artifact_files.debug_id', 'in', part)
          .where('artifact_files.kind', '=', 'source_map')
          .select(({ fn }) =>
            fn
              .agg<number>('row_number')
              .over((over) =>
                over
                  .partitionBy('artifact_files.debug_id')
                  .orderBy('artifact_bundles.from_site')
                  .orderBy('artifact_bundles.uploaded_at', 'desc')
                  .orderBy('artifact_bundles.id', 'desc')
                  .orderBy('artifact_files.id'),
              )
              .as('place'),
          )
        found.push(...(await db.selectFrom(maps.as('maps')).selectAll().where('place', '=', 1).execute()))
      }
      return found
    },

    byAddresses: async ({ projectId, release, dist, urls }: ByAddress): Promise<readonly FoundFile[]> => {
      const found: FoundFile[] = []
      for (const part of chunks(urls, ROWS_PER_STATEMENT)) {
        found.push(
          ...(await filesOf(projectId)
            .where('artifact_bundles.organization_id', '=', organizationOf(projectId))
            .where('artifact_bundles.release_version', '=', release)
            .where('artifact_bundles.dist', '=', dist)
            // Without a release an address says little, but on the site itself.
            .$if(release === '', (query) => query.where('artifact_bundles.from_site', '=', 1))
            .where('artifact_files.url', 'in', part)
            .orderBy('artifact_bundles.from_site')
            .orderBy('artifact_bundles.uploaded_at', 'desc')
            .orderBy('artifact_bundles.id', 'desc')
            .orderBy('artifact_files.id')
            .execute()),
        )
      }
      return found
    },
  }
}
