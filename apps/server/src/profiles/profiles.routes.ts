import {
  getProfile,
  getTraceProfileLanes,
  getTransactionProfile,
  listProfiles,
  listTraceProfiles,
  type Profile,
  type ProfileSummary,
} from '@firsthand/contract'
import { chooseProjects, type ProjectReference, type ScopeQuery } from '../accounts/index.ts'
import { bind, notFound, orBadRequest, readPage, saveTable, toPage, type Route } from '../http/index.ts'
import type { Clock } from '../lib/clock.ts'
import { toDate } from '../lib/instant-text.ts'
import type { OffsetPage } from '../lib/offset-page.ts'
import { lastDays, readPeriod } from '../search/index.ts'
import { readTraceId } from '../event/index.ts'
import { LIMITS } from './limits.ts'
import { loadLanes } from './load-lanes.ts'
import { loadMix, loadTransaction, profilesOfTransaction, WHOLE, type LoadedMix, type ProfileStores } from './load.ts'
import type { ProfileChoice, ProfileRecord, ProfileScope } from './profiles.view.ts'

/** What the routes of profiles work with. */
export interface ProfileServices extends ProfileStores {
  /** Living ones of an organisation. */
  readonly projects: (organizationId: number) => Promise<readonly ProjectReference[]>
  readonly clock: Clock
}

/** Profiles as the console draws them. */
export const createProfileRoutes = (services: ProfileServices): Route[] => [
  listProfilesRoute(services),
  listTraceProfilesRoute(services),
  getTraceProfileLanesRoute(services),
  getProfileRoute(services),
  getTransactionProfileRoute(services),
]

interface Asked {
  readonly scope: ProfileScope
  readonly projects: readonly ProjectReference[]
}

/** @throws HttpError 400 */
export const readProjects = async (
  { projects }: ProfileServices,
  organizationId: number,
  references: readonly string[] | undefined,
): Promise<Asked> => {
  const chosen = orBadRequest(chooseProjects(await projects(organizationId), references))
  return { projects: chosen, scope: { organizationId, projectIds: chosen.map(({ id }) => id) } }
}

const DAYS = 14

/** @throws HttpError 400 */
export const readChoice = (
  { clock }: ProfileServices,
  query: ScopeQuery,
  transaction: string | null,
): ProfileChoice => ({
  environments: (query.environment ?? []).filter((name) => name !== ''),
  period: orBadRequest(readPeriod(query, clock.now())) ?? lastDays(clock.now(), DAYS),
  transaction,
})

const summaryJson = (record: ProfileRecord, projects: readonly ProjectReference[]): ProfileSummary => ({
  id: record.profileId,
  profilerId: record.profilerId,
  projectId: String(record.projectId),
  projectSlug: projects.find(({ id }) => id === record.projectId)?.slug ?? '',
  transaction: record.transaction,
  traceId: record.traceId,
  spanId: record.segmentId,
  start: toDate(Math.floor(record.start / 1000)),
  startMicroseconds: record.start,
  duration: record.duration / 1000,
  threads: [...record.threads],
  samples: record.samples,
  platform: record.platform,
  release: record.release,
  environment: record.environment,
})

const listProfilesRoute = (services: ProfileServices): Route =>
  bind(listProfiles, async ({ query, request }) => {
    const { scope, projects } = await readProjects(services, request.organization.id, query.project)
    const choice = readChoice(services, query, query.transaction ?? null)
    const read = async (asked: OffsetPage) => {
      const found =
        choice.transaction === null
          ? await services.profiles.list(scope, choice, asked)
          : (await profilesOfTransaction(services, scope, choice))
              .map(({ record }) => record)
              .toReversed()
              .slice(asked.offset, asked.offset + asked.limit + 1)
      const { rows, page } = toPage(found, asked)
      return { body: rows.map((row) => summaryJson(row, projects)), page }
    }
    const { format } = query
    if (format === undefined) return read(readPage(query))
    return saveTable<ProfileSummary>(
      { name: 'profiles', format, columns: COLUMNS, cellsOf, signal: request.signal },
      async (cursor, limit) => {
        const { body, page } = await read({ ...readPage({ cursor: cursor ?? undefined }), limit })
        return { rows: body, next: page.next }
      },
    )
  })

const COLUMNS = [
  'id',
  'profilerId',
  'transaction',
  'projectSlug',
  'start',
  'duration',
  'samples',
  'threads',
  'platform',
  'release',
  'environment',
  'traceId',
  'spanId',
]

const cellsOf = ({ threads, ...profile }: ProfileSummary) => ({ ...profile, threads: threads.join(', ') })

const listTraceProfilesRoute = (services: ProfileServices): Route =>
  bind(listTraceProfiles, async ({ params, request }) => {
    const { scope, projects } = await readProjects(services, request.organization.id, undefined)
    const traceId = readTraceId(params.trace)
    if (traceId === null) throw notFound()
    const [named, profilers] = await Promise.all([
      services.profiles.ofTrace(scope, traceId, LIMITS.PROFILES_MERGED),
      services.profiles.profilersOfTrace(scope, traceId),
    ])
    const chunks = await Promise.all(
      profilers.map(({ profilerId, from, to }) => services.profiles.chunks(scope, [profilerId], { from, to })),
    )
    return { body: [...named, ...chunks.flat()].map((record) => summaryJson(record, projects)) }
  })

