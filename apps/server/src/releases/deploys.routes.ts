import { createDeploy, createRepository, deleteRepository, listDeploys, listRepositories } from '@firsthand/contract'
import { badRequest, bind, HttpError, notFound, readPage, toPage, type Route } from '../http/index.ts'
import type { Clock } from '../lib/clock.ts'
import { toDate } from '../lib/instant-text.ts'
import type { Deploys } from './ledger/deploys.ts'
import type { ReleaseView } from './ledger/release-view.ts'
import type { Repositories, Repository } from './ledger/repositories.ts'
import { LIMITS } from './limits.ts'
import type { Release } from './release.ts'
import { deployJson } from './release-json.ts'

interface DeployParts {
  readonly view: Pick<ReleaseView, 'release'>
  readonly deploys: Deploys
  readonly repositories: Repositories
  readonly clock: Clock
}

/** Where releases run, and the repositories that their commits are of. */
export const createDeployRoutes = ({ clock, deploys, repositories, view }: DeployParts): Route[] => {
  const releaseOf = async (organizationId: number, version: string): Promise<Release> => {
    const release = await view.release(organizationId, version)
    if (release === null) throw notFound()
    return release
  }

  return [
    bind(listDeploys, async ({ params, query, request }) => {
      const { id } = await releaseOf(request.organization.id, params.version)
      const asked = readPage(query)
      const { rows, page } = toPage(await deploys.list(id, { ...asked, limit: asked.limit + 1 }), asked)
      return { body: rows.map(deployJson), page }
    }),

    bind(createDeploy, async ({ body, params, request }) => {
      const { id } = await releaseOf(request.organization.id, params.version)
      if (/^(?:\.\.?|none)$/i.test(body.environment) || /[\n\r\f/]/.test(body.environment)) {
        throw badRequest('This is no name of an environment: it has no slash and no line break, and is not "none".')
      }
      const added = await deploys.add(id, {
        environment: body.environment,
        name: body.name ?? null,
        url: body.url ?? null,
        startedAt: body.dateStarted ?? null,
        finishedAt: body.dateFinished ?? clock.now(),
      })
      return { body: deployJson(added), status: 201 }
    }),

    bind(listRepositories, async ({ query, request }) => {
      const asked = readPage(query)
      const rows = await repositories.list(request.organization.id, query.query?.trim() ?? '', {
        ...asked,
        limit: asked.limit + 1,
      })
      const found = toPage(rows, asked)
      return { body: found.rows.map(repositoryJson), page: found.page }
    }),

    bind(createRepository, async ({ body: { name, url }, request }) => {
      const added = await repositories.add(request.organization.id, { name, url: url ?? null, now: clock.now() })
      if (added === null) {
        throw new HttpError(409, `An organisation has at most ${LIMITS.REPOSITORIES} repositories. Delete some first.`)
      }
      return { body: repositoryJson(added), status: 201 }
    }),

    bind(deleteRepository, async ({ params, request }) => {
      const isId = /^[1-9]\d{0,14}$/.test(params.repository)
      if (!isId || !(await repositories.remove(request.organization.id, Number(params.repository)))) throw notFound()
      return { body: null }
    }),
  ]
}

const repositoryJson = ({ id, name, url, created_at: createdAt }: Repository) => ({
  id: String(id),
  name,
  url,
  provider: { id: 'git', name: 'Git' },
  status: 'active' as const,
  dateCreated: toDate(createdAt),
})
