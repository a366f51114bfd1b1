import { getFlamegraph, getProfileChunk, getProjectProfile } from '@firsthand/contract'
import { badRequest, bind, notFound, orBadRequest, type Route } from '../http/index.ts'
import { parseSearch, readPeriod, textOf, type SearchNode } from '../search/index.ts'
import { readTraceId } from '../event/index.ts'
import { chunkJson, flamegraphJson, projectProfileJson } from './flamegraph.ts'
import { loadMix, loadTransaction, WHOLE } from './load.ts'
import { readChoice, readProjects, type ProfileServices } from './profiles.routes.ts'

/** Profiles as Sentry's clients read them. */
export const createSentryProfileRoutes = (services: ProfileServices): Route[] => [
  getFlamegraphRoute(services),
  getProjectProfileRoute(services),
  getProfileChunkRoute(services),
]

/** The transaction that a search names; '' when it names none. */
const transactionIn = (node: SearchNode | null): string => {
  if (node === null) return ''
  if (node.kind === 'and') return node.children.map(transactionIn).find((name) => name !== '') ?? ''
  const [first] = node.kind === 'field' && !node.negated && node.key.name === 'transaction' ? node.values : []
  return first === undefined ? '' : textOf(first)
}

const getFlamegraphRoute = (services: ProfileServices): Route =>
  bind(getFlamegraph, async ({ query, request }) => {
    const { scope } = await readProjects(services, request.organization.id, query.project)
    const parsed = parseSearch(query.query ?? '')
    if (!parsed.ok) throw badRequest(parsed.error.message)
    const transaction = transactionIn(parsed.value.root)
    const loaded = await loadTransaction(services, scope, readChoice(services, query, transaction))
    const projectId = loaded.records.at(-1)?.projectId ?? scope.projectIds[0] ?? 0
    return { body: flamegraphJson(loaded, { projectId, transaction }) }
  })

const getProjectProfileRoute = (services: ProfileServices): Route =>
  bind(getProjectProfile, async ({ params, request }) => {
    const { projects, scope } = await readProjects(services, request.organization.id, undefined)
    const project = projects.find(({ id, slug }) => slug === params.project || String(id) === params.project)
    const profileId = readTraceId(params.profile)
    if (project === undefined || profileId === null) throw notFound()
    const record = await services.profiles.find({ ...scope, projectIds: [project.id] }, profileId)
    if (record === null) throw notFound()
    const loaded = await loadMix(services, [{ record, parts: [{ ...WHOLE, thread: null }] }], { sums: false })
    if (loaded.records.length === 0) throw notFound('This profile is not kept any more.')
    return { body: record.profilerId === '' ? projectProfileJson(loaded, record) : chunkJson(loaded, record) }
  })

const getProfileChunkRoute = (services: ProfileServices): Route =>
  bind(getProfileChunk, async ({ query, request }) => {
    const { scope } = await readProjects(services, request.organization.id, query.project)
    const profilerId = readTraceId(query.profiler_id)
    const period = orBadRequest(readPeriod(query, services.clock.now()))
    const stretch = period === null ? null : { from: period.from * 1000, to: period.to * 1000 }
    const records = profilerId === null ? [] : await services.profiles.chunks(scope, [profilerId], stretch)
    const [first] = records
    if (first === undefined) return { body: { chunk: null, chunks: [] } }
    const parts = [{ ...(stretch ?? WHOLE), thread: null }]
    const loaded = await loadMix(
      services,
      records.map((record) => ({ record, parts })),
      { sums: false },
    )
    if (loaded.records.length === 0) return { body: { chunk: null, chunks: [] } }
    const chunk = chunkJson(loaded, first)
    return { body: { chunk, chunks: [chunk] } }
  })
