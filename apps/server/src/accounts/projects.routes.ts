import {
  addTeamProject,
  createKey,
  createProject,
  createTeamProject,
  deleteKey,
  deleteProject,
  getKey,
  getProject,
  listKeys,
  removeTeamProject,
  updateKey,
  updateProject,
} from '@firsthand/contract'
import { bind, notFound, readPage, toPage, unwrap } from '../http/index.ts'
import type { Route } from '../http/index.ts'
import { keyJson, projectJson } from './json.ts'
import type { Accounts } from './index.ts'

/** Projects and their keys. */

const readLimit = (limit: { window: number; count: number } | null | undefined) =>
  limit == null ? limit : { windowSeconds: limit.window, count: limit.count }

export const createProjectRoutes = (accounts: Accounts): Route[] => [...projectRoutes(accounts), ...keyRoutes(accounts)]

const existingProject = async ({ store }: Accounts, organizationId: number, reference: string) => {
  const project = await store.project(organizationId, reference)
  if (project === null) throw notFound()
  return project
}

const projectRoutes = (accounts: Accounts): Route[] => {
  const { projects } = accounts
  return [
    bind(createProject, async ({ body, request }) => ({
      status: 201,
      body: projectJson(unwrap(await projects.create(request.organization.id, body)), request.organization),
    })),

    bind(createTeamProject, async ({ params, body, request }) => {
      const project = { ...body, team: params.team }
      return {
        status: 201,
        body: projectJson(unwrap(await projects.create(request.organization.id, project)), request.organization),
      }
    }),

    bind(getProject, async ({ params, request }) => ({
      body: projectJson(await existingProject(accounts, request.organization.id, params.project), request.organization),
    })),

    bind(updateProject, async ({ params, body, request }) => ({
      body: projectJson(
        unwrap(await projects.update(request.organization.id, params.project, body)),
        request.organization,
      ),
    })),

    bind(deleteProject, async ({ params, request }) => {
      unwrap(await projects.remove(request.organization.id, params.project))
      return { body: null }
    }),

    bind(addTeamProject, async ({ params, request }) => ({
      status: 201,
      body: projectJson(
        unwrap(await projects.setTeam(request.organization.id, params.project, params.team, true)),
        request.organization,
      ),
    })),

    bind(removeTeamProject, async ({ params, request }) => ({
      body: projectJson(
        unwrap(await projects.setTeam(request.organization.id, params.project, params.team, false)),
        request.organization,
      ),
    })),
  ]
}

const keyRoutes = (accounts: Accounts): Route[] => {
  const { store, projects } = accounts
  return [
    bind(listKeys, async ({ params, query, request }) => {
      const project = await existingProject(accounts, request.organization.id, params.project)
      const asked = readPage(query)
      const { rows, page } = toPage(await store.keys(project.id, { ...asked, limit: asked.limit + 1 }), asked)
      return { body: rows.map((key) => keyJson(key, request.publicUrl)), page }
    }),

    bind(createKey, async ({ params, body, request }) => {
      const project = await existingProject(accounts, request.organization.id, params.project)
      const label = body.name ?? body.label
      const key = unwrap(
        await projects.createKey(project, {
          label,
          rateLimit: readLimit(body.rateLimit),
          bytesPerDay: body.bytesPerDay,
        }),
      )
      return { status: 201, body: keyJson(key, request.publicUrl) }
    }),

    bind(getKey, async ({ params, request }) => {
      const project = await existingProject(accounts, request.organization.id, params.project)
      const key = await store.key(project.id, params.key)
      if (key === null) throw notFound()
      return { body: keyJson(key, request.publicUrl) }
    }),

    bind(updateKey, async ({ params, body, request }) => {
      const project = await existingProject(accounts, request.organization.id, params.project)
      const change = {
        label: body.name ?? body.label,
        active: body.isActive,
        rateLimit: readLimit(body.rateLimit),
        bytesPerDay: body.bytesPerDay,
      }
      return { body: keyJson(unwrap(await projects.updateKey(project, params.key, change)), request.publicUrl) }
    }),

    bind(deleteKey, async ({ params, request }) => {
      const project = await existingProject(accounts, request.organization.id, params.project)
      unwrap(await projects.removeKey(project, params.key))
      return { body: null }
    }),
  ]
}