const getTraceProfileLanesRoute = (services: ProfileServices): Route =>
  bind(getTraceProfileLanes, async ({ params, request }) => {
    const { scope } = await readProjects(services, request.organization.id, undefined)
    const traceId = readTraceId(params.trace)
    if (traceId === null) throw notFound()
    const { functions, lanes, truncated, words } = await loadLanes(services, scope, traceId)
    return {
      body: {
        lanes: lanes.map(({ from, record, samples, stepLength, steps, thread, to }) => ({
          profile: record.profilerId === '' ? record.profileId : record.profilerId,
          projectId: String(record.projectId),
          transaction: record.transaction,
          spanId: record.segmentId,
          thread,
          start: from,
          end: to,
          step: stepLength,
          samples,
          steps: { step: [...steps.step], function: [...steps.function], self: [...steps.self] },
        })),
        functions: {
          name: [...functions.name],
          file: [...functions.file],
          line: [...functions.line],
          kind: [...functions.kind],
        },
        words: [...words],
        truncated,
      },
    }
  })

const getProfileRoute = (services: ProfileServices): Route =>
  bind(getProfile, async ({ params, query, request }) => {
    const { scope, projects } = await readProjects(services, request.organization.id, query.project)
    const id = readTraceId(params.profile)
    if (id === null) throw notFound()
    const { from, to } = query
    const stretch =
      from === undefined || to === undefined ? null : { from: Math.min(from, to) * 1000, to: Math.max(from, to) * 1000 }
    const one = await services.profiles.find(scope, id)
    const found = one === null ? await services.profiles.chunks(scope, [id], stretch) : [one]
    const last = found.at(-1)
    if (last === undefined) throw notFound()
    // Of one project: two applications do not share a profiler.
    const records = found.filter(({ projectId }) => projectId === last.projectId)
    const thread = query.thread === undefined ? ('main' as const) : { id: query.thread }
    const loaded = await loadMix(
      services,
      records.map((record) => ({ record, parts: [{ ...(stretch ?? WHOLE), thread }] })),
      { sums: false },
    )
    if (loaded.records.length === 0) throw notFound('This profile is not kept any more.')
    const kind = last.profilerId === '' ? ('transaction' as const) : ('continuous' as const)
    return { body: { ...profileJson(loaded, last, projects), kind, id: one === null ? last.profilerId : id } }
  })

const getTransactionProfileRoute = (services: ProfileServices): Route =>
  bind(getTransactionProfile, async ({ query, request }) => {
    const { scope, projects } = await readProjects(services, request.organization.id, query.project)
    const loaded = await loadTransaction(services, scope, readChoice(services, query, query.transaction))
    const last = loaded.records.at(-1)
    if (last === undefined) throw notFound('No profile of this transaction was received in this time.')
    const body = profileJson(loaded, last, projects)
    return {
      body: {
        ...body,
        kind: 'sum' as const,
        id: '',
        transaction: query.transaction,
        traceId: '',
        spanId: '',
        thread: '',
        threads: [],
        duration: body.samples.weight.reduce((sum, weight) => sum + weight, 0) / 1000,
        profiles: loaded.ran.length,
      },
    }
  })

const profileJson = (
  { about, mix, notes, records, threads, truncated }: LoadedMix,
  last: ProfileRecord,
  projects: readonly ProjectReference[],
): Profile => {
  const { samples } = mix
  const start = samples.at.reduce((first, at) => Math.min(first, at), samples.at[0] ?? last.start)
  const end = samples.at.reduce((latest, at, index) => Math.max(latest, at + (samples.weight[index] ?? 0)), start)
  return {
    kind: 'transaction',
    id: last.profileId,
    profiles: records.length,
    projectId: String(last.projectId),
    projectSlug: projects.find(({ id }) => id === last.projectId)?.slug ?? '',
    transaction: last.transaction,
    traceId: last.traceId,
    spanId: last.segmentId,
    platform: last.platform,
    release: last.release,
    environment: last.environment,
    sdk: last.sdk,
    runtime: about?.runtime ?? '',
    device: [about?.device, about?.os].filter((word) => word !== undefined && word !== '').join(', '),
    start: toDate(Math.floor(start / 1000)),
    startMicroseconds: start,
    duration: (end - start) / 1000,
    threads: [...threads].map(([id, thread]) => ({ id, ...thread })),
    thread: mix.threads[0]?.id ?? '',
    words: [...mix.words],
    frames: {
      name: [...mix.frames.name],
      file: [...mix.frames.file],
      module: [...mix.frames.module],
      line: [...mix.frames.line],
      column: [...mix.frames.column],
      kind: [...mix.frames.kind],
    },
    stacks: { frame: [...mix.stacks.frame], parent: [...mix.stacks.parent] },
    samples: {
      stack: [...samples.stack],
      at: samples.at.map((at) => at - start),
      weight: [...samples.weight],
      count: [...samples.count],
    },
    notes: [...notes],
    truncated,
  }
}
