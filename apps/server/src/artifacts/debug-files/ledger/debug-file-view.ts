import { chunks, ROWS_PER_STATEMENT } from '../../../storage/ledger/chunks.ts'
import { containing } from '../../../storage/ledger/containing.ts'
import type { Ledger } from '../../../storage/ledger/ledger.ts'
import { plainDebugId } from '../../debug-id.ts'
import type { DebugFile } from './debug-files.ts'

interface InProject {
  readonly organizationId: number
  readonly projectId: number
}

export interface WhichDebugFiles {
  /** A part of a name, or an id. */
  readonly text: string
  /** Plain, only those that are whole; none for all. */
  readonly debugIds: readonly string[]
}

export type DebugFileView = ReturnType<typeof createDebugFileView>

/** What is shown of debug files; always of one project. */
export const createDebugFileView = ({
  ledger: { db, dialect },
}: {
  readonly ledger: Pick<Ledger, 'db' | 'dialect'>
}) => {
  const filesOf = ({ organizationId, projectId }: InProject) =>
    db
      .selectFrom('debug_files')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .where('project_id', '=', projectId)

  return {
    /** Newest first. */
    list: (
      place: InProject,
      { debugIds, text }: WhichDebugFiles,
      page: { readonly offset: number; readonly limit: number },
    ): Promise<DebugFile[]> => {
      const debugId = plainDebugId(text)
      let rows = filesOf(place)
      // Whoever asks by ids wants to know which need not be uploaded any more.
      if (debugIds.length > 0) rows = rows.where('debug_id', 'in', debugIds).where('state', '=', 'ok')
      if (debugId !== null) {
        rows = rows.where(({ eb, or }) => or([eb('debug_id', '=', debugId), eb('code_id', '=', debugId)]))
      } else if (text !== '') {
        rows = rows.where(({ eb, or }) =>
          or([containing(dialect, 'name', text), eb('code_id', '=', text.toLowerCase())]),
        )
      }
      return rows.orderBy('uploaded_at', 'desc').orderBy('id', 'desc').limit(page.limit).offset(page.offset).execute()
    },

    one: async (place: InProject, fileId: number): Promise<DebugFile | null> =>
      (await filesOf(place).where('id', '=', fileId).executeTakeFirst()) ?? null,
  }
}

/** A debug file that events of a project name. */
export interface WantedDebugFile {
  readonly projectId: number
  readonly debugId: string
}

/** A mapping as whoever reads frames sees it. */
export interface FoundDebugFile extends WantedDebugFile {
  readonly indexKey: string
  readonly indexBytes: number
}

export type DebugFileLookup = ReturnType<typeof createDebugFileLookup>

/** Finds debug files that are whole, only those of the project; the newest upload first. */
export const createDebugFileLookup = ({ ledger: { db } }: { readonly ledger: Pick<Ledger, 'db'> }) => ({
  /** Those of the projects that have any. */
  projects: async (projectIds: readonly number[]): Promise<ReadonlySet<number>> => {
    const found = new Set<number>()
    for (const part of chunks(projectIds, ROWS_PER_STATEMENT)) {
      const rows = await db
        .selectFrom('debug_files')
        .select('project_id')
        .distinct()
        .where('project_id', 'in', part)
        .execute()
      for (const row of rows) found.add(row.project_id)
    }
    return found
  },

  /** Which of the ids the project has files of. */
  known: async (projectId: number, debugIds: readonly string[]): Promise<ReadonlySet<string>> => {
    const rows = await db
      .selectFrom('debug_files')
      .select('debug_id')
      .distinct()
      .where('project_id', '=', projectId)
      .where('debug_id', 'in', debugIds)
      .where('state', '=', 'ok')
      .execute()
    return new Set(rows.flatMap(({ debug_id: debugId }) => debugId ?? []))
  },

  /** Mappings of these projects with these ids, of each the newest upload; also such that another one wants. */
  mappings: async (wanted: readonly WantedDebugFile[]): Promise<readonly FoundDebugFile[]> => {
    const found = new Map<string, FoundDebugFile>()
    for (const part of chunks(wanted, ROWS_PER_STATEMENT)) {
      const projectIds = [...new Set(part.map(({ projectId }) => projectId))]
      const debugIds = [...new Set(part.map(({ debugId }) => debugId))]
      const uploads = db
        .selectFrom('debug_files')
        .select(['project_id', 'debug_id', 'index_key', 'index_bytes'])
        .select(({ fn }) =>
          fn
            .agg<number>('row_number')
            .over((over) =>
              over.partitionBy(['project_id', 'debug_id']).orderBy('uploaded_at', 'desc').orderBy('id', 'desc'),
            )
            .as('place'),
        )
        .where('project_id', 'in', projectIds)
        .where('debug_id', 'in', debugIds)
        .where('kind', '=', 'proguard')
        .where('state', '=', 'ok')
        .where('index_key', 'is not', null)
      const rows = await db.selectFrom(uploads.as('uploads')).selectAll().where('place', '=', 1).execute()
      for (const { debug_id: debugId, index_bytes: indexBytes, index_key: indexKey, project_id: projectId } of rows) {
        if (debugId === null || indexKey === null) continue
        found.set(`${projectId} ${debugId}`, { projectId, debugId, indexKey, indexBytes })
      }
    }
    return [...found.values()]
  },
})
