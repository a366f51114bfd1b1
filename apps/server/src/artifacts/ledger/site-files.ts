import { createHash } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { Ledger } from '../../storage/ledger/ledger.ts'
import { LIMITS } from '../limits.ts'
import type { SiteFileTable } from './schema.ts'

/** A file of a site whose source map is looked for there. */
export type SiteFile = Selectable<SiteFileTable>

export interface AskedFile {
  readonly release: string
  readonly dist: string
  readonly address: string
  readonly debugId: string | null
}

/** Addresses are longer than what an index takes. */
export const siteKey = ({ address, debugId, dist, release }: AskedFile): string =>
  createHash('sha1')
    .update(JSON.stringify([release, dist, address, debugId]))
    .digest('hex')

export type SiteFiles = ReturnType<typeof createSiteFiles>

/** Files that sites are to be asked for, and what became of those that they were asked for lately. */
export const createSiteFiles = ({ ledger: { db } }: { readonly ledger: Pick<Ledger, 'db'> }) => ({
  known: (projectId: number, keys: readonly string[]): Promise<readonly SiteFile[]> =>
    db
      .selectFrom('site_files')
      .selectAll()
      .where('project_id', '=', projectId)
      .where('file_key', 'in', [...keys])
      .execute(),

  /** Each is asked for once, however often it is wanted; none where a project has too many. */
  ask: async (projectId: number, files: readonly AskedFile[], now: number): Promise<void> => {
    if (files.length === 0) return
    const project = await db
      .selectFrom('projects')
      .select('organization_id')
      .where('id', '=', projectId)
      .executeTakeFirst()
    const { all, waiting } = await db
      .selectFrom('site_files')
      .select(({ fn }) => [
        fn.countAll<number | string>().as('all'),
        fn.countAll<number | string>().filterWhere('state', '=', 'waiting').as('waiting'),
      ])
      .where('project_id', '=', projectId)
      .executeTakeFirstOrThrow()
    const room = Math.min(LIMITS.SITE_FILES_WAITING - Number(waiting), LIMITS.SITE_FILES_KNOWN - Number(all))
    if (project === undefined || room <= 0) return
    await db
      .insertInto('site_files')
      .values(
        files.slice(0, room).map((file) => ({
          organization_id: project.organization_id,
          project_id: projectId,
          file_key: siteKey(file),
          release_version: file.release,
          dist: file.dist,
          address: file.address,
          debug_id: file.debugId,
          state: 'waiting' as const,
          failure: null,
          due_at: now,
        })),
      )
      .onConflict((conflict) => conflict.columns(['project_id', 'file_key']).doNothing())
      .execute()
  },

  /** Some of each project that has any, those first that wait longest. */
  waiting: async (): Promise<readonly SiteFile[]> => {
    const projects = await db
      .selectFrom('site_files')
      .select(({ fn }) => ['project_id', fn.min('id').as('oldest')])
      .where('state', '=', 'waiting')
      .groupBy('project_id')
      .orderBy('oldest')
      .limit(LIMITS.SITE_PROJECTS_PER_TURN)
      .execute()
    const found: SiteFile[] = []
    for (const { project_id: projectId } of projects) {
      const own = await db
        .selectFrom('site_files')
        .selectAll()
        .where('project_id', '=', projectId)
        .where('state', '=', 'waiting')
        .orderBy('id')
        .limit(LIMITS.SITE_FILES_PER_TURN)
        .execute()
      found.push(...own)
    }
    return found
  },

  /** It is not asked for again for a while. @param failure null for one that was kept */
  ended: async ({ id }: SiteFile, failure: string | null, now: number): Promise<void> => {
    await db
      .updateTable('site_files')
      .set({ state: failure === null ? 'kept' : 'failed', failure, due_at: now + LIMITS.SITE_AGAIN_MS })
      .where('id', '=', id)
      .execute()
  },

  drop: async ({ id }: SiteFile): Promise<void> => {
    await db.deleteFrom('site_files').where('id', '=', id).execute()
  },

  /** What was asked for long enough ago may be asked for again. */
  forget: async (now: number): Promise<void> => {
    await db.deleteFrom('site_files').where('state', '<>', 'waiting').where('due_at', '<=', now).execute()
  },
})
