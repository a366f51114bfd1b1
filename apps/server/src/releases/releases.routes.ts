import {
  createProjectRelease,
  createRelease,
  deleteProjectRelease,
  deleteRelease,
  getPreviousRelease,
  getProjectRelease,
  getRelease,
  listProjectReleaseCommits,
  listProjectReleases,
  listReleaseCommits,
  listReleases,
  updateProjectRelease,
  updateRelease,
  type ReleaseFields,
} from '@firsthand/contract'
import type { Accounts } from '../accounts/index.ts'
import {
  badRequest,
  bind,
  HttpError,
  notFound,
  readPage,
  toPage,
  type CallerOrganization,
  type Route,
} from '../http/index.ts'
import type { Clock } from '../lib/clock.ts'
import type { Ask } from '../lib/questions.ts'
import { refusedReleaseName } from '../lib/release-version.ts'
import type { Ledger } from '../storage/ledger/ledger.ts'
import type { ReleaseView } from './ledger/release-view.ts'
import { changeRelease, nameRelease, removeRelease } from './ledger/writing.ts'
import type { Release } from './release.ts'
import { addressed, type Repositories } from './ledger/repositories.ts'
import { healthOf, type HealthOf, type HealthQuery } from './health-data.ts'
import { LIMITS } from './limits.ts'
import { commitJson, releaseJson } from './release-json.ts'
import { commitLink } from './repository-links.ts'
import { repositoryFinder } from './repository-of-commit.ts'

export interface ReleaseParts {
  readonly accounts: Pick<Accounts, 'store' | 'projects'>
  readonly view: ReleaseView
  readonly ledger: Ledger
  readonly clock: Clock
  readonly repositories: Pick<Repositories, 'list'>
  readonly ask: Ask
}

const HAS_EVENTS =
  'Events have named this release, so that it cannot be deleted: they would name it again. Archive it instead (status: archived).'

/** Releases, at the addresses of organisations and of projects. */
export const createReleaseRoutes = (parts: ReleaseParts): Route[] => [...readsOf(parts), ...writesOf(parts)]

const found = <Value>(value: Value | null): Value => {
  if (value === null) throw notFound()
  return value
}

const projectIdOf = async ({ accounts }: Pick<ReleaseParts, 'accounts'>, organizationId: number, reference: string) =>
  found(await accounts.store.project(organizationId, reference)).id

/** @throws HttpError 404 for one that the project does not have */
const releaseOf = async (
  { accounts, view }: Pick<ReleaseParts, 'accounts' | 'view'>,
  organizationId: number,
  { project, version }: { readonly project?: string; readonly version: string },
): Promise<Release> => {
  const release = found(await view.release(organizationId, version))
  if (project === undefined) return release
  const projectId = await projectIdOf({ accounts }, organizationId, project)
  return found(release.projects.some(({ id }) => id === projectId) ? release : null)
}

type ListQuery = Parameters<typeof readPage>[0] & {
  readonly query?: string | undefined
  readonly status?: 'open' | 'archived' | '' | undefined
} & HealthQuery

const readsOf = (parts: ReleaseParts): Route[] => {
  const { accounts, ask, clock, repositories, view } = parts
  const idsOf = async (organizationId: number, references: readonly string[] = []): Promise<number[] | null> => {
    const named = references.filter((reference) => reference !== '-1')
    if (named.length === 0) return null
    const ids = await accounts.projects.resolve(organizationId, named)
    if (ids === null) throw notFound('One of the projects does not exist.')
    return ids
  }
  const withHealth = async (
    organization: CallerOrganization,
    releases: readonly Release[],
    query: HealthQuery,
  ): Promise<HealthOf> => {
    const place = { organizationId: organization.id, now: clock.now() }
    // What people do with a program is not for the token of a build: it is shown the release as it was asked for without.
    if (!organization.scopes.has('project:read')) return healthOf(ask, place, [], {})
    return healthOf(ask, place, releases, query)
  }
  const list = async (organization: CallerOrganization, projectIds: readonly number[] | null, query: ListQuery) => {
    const asked = readPage(query)
    const rows = await view.releases(
      organization.id,
      { query: query.query ?? '', projectIds, status: query.status === '' ? null : (query.status ?? null) },
      { ...asked, limit: asked.limit + 1 },
    )
    const page = toPage(rows, asked)
    const health = await withHealth(organization, page.rows, query)
    return { body: page.rows.map((release) => releaseJson(release, health)), page: page.page }
  }
  const commits = async (organizationId: number, release: Release, query: Parameters<typeof readPage>[0]) => {
    const asked = readPage(query)
    const page = toPage(await view.commits(release.id, { ...asked, limit: asked.limit + 1 }), asked)
    const named = await repositories.list(organizationId, '', { offset: 0, limit: LIMITS.REPOSITORIES })
    const repositoryOf = repositoryFinder(named)
    const linked = page.rows.map((commit) => {
      const repository = repositoryOf(commit)
      return {
        ...commitJson(commit),
        link: commitLink(repository === null ? null : addressed(repository), commit.id),
      }
    })
    return { body: linked, page: page.page }
  }

  return [
    bind(listReleases, async ({ query, request: { organization } }) =>
      list(organization, await idsOf(organization.id, query.project), query),
    ),
    bind(listProjectReleases, async ({ params, query, request: { organization } }) =>
      list(organization, [await projectIdOf(parts, organization.id, params.project)], query),
    ),
    bind(getRelease, async ({ params, query, request: { organization } }) => {
      const release = await releaseOf(parts, organization.id, params)
      return { body: releaseJson(release, await withHealth(organization, [release], query)) }
    }),
    bind(getProjectRelease, async ({ params, query, request: { organization } }) => {
      const release = await releaseOf(parts, organization.id, params)
      return { body: releaseJson(release, await withHealth(organization, [release], query)) }
    }),
    bind(listReleaseCommits, async ({ params, query, request }) =>
      commits(request.organization.id, await releaseOf(parts, request.organization.id, params), query),
    ),
    bind(listProjectReleaseCommits, async ({ params, query, request }) =>
      commits(request.organization.id, await releaseOf(parts, request.organization.id, params), query),
    ),
    bind(getPreviousRelease, async ({ params, request }) => {
      const release = await releaseOf(parts, request.organization.id, params)
      const previous = await view.previousWithCommits(release)
      return { body: previous === null ? {} : releaseJson(previous) }
    }),
  ]
}

