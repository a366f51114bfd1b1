import {
  getProjectRelease,
  getRelease,
  listEnvironments,
  listProjectEnvironments,
  listProjectReleases,
  listProjects,
  listReleases,
} from '@firsthand/contract'
import { projectSummaryJson, type Accounts } from '../../accounts/index.ts'
import { bind, notFound, readPage, toPage } from '../../http/index.ts'
import type { Route } from '../../http/index.ts'
import { LIMITS } from '../limits.ts'
import { releaseJson } from './release-json.ts'
import type { ReleaseView } from '../ledger/release-view.ts'

/** Releases and environments that events named, of an organisation and of its projects. */
export const createReleaseRoutes = (
  { store, projects }: Pick<Accounts, 'store' | 'projects'>,
  view: ReleaseView,
): Route[] => {
  const idsOf = async (organizationId: number, references: readonly string[] = []): Promise<number[] | null> => {
    const named = references.filter((reference) => reference !== '-1')
    if (named.length === 0) return null
    const ids = await projects.resolve(organizationId, named)
    if (ids === null) throw notFound('One of the projects does not exist.')
    return ids
  }
  const idOf = async (organizationId: number, reference: string): Promise<number> => {
    const project = await store.project(organizationId, reference)
    if (project === null) throw notFound()
    return project.id
  }

  const environments = async (organizationId: number, projectIds: readonly number[] | null) => {
    const names = await view.environments(organizationId, projectIds)
    return { body: names.map((name) => ({ id: name, name, isHidden: false })) }
  }
  const releases = async (
    organizationId: number,
    projectIds: readonly number[] | null,
    query: Parameters<typeof readPage>[0] & { readonly query?: string | undefined },
  ) => {
    const asked = readPage(query)
    const found = await view.releases(
      organizationId,
      { query: query.query ?? '', projectIds },
      { ...asked, limit: asked.limit + 1 },
    )
    const { rows, page } = toPage(found, asked)
    return { body: rows.map(releaseJson), page }
  }

  return [
    // Whose projects they are, accounts know; in which environments they run, only their events say.
    bind(listProjects, async ({ query, request: { organization } }) => {
      const asked = readPage(query)
      const found = await store.projects(organization.id, query.query ?? '', { ...asked, limit: asked.limit + 1 })
      const { rows, page } = toPage(found, asked)
      const ids = rows.map(({ id }) => id)
      const names = await view.environmentsOf(ids, LIMITS.PROJECT_ENVIRONMENTS)
      return {
        body: rows.map((row) => ({ ...projectSummaryJson(row), environments: [...(names.get(row.id) ?? [])] })),
        page,
      }
    }),

    bind(listEnvironments, async ({ query, request: { organization } }) =>
      environments(organization.id, await idsOf(organization.id, query.project)),
    ),

    bind(listProjectEnvironments, async ({ params, request: { organization } }) =>
      environments(organization.id, [await idOf(organization.id, params.project)]),
    ),

    bind(listReleases, async ({ query, request: { organization } }) =>
      releases(organization.id, await idsOf(organization.id, query.project), query),
    ),

    bind(listProjectReleases, async ({ params, query, request: { organization } }) =>
      releases(organization.id, [await idOf(organization.id, params.project)], query),
    ),

    bind(getRelease, async ({ params, request }) => {
      const release = await view.release(request.organization.id, params.version)
      if (release === null) throw notFound()
      return { body: releaseJson(release) }
    }),

    bind(getProjectRelease, async ({ params, request }) => {
      const projectId = await idOf(request.organization.id, params.project)
      const release = await view.release(request.organization.id, params.version)
      if (release === null || !release.projects.some(({ id }) => id === projectId)) throw notFound()
      return { body: releaseJson(release) }
    }),
  ]
}
