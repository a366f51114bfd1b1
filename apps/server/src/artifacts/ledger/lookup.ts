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

/** Finds uploaded files. Only bundles that are whole, only those of the project; the newest upload first. */
export const createArtifactLookup = ({ ledger: { db } }: { readonly ledger: Pick<Ledger, 'db'> }) => {
  const filesOf = (projectId: number) =>
    db
      .selectFrom('artifact_files')
      .innerJoin('artifact_bundles', 'artifact_bundles.id', 'artifact_files.bundle_id')
      .innerJoin('artifact_bundle_projects', 'artifact_bundle_projects.bundle_id', 'artifact_bundles.id')
      .where('artifact_bundle_projects.project_id', '=', projectId)
      .where('artifact_bundles.state', '=', 'ok')
      .select(FIELDS)
      // What somebody uploaded says more than what a site has today.
      .orderBy('artifact_bundles.from_site')
      .orderBy('artifact_bundles.uploaded_at', 'desc')
      .orderBy('artifact_bundles.id', 'desc')
      .orderBy('artifact_files.id')

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

    byDebugIds: async (projectId: number, debugIds: readonly string[]): Promise<readonly FoundFile[]> => {
      const found: FoundFile[] = []
      for (const part of chunks(debugIds, ROWS_PER_STATEMENT)) {
        found.push(...(await filesOf(projectId).where('artifact_files.debug_id', 'in', part).execute()))
      }
      return found
    },

    byAddresses: async ({ projectId, release, dist, urls }: ByAddress): Promise<readonly FoundFile[]> => {
      const found: FoundFile[] = []
      for (const part of chunks(urls, ROWS_PER_STATEMENT)) {
        found.push(
          ...(await filesOf(projectId)
            .where('artifact_bundles.release_version', '=', release)
            .where('artifact_bundles.dist', '=', dist)
            // Without a release an address says little, but on the site itself.
            .$if(release === '', (query) => query.where('artifact_bundles.from_site', '=', 1))
            .where('artifact_files.url', 'in', part)
            .execute()),
        )
      }
      return found
    },
  }
}