const writesOf = (parts: ReleaseParts): Route[] => {
  const { accounts, clock, ledger, view } = parts

  /** All of them or none. Without any, the only project of the organisation: nobody can guess among many. */
  const projectsOf = async (
    organizationId: number,
    references: readonly string[],
    { isNew }: { readonly isNew: boolean },
  ): Promise<readonly number[]> => {
    if (references.length > 0) {
      const ids = await accounts.projects.resolve(organizationId, references)
      if (ids === null) {
        throw badRequest('One or more projects are invalid: this organisation has no project of that slug or id.')
      }
      return ids
    }
    if (!isNew) return []
    const [only, another] = await accounts.store.projects(organizationId, '', { offset: 0, limit: 2 })
    if (only === undefined || another !== undefined) {
      throw badRequest(
        'One or more projects are invalid: name the project that this release is of, as this organisation has several.',
      )
    }
    return [only.id]
  }

  const write = async (
    organizationId: number,
    version: string,
    { projects, ...fields }: ReleaseFields,
    project?: string,
  ): Promise<{ readonly release: Release; readonly isNew: boolean }> => {
    const refusal = refusedReleaseName(version)
    if (refusal !== null) throw badRequest(refusal)
    const isKnown = (await view.release(organizationId, version)) !== null
    const references = [...(projects ?? []), ...(project === undefined ? [] : [project])]
    const projectIds = await projectsOf(organizationId, references, { isNew: !isKnown })
    const isNew = await ledger.transaction(async (transaction) => {
      const named = await nameRelease(transaction, { organizationId, version, projectIds, now: clock.now() })
      await changeRelease(transaction, named.id, fields, clock.now())
      return named.isNew
    })
    return { release: found(await view.release(organizationId, version)), isNew }
  }

  const remove = async (release: Release): Promise<{ body: null }> => {
    if (!(await removeRelease(ledger, release.id, clock.now()))) throw new HttpError(409, HAS_EVENTS)
    return { body: null }
  }

  return [
    bind(createRelease, async ({ body: { version, ...fields }, request }) => {
      const { release, isNew } = await write(request.organization.id, version, fields)
      return { body: releaseJson(release), status: isNew ? 201 : 208 }
    }),
    bind(createProjectRelease, async ({ body: { version, ...fields }, params, request }) => {
      const { id } = request.organization
      await projectIdOf(parts, id, params.project)
      const { release, isNew } = await write(id, version, fields, params.project)
      return { body: releaseJson(release), status: isNew ? 201 : 208 }
    }),
    bind(updateRelease, async ({ body, params, request }) => {
      const { id } = request.organization
      await releaseOf(parts, id, params)
      return { body: releaseJson((await write(id, params.version, body)).release) }
    }),
    bind(updateProjectRelease, async ({ body, params, request }) => {
      const { id } = request.organization
      // Programs finish a release at the address of a project to which nobody has added it yet.
      await releaseOf(parts, id, { version: params.version })
      await projectIdOf(parts, id, params.project)
      return { body: releaseJson((await write(id, params.version, body, params.project)).release) }
    }),
    bind(deleteRelease, async ({ params, request }) => remove(await releaseOf(parts, request.organization.id, params))),
    bind(deleteProjectRelease, async ({ params, request }) =>
      remove(await releaseOf(parts, request.organization.id, params)),
    ),
  ]
}
