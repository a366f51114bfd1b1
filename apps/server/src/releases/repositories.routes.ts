import { createRepository, deleteRepository, listRepositories, updateRepository } from '@firsthand/contract'
import { bind, conflict, HttpError, notFound, readPage, toPage, type Route } from '../http/index.ts'
import type { Clock } from '../lib/clock.ts'
import { toDate } from '../lib/instant-text.ts'
import { readId } from './read-id.ts'
import { addressed, type Repositories, type Repository } from './ledger/repositories.ts'
import { LIMITS } from './limits.ts'
import { lineTemplate } from './repository-links.ts'

/** The repositories that commits are of. */
export const createRepositoryRoutes = ({
  clock,
  repositories,
}: {
  readonly repositories: Repositories
  readonly clock: Clock
}): Route[] => [
  bind(listRepositories, async ({ query, request }) => {
    const asked = readPage(query)
    const rows = await repositories.list(request.organization.id, query.query?.trim() ?? '', {
      ...asked,
      limit: asked.limit + 1,
    })
    const found = toPage(rows, asked)
    return { body: found.rows.map(repositoryJson), page: found.page }
  }),

  bind(createRepository, async ({ body: { name, url, ...links }, request }) => {
    const { id } = request.organization
    const added = await repositories.add(id, { name, url: url ?? null, ...links, now: clock.now() })
    if (added === null) throw tooManyRepositories()
    return { body: repositoryJson(added), status: 201 }
  }),

  bind(updateRepository, async ({ body, params, request }) => {
    const changed = await repositories.change(request.organization.id, readId(params.repository), body)
    if (changed === null) throw notFound()
    if (changed === 'taken') throw conflict('Another repository of this organisation has this name. Choose another.')
    return { body: repositoryJson(changed) }
  }),

  bind(deleteRepository, async ({ params, request }) => {
    if (!(await repositories.remove(request.organization.id, readId(params.repository)))) throw notFound()
    return { body: null }
  }),
]

export const tooManyRepositories = (): HttpError =>
  new HttpError(409, `An organisation has at most ${LIMITS.REPOSITORIES} repositories. Delete some first.`)

const repositoryJson = (repository: Repository) => ({
  id: String(repository.id),
  name: repository.name,
  url: repository.url,
  host: repository.host,
  commitUrl: repository.commit_url,
  lineUrl: repository.line_url,
  hasLinks: lineTemplate(addressed(repository), { branch: 'main' }) !== null,
  provider: { id: 'git', name: 'Git' },
  status: 'active' as const,
  dateCreated: toDate(repository.created_at),
})
