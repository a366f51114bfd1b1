import { createDeploy, listDeploys } from '@firsthand/contract'
import { badRequest, bind, notFound, readPage, toPage, type Route } from '../http/index.ts'
import type { Clock } from '../lib/clock.ts'
import type { Deploys } from './ledger/deploys.ts'
import type { ReleaseView } from './ledger/release-view.ts'
import type { Release } from './release.ts'
import { deployJson } from './release-json.ts'

interface DeployParts {
  readonly view: Pick<ReleaseView, 'release'>
  readonly deploys: Deploys
  readonly clock: Clock
}

/** Where releases run. */
export const createDeployRoutes = ({ clock, deploys, view }: DeployParts): Route[] => {
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
  ]
}
