import {
  countReplayDeletion,
  createReplayDeletion,
  deleteReplay,
  getReplayDeletion,
  getReplayVisitor,
  listReplayDeletions,
  type ReplayDeletionJob,
} from '@firsthand/contract'
import { readScope, type ProjectReference } from '../../accounts/index.ts'
import { readTraceId } from '../../event/index.ts'
import { badRequest, bind, conflict, notFound, orBadRequest, readPage, toPage, type Route } from '../../http/index.ts'
import { toDate } from '../../lib/instant-text.ts'
import type { Logger } from '../../lib/logger.ts'
import { lastDays, unlessTooLarge } from '../../search/index.ts'
import { readNumber } from '../asked-number.ts'
import { findProject, type Finding } from '../find-replay.ts'
import type { DeletionJob, DeletionJobs, HeldDeletion } from '../ledger/deletion-jobs.ts'
import { LIMITS } from '../limits.ts'
import { askForReplays, type ReplaySearching } from '../list/asked-replays.ts'
import { holdNames } from '../list/held-names.ts'
import { lookUpNames } from '../list/looked-up.ts'
import { compileReplaySearch } from '../list/replay-search.ts'
import type { Granted } from '../services.ts'
import type { VisitorReplays } from '../telemetry/visitor-replays.ts'
import type { ReplayDeleting } from './delete-replays.ts'
import type { JobRunner } from './run-jobs.ts'
import { expectStillThere, type NamesChecking } from './still-there.ts'
import { chooseVisitor, visitorJson } from './visitors.ts'

type DeletionServices = Finding &
  NamesChecking &
  ReplaySearching &
  Granted<{ replays: 'count' | 'ofVisitor' }> & {
    readonly deleting: Pick<ReplayDeleting, 'delete'>
    readonly jobs: Pick<DeletionJobs, 'add' | 'find' | 'list' | 'people'>
    readonly runner: Pick<JobRunner, 'run'>
    readonly visitors: Pick<VisitorReplays, 'count'>
    readonly logger: Logger
  }

/** What deletes replays: one, all of a visitor, or all that a search finds. */
export const createDeletionRoutes = (services: DeletionServices): Route[] => [
  deleteRoute(services),
  visitorRoute(services),
  countRoute(services),
  ...jobRoutes(services),
]

const deleteRoute = (services: DeletionServices): Route =>
  bind(deleteReplay, async ({ params, request }) => {
    const organizationId = request.organization.id
    const project = await findProject(services, organizationId, params.project)
    const replayId = readTraceId(params.replay)
    if (replayId === null) throw notFound()
    const scope = { organizationId, projectIds: [project.id] }
    if ((await services.replays.find(scope, replayId)) === null) throw notFound()
    await services.deleting.delete({ organizationId, projectId: project.id, replayIds: [replayId] })
    return { body: null }
  })

const visitorRoute = (services: DeletionServices): Route =>
  bind(getReplayVisitor, async ({ params, query, request }) => {
    const organizationId = request.organization.id
    const { id: projectId } = await findProject(services, organizationId, params.project)
    const visitor = await chooseVisitor(services, organizationId, params.project, query)
    const replays = await services.visitors.count({ organizationId, projectId }, visitor)
    return { body: { data: { ...visitorJson(visitor), replays } } }
  })

const countRoute = (services: DeletionServices): Route =>
  bind(countReplayDeletion, async ({ params, query, request }) => {
    const organizationId = request.organization.id
    const project = await findProject(services, organizationId, params.project)
    const now = services.clock.now()
    const asked = orBadRequest(
      await readScope(services, organizationId, { ...query, project: [String(project.id)] }, now),
    )
    const { from, to } = asked.period ?? lastDays(now, LIMITS.REPLAY_LIST_DAYS)
    // Periods end with a whole minute: what begins until then was not counted.
    const period = { from, to: Math.min(to, now) }
    const search = { written: query.query ?? '', period, userId: request.caller.user.id }
    const filter = await askForReplays(services, { organizationId, projects: [project] }, search)
    if (!filter.ok) throw badRequest(filter.error.message, { query: filter.error.message })
    await expectStillThere(services, organizationId, { names: null, query: search.written, userId: search.userId })
    const scope = { organizationId, projectIds: [project.id] }
    const choice = { filter: filter.value, environments: asked.environments, period }
    const replays = await unlessTooLarge(services.replays.count(scope, choice), period)
    const { knowsVisitors } = filter.value
    return {
      body: { data: { replays, rangeStart: toDate(period.from), rangeEnd: toDate(period.to), isWhole: knowsVisitors } },
    }
  })

