import { createCodeMapping, createCodeMappings, deleteCodeMapping, listCodeMappings } from '@firsthand/contract'
import type { Accounts } from '../accounts/index.ts'
import { badRequest, bind, HttpError, notFound, readPage, toPage, type Route } from '../http/index.ts'
import type { Clock } from '../lib/clock.ts'
import type { CodeMapping, CodeMappings } from './ledger/code-mappings.ts'
import type { ReleaseView } from './ledger/release-view.ts'
import { addressed, type Repositories, type Repository } from './ledger/repositories.ts'
import { LIMITS } from './limits.ts'
import { readId } from './read-id.ts'
import { tooManyRepositories } from './repositories.routes.ts'
import { lineTemplate } from './repository-links.ts'
import { repositoryFinder } from './repository-of-commit.ts'

interface MappingParts {
  readonly accounts: Pick<Accounts, 'store' | 'projects'>
  readonly mappings: CodeMappings
  readonly repositories: Repositories
  readonly view: Pick<ReleaseView, 'heads'>
  readonly clock: Clock
}

const tooManyMappings = (): HttpError =>
  new HttpError(409, `A project has at most ${LIMITS.CODE_MAPPINGS} code mappings. Delete some first.`)

/** A release that is named as the commit of which it was built, with or without its package. */
const NAMED_BY_COMMIT = /^(?:.*@)?([0-9a-f]{40})$/

/** Which files of stacks are which files of repositories: by configuration, nobody is asked. */
export const createCodeMappingRoutes = (parts: MappingParts): Route[] => {
  const { accounts, clock, mappings, repositories, view } = parts

  const repositoriesOf = (organizationId: number): Promise<Repository[]> =>
    repositories.list(organizationId, '', { offset: 0, limit: LIMITS.REPOSITORIES })

  const jsonOf = async (
    organizationId: number,
    rows: readonly CodeMapping[],
    version?: string,
  ): Promise<ReturnType<typeof mappingJson>[]> => {
    if (rows.length === 0) return []
    const all = new Map((await repositoriesOf(organizationId)).map((repository) => [repository.id, repository]))
    const repositoryOf = repositoryFinder([...all.values()])
    const newest = version === undefined ? new Map<string | null, string>() : await view.heads(organizationId, version)
    const mapped = await mappings.repositoriesOf(organizationId, [...new Set(rows.map((row) => row.project_id))])

    const headsOf = (own: readonly number[]): ReadonlyMap<number, string> => {
      const heads = new Map<number, string>()
      for (const [repository, commit] of newest) {
        const found = repositoryOf({ repository }, own)
        if (found !== null && !heads.has(found.id)) heads.set(found.id, commit)
      }
      // The commit that a release is named by is one of some repository: of which, is only known where there is one.
      const named = version === undefined ? undefined : NAMED_BY_COMMIT.exec(version)?.[1]
      const [only, another] = own
      if (named !== undefined && only !== undefined && another === undefined && !heads.has(only)) heads.set(only, named)
      return heads
    }
    const heads = new Map([...mapped].map(([projectId, own]) => [projectId, headsOf(own)]))
    return rows.map((row) =>
      mappingJson(row, all.get(row.repository_id) ?? null, heads.get(row.project_id)?.get(row.repository_id) ?? null),
    )
  }

  return [
    bind(listCodeMappings, async ({ query, request }) => {
      const { id } = request.organization
      const named = query.project?.filter((reference) => reference !== '-1') ?? []
      const projectIds = named.length === 0 ? null : await accounts.projects.resolve(id, named)
      if (named.length > 0 && projectIds === null) throw notFound('One of the projects does not exist.')
      const asked = readPage(query)
      const { rows, page } = toPage(await mappings.list(id, projectIds, { ...asked, limit: asked.limit + 1 }), asked)
      return { body: await jsonOf(id, rows, query.release), page }
    }),

    bind(createCodeMapping, async ({ body, request }) => {
      const { id } = request.organization
      const project = await accounts.store.project(id, body.projectId)
      if (project === null) throw badRequest('This organisation has no such project.')
      const repository = (await repositoriesOf(id)).find((one) => String(one.id) === body.repositoryId)
      if (repository === undefined) throw badRequest('This organisation has no such repository. Add it first.')
      const put = await mappings.put(id, { ...body, projectId: project.id, repositoryId: repository.id }, clock.now())
      if (put === null) throw tooManyMappings()
      const row = await mappings.mapping(id, put.id)
      const [json] = row === null ? [] : await jsonOf(id, [row])
      if (json === undefined) throw notFound()
      return { body: json, status: put.isNew ? 201 : 200 }
    }),

    bind(createCodeMappings, async ({ body, request }) => {
      const { id } = request.organization
      const project = await accounts.store.project(id, body.project)
      if (project === null) throw notFound('This organisation has no such project.')
      const known = (await repositoriesOf(id)).find(({ name }) => name === body.repository)
      const repository = known ?? (await repositories.add(id, { name: body.repository, url: null, now: clock.now() }))
      if (repository === null) throw tooManyRepositories()
      const told: { stackRoot: string; sourceRoot: string; status: 'created' | 'updated' | 'error' }[] = []
      for (const { sourceRoot, stackRoot } of body.mappings) {
        const mapping = {
          projectId: project.id,
          repositoryId: repository.id,
          stackRoot,
          sourceRoot,
          defaultBranch: body.defaultBranch ?? body.default_branch ?? 'main',
        }
        const put = await mappings.put(id, mapping, clock.now())
        told.push({ stackRoot, sourceRoot, status: put === null ? 'error' : put.isNew ? 'created' : 'updated' })
      }
      const count = (status: string): number => told.filter((one) => one.status === status).length
      return {
        body: { created: count('created'), updated: count('updated'), errors: count('error'), mappings: told },
      }
    }),

    bind(deleteCodeMapping, async ({ params, request }) => {
      if (!(await mappings.remove(request.organization.id, readId(params.codeMapping)))) throw notFound()
      return { body: null }
    }),
  ]
}

/** @param commit the newest of the release that the addresses are to be of; null: they are of the branch */
const mappingJson = (row: CodeMapping, repository: Repository | null, commit: string | null) => ({
  id: String(row.id),
  projectId: String(row.project_id),
  projectSlug: row.projectSlug,
  projectName: row.projectName,
  repoId: String(row.repository_id),
  repoName: repository?.name ?? '',
  integrationId: null,
  provider: { key: 'git', name: 'Git', slug: 'git' },
  stackRoot: row.stack_root,
  sourceRoot: row.source_root,
  defaultBranch: row.default_branch,
  lineUrl:
    repository === null
      ? null
      : lineTemplate(addressed(repository), commit === null ? { branch: row.default_branch } : { commit }),
  commit,
})
