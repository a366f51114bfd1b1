import type { Selectable } from 'kysely'
import type { Ledger } from '../../storage/ledger/ledger.ts'
import { LIMITS } from '../limits.ts'
import type { CodeMappingTable } from './schema.ts'
import type { Repository } from './repositories.ts'

export type CodeMappings = ReturnType<typeof createCodeMappings>

export interface CodeMapping extends Selectable<CodeMappingTable> {
  readonly projectSlug: string
  readonly projectName: string
}

interface NewMapping {
  readonly projectId: number
  readonly repositoryId: number
  readonly stackRoot: string
  readonly sourceRoot: string
  readonly defaultBranch: string
}

/** Which files of stacks are which files of repositories. */
export const createCodeMappings = ({ ledger }: { readonly ledger: Ledger }) => {
  const rows = (organizationId: number) =>
    ledger.db
      .selectFrom('code_mappings')
      .innerJoin('projects', 'projects.id', 'code_mappings.project_id')
      .selectAll('code_mappings')
      .select(['projects.slug as projectSlug', 'projects.name as projectName'])
      .where('code_mappings.organization_id', '=', organizationId)
      .where('projects.deleted_at', 'is', null)

  return {
    /** @param projectIds null for all of the organisation */
    list: (
      organizationId: number,
      projectIds: readonly number[] | null,
      page: { readonly offset: number; readonly limit: number },
    ): Promise<CodeMapping[]> =>
      rows(organizationId)
        .$if(projectIds !== null, (query) => query.where('code_mappings.project_id', 'in', projectIds ?? []))
        .orderBy('projects.slug')
        .orderBy('code_mappings.stack_root')
        .limit(page.limit)
        .offset(page.offset)
        .execute(),

    mapping: async (organizationId: number, id: number): Promise<CodeMapping | null> =>
      (await rows(organizationId).where('code_mappings.id', '=', id).executeTakeFirst()) ?? null,

    /** One of the same stack root takes the place of the one before. @returns null when the project has too many */
    put: (
      organizationId: number,
      { defaultBranch, projectId, repositoryId, sourceRoot, stackRoot }: NewMapping,
      now: number,
    ): Promise<{ readonly id: number; readonly isNew: boolean } | null> =>
      ledger.transaction(async (transaction) => {
        const own = transaction.selectFrom('code_mappings').where('project_id', '=', projectId)
        const known = await own.select('id').where('stack_root', '=', stackRoot).executeTakeFirst()
        const values = { repository_id: repositoryId, source_root: sourceRoot, default_branch: defaultBranch }
        const { count } = await own
          .select(({ fn }) => fn.countAll<number | string>().as('count'))
          .executeTakeFirstOrThrow()
        if (known === undefined && Number(count) >= LIMITS.CODE_MAPPINGS) return null
        const { id } = await transaction
          .insertInto('code_mappings')
          .values({
            ...values,
            organization_id: organizationId,
            project_id: projectId,
            stack_root: stackRoot,
            created_at: now,
          })
          // Two builds may send the same at once.
          .onConflict((conflict) => conflict.columns(['project_id', 'stack_root']).doUpdateSet(values))
          .returning('id')
          .executeTakeFirstOrThrow()
        return { id, isNew: known === undefined }
      }),

    remove: async (organizationId: number, id: number): Promise<boolean> => {
      const { numDeletedRows } = await ledger.db
        .deleteFrom('code_mappings')
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .executeTakeFirst()
      return Number(numDeletedRows) > 0
    },

    /** Repositories that the stacks of each project are in. */
    repositoriesOf: async (
      organizationId: number,
      projectIds: readonly number[],
    ): Promise<ReadonlyMap<number, readonly Repository['id'][]>> => {
      const found = await ledger.db
        .selectFrom('code_mappings')
        .select(['project_id', 'repository_id'])
        .distinct()
        .where('organization_id', '=', organizationId)
        .where('project_id', 'in', projectIds)
        .execute()
      const byProject = Map.groupBy(found, (row) => row.project_id)
      return new Map([...byProject].map(([id, rows]) => [id, rows.map((row) => row.repository_id)]))
    },
  }
}
