import type { Selectable } from 'kysely'
import { containing } from '../../storage/ledger/containing.ts'
import type { Ledger } from '../../storage/ledger/ledger.ts'
import { plainDebugId } from '../debug-id.ts'
import type { Bundle } from './bundles.ts'
import type { ArtifactFileTable } from './schema.ts'

export type FileRow = Selectable<ArtifactFileTable>

export interface ReleaseFiles {
  readonly release: string
  readonly uploadedAt: number
  readonly files: number
  readonly bytes: number
}

interface Page {
  readonly offset: number
  readonly limit: number
}

interface InProject {
  readonly organizationId: number
  readonly projectId: number
}

export type BundleView = ReturnType<typeof createBundleView>

/** What is shown of bundles and their files; always of one project. */
export const createBundleView = ({ ledger: { db, dialect } }: { readonly ledger: Pick<Ledger, 'db' | 'dialect'> }) => {
  const bundlesOf = ({ organizationId, projectId }: InProject) =>
    db
      .selectFrom('artifact_bundles')
      .innerJoin('artifact_bundle_projects', 'artifact_bundle_projects.bundle_id', 'artifact_bundles.id')
      .where('artifact_bundles.organization_id', '=', organizationId)
      .where('artifact_bundle_projects.project_id', '=', projectId)

  return {
    /** Newest first. */
    list: (
      place: InProject,
      { text, release }: { readonly text: string; readonly release: string | null },
      page: Page,
    ): Promise<Bundle[]> => {
      const debugId = plainDebugId(text)
      let rows = bundlesOf(place).selectAll('artifact_bundles')
      if (release !== null) rows = rows.where('artifact_bundles.release_version', '=', release)
      if (debugId !== null) {
        rows = rows.where(({ exists, selectFrom }) =>
          exists(
            selectFrom('artifact_files')
              .select('artifact_files.id')
              .where('artifact_files.organization_id', '=', place.organizationId)
              .where('artifact_files.debug_id', '=', debugId)
              .whereRef('artifact_files.bundle_id', '=', 'artifact_bundles.id'),
          ),
        )
      } else if (text !== '') {
        rows = rows.where(containing(dialect, 'artifact_bundles.release_version', text))
      }
      return rows
        .orderBy('artifact_bundles.uploaded_at', 'desc')
        .orderBy('artifact_bundles.id', 'desc')
        .limit(page.limit)
        .offset(page.offset)
        .execute()
    },

    bundle: async (place: InProject, bundleId: number): Promise<Bundle | null> =>
      (await bundlesOf(place)
        .selectAll('artifact_bundles')
        .where('artifact_bundles.id', '=', bundleId)
        .executeTakeFirst()) ?? null,

    files: (bundle: Pick<Bundle, 'id'>, text: string, page: Page): Promise<FileRow[]> => {
      const debugId = plainDebugId(text)
      let rows = db.selectFrom('artifact_files').selectAll().where('bundle_id', '=', bundle.id)
      if (debugId !== null) rows = rows.where('debug_id', '=', debugId)
      else if (text !== '') rows = rows.where(containing(dialect, 'url', text))
      return rows.orderBy('url').orderBy('id').limit(page.limit).offset(page.offset).execute()
    },

    file: async (bundle: Pick<Bundle, 'id'>, fileId: number): Promise<FileRow | null> =>
      (await db
        .selectFrom('artifact_files')
        .selectAll()
        .where('bundle_id', '=', bundle.id)
        .where('id', '=', fileId)
        .executeTakeFirst()) ?? null,

    releases: async (place: InProject, text: string, page: Page): Promise<readonly ReleaseFiles[]> => {
      let rows = bundlesOf(place)
        .select('artifact_bundles.release_version as release')
        .select(({ fn }) => [
          fn.max('artifact_bundles.uploaded_at').as('uploadedAt'),
          fn.sum<number | string>('artifact_bundles.files').as('files'),
          fn.sum<number | string>('artifact_bundles.bytes').as('bytes'),
        ])
        .where('artifact_bundles.state', '=', 'ok')
        .where('artifact_bundles.release_version', '<>', '')
      if (text !== '') {
        rows = rows.where(containing(dialect, 'artifact_bundles.release_version', text))
      }
      const found = await rows
        .groupBy('artifact_bundles.release_version')
        .orderBy('uploadedAt', 'desc')
        .orderBy('release')
        .limit(page.limit)
        .offset(page.offset)
        .execute()
      return found.map((row) => ({ ...row, files: Number(row.files), bytes: Number(row.bytes) }))
    },
  }
}
