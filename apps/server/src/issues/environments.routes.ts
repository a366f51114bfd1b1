import { listEnvironments, listProjectEnvironments, listProjects } from '@firsthand/contract'
import { projectSummaryJson, type Accounts } from '../accounts/index.ts'
import { bind, notFound, readPage, toPage } from '../http/index.ts'
import type { Route } from '../http/index.ts'
import type { EnvironmentView } from './ledger/environment-view.ts'
import { LIMITS } from './limits.ts'

/** Environments that events named, of an organisation and of its projects. */
export const createEnvironmentRoutes = (
  { store, projects }: Pick<Accounts, 'store' | 'projects'>,
  view: EnvironmentView,
): Route[] => {
  const environments = async (organizationId: number, projectIds: readonly number[] | null) => {
    const names = await view.environments(organizationId, projectIds)
    return { body: names.map((name) => ({ id: name, name, isHidden: false })) }
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

    bind(listEnvironments, async ({ query, request: { organization } }) => {
      const named = (query.project ?? []).filter((reference) => reference !== '-1')
      if (named.length === 0) return environments(organization.id, null)
      const ids = await projects.resolve(organization.id, named)
      if (ids === null) throw notFound('One of the projects does not exist.')
      return environments(organization.id, ids)
    }),

    bind(listProjectEnvironments, async ({ params, request: { organization } }) => {
      const project = await store.project(organization.id, params.project)
      if (project === null) throw notFound()
      return environments(organization.id, [project.id])
    }),
  ]
}
