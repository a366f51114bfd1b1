import { getEventCommitters } from '@firsthand/contract'
import type { Accounts } from '../accounts/index.ts'
import type { FrameResolver } from '../artifacts/resolve/index.ts'
import { bind, notFound, type Route } from '../http/index.ts'
import { mappedLate, type IssueServices, type LoadedEvent } from '../issues/index.ts'
import type { CodeMappings } from './ledger/code-mappings.ts'
import type { ReleaseView } from './ledger/release-view.ts'
import { addressed, type Repositories, type Repository } from './ledger/repositories.ts'
import { LIMITS } from './limits.ts'
import { commitJson } from './release-json.ts'
import { commitLink, lineLink } from './repository-links.ts'
import { repositoryFinder } from './repository-of-commit.ts'
import { suspectsOf, type StackPlace, type Suspect, type ToldCommit } from './suspects.ts'

interface CommitterParts {
  readonly accounts: Pick<Accounts, 'store'>
  readonly issues: Pick<IssueServices['issues'], 'find' | 'locateEvent' | 'records'>
  readonly events: Pick<IssueServices['events'], 'load'>
  readonly frames: FrameResolver
  readonly view: Pick<ReleaseView, 'release' | 'commitsWithFiles'>
  readonly repositories: Pick<Repositories, 'list'>
  readonly mappings: Pick<CodeMappings, 'repositoriesOf'>
}

/** Whose commits may be behind an event: those of the release in which its issue began that changed what threw. */
export const createCommitterRoutes = (parts: CommitterParts): Route[] => [
  bind(getEventCommitters, async ({ params, request }) => {
    const organizationId = request.organization.id
    const { accounts, events, frames, issues, mappings, repositories, view } = parts
    const project = await accounts.store.project(organizationId, params.project)
    if (project === null) throw notFound()
    const [place] = await issues.locateEvent(organizationId, [project.id], params.event)
    const stored = place === undefined ? null : await events.load({ organizationId, eventId: params.event, ...place })
    if (stored === null) throw notFound()
    const release = await firstReleaseOf(parts, organizationId, stored)
    const commits = release === null ? [] : await view.commitsWithFiles(release)
    if (commits.length === 0) return { body: { committers: [] } }
    const event = (await mappedLate(frames, project.id, stored.event)) ?? stored.event
    const named = await repositories.list(organizationId, '', { offset: 0, limit: LIMITS.REPOSITORIES })
    const suspects = suspectsOf(placesOf(event), commits)
    const mapped = (await mappings.repositoriesOf(organizationId, [project.id])).get(project.id)
    const repositoryOf = repositoryFinder(named)
    return {
      body: {
        committers: suspects.map((suspect) => committerJson(suspect, commits, repositoryOf(suspect.commit, mapped))),
      },
    }
  }),
]

/** Id of the release in which the issue of the event began; null when it is not known. */
const firstReleaseOf = async (
  { issues, view }: CommitterParts,
  organizationId: number,
  { place }: LoadedEvent,
): Promise<number | null> => {
  const id = await issues.find(organizationId, String(place.storedIssueId))
  const [record] = id === null ? [] : await issues.records(organizationId, [id])
  const version = record?.firstRelease ?? null
  return version === null ? null : ((await view.release(organizationId, version))?.id ?? null)
}

/** Own code of the exception that was thrown last, nearest to the throw first. */
const placesOf = ({ exception, stacktrace }: LoadedEvent['event']): readonly StackPlace[] => {
  const frames = exception?.values.at(-1)?.stacktrace?.frames ?? stacktrace?.frames ?? []
  return frames
    .toReversed()
    .filter((frame) => frame.in_app === true)
    .flatMap(({ abs_path: whole, filename, lineno }) => {
      const path = filename ?? whole ?? ''
      return path === '' ? [] : [{ path, line: lineno ?? null }]
    })
}

const committerJson = (
  { commit, equalParts, file, place }: Suspect,
  commits: readonly ToldCommit[],
  repository: Repository | null,
) => {
  const address = repository === null ? null : addressed(repository)
  // Its newest commit is how the release was built, and lines are those of the stack.
  const head = commits.find(({ repository }) => repository === commit.repository) ?? commit
  return {
    author: commit.author === null ? null : { name: commit.author.name, email: commit.author.email },
    commits: [
      {
        ...commitJson(commit),
        link: commitLink(address, commit.id),
        file,
        line: place.line,
        fileLink: lineLink(address, { commit: head.id, path: file, line: place.line }),
        equalParts,
      },
    ],
  }
}