const jobRoutes = (services: DeletionServices): Route[] => [
  bind(listReplayDeletions, async ({ params, query, request }) => {
    const { id } = await findProject(services, request.organization.id, params.project)
    const asked = readPage(query)
    const { rows, page } = toPage(await services.jobs.list(id, asked), asked)
    return { body: { data: await jobsJson(services, rows) }, page }
  }),
  bind(createReplayDeletion, async ({ body, params, request }) => {
    const organizationId = request.organization.id
    const project = await findProject(services, organizationId, params.project)
    const userId = request.caller.user.id
    const wanted = await readWanted(services, { organizationId, project, userId }, body.data)
    const job = await services.jobs.add(project.id, userId, wanted)
    if (job === null) {
      throw conflict(
        `${LIMITS.REPLAY_DELETION_JOBS_WAITING} deletions of this project wait already. Ask again when some of them are done.`,
      )
    }
    services.runner.run().catch((error: unknown) => {
      services.logger.warn('a deletion of replays was interrupted; it is gone on with', { error: String(error) })
    })
    const [data] = await jobsJson(services, [job])
    if (data === undefined) throw notFound()
    return { body: { data }, status: 201 }
  }),
  bind(getReplayDeletion, async ({ params, request }) => {
    const { id } = await findProject(services, request.organization.id, params.project)
    const number = readNumber(params.job)
    const job = number === null ? null : await services.jobs.find(id, number)
    const [data] = job === null ? [] : await jobsJson(services, [job])
    if (data === undefined) throw notFound()
    return { body: { data } }
  }),
]

type Asked =
  | { readonly visitor: Parameters<typeof chooseVisitor>[3] }
  | {
      readonly rangeStart: string
      readonly rangeEnd: string
      readonly environments: readonly string[]
      readonly query: string
    }

/** A moment without an offset is one of UTC. */
const instantOf = (written: string): number =>
  Date.parse(/(?:z|[+-]\d\d:?\d\d)$/i.test(written) ? written : `${written}Z`)

const TOO_MANY_NAMES =
  'The search names visitors or issues that stand for too many ids and addresses to be kept until all is deleted. Name fewer of them, and delete the others by another search.'

/** @throws HttpError 400, 404 */
const readWanted = async (
  services: DeletionServices,
  {
    organizationId,
    project,
    userId,
  }: { readonly organizationId: number; readonly project: ProjectReference; readonly userId: number },
  asked: Asked,
): Promise<HeldDeletion> => {
  if ('visitor' in asked) {
    const visitor = await chooseVisitor(services, organizationId, project.slug, asked.visitor)
    return { from: null, to: null, environments: [], query: '', visitor, names: null }
  }
  const [from, to] = [instantOf(asked.rangeStart), instantOf(asked.rangeEnd)]
  if (!(from < to))
    throw badRequest('rangeStart must be before rangeEnd.', { rangeStart: 'It is not before rangeEnd.' })
  const { query, environments } = asked
  const search = { written: query, period: { from, to }, userId }
  const known = await lookUpNames(services, { organizationId, projectIds: [project.id] }, search)
  const filter = compileReplaySearch(query, { projects: [project], known, now: services.clock.now() })
  if (!filter.ok) throw badRequest(filter.error.message, { query: filter.error.message })
  await expectStillThere(services, organizationId, { names: null, query, userId })
  const names = holdNames(known)
  if (names === null) throw badRequest(TOO_MANY_NAMES, { query: TOO_MANY_NAMES })
  return { from, to, environments, query, visitor: null, names }
}

const dateOrNull = (at: number | null): string | null => (at === null ? null : toDate(at))

const jobsJson = async (
  { jobs }: Pick<DeletionServices, 'jobs'>,
  rows: readonly DeletionJob[],
): Promise<ReplayDeletionJob[]> => {
  const people = await jobs.people(rows)
  return rows.map((job) => ({
    id: job.id,
    dateCreated: toDate(job.createdAt),
    dateUpdated: toDate(job.updatedAt),
    rangeStart: dateOrNull(job.from),
    rangeEnd: dateOrNull(job.to),
    environments: [...job.environments],
    status: job.status,
    query: job.query,
    countDeleted: job.deleted,
    bytesFreed: job.freedBytes,
    visitor: job.visitor === null ? null : visitorJson(job.visitor),
    createdBy: (job.userId === null ? null : people.get(job.userId)) ?? null,
    error: job.error,
  }))
}
