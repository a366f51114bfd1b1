import { getReplayKeeping, starReplay, unstarReplay, updateReplayKeeping } from '@firsthand/contract'
import { badRequest, bind, conflict, type Route } from '../../http/index.ts'
import { toDate } from '../../lib/instant-text.ts'
import { findOfProject, findProject, type Finding } from '../find-replay.ts'
import type { ReplayAssets } from '../ledger/replay-assets.ts'
import type { ReplayKeeping } from '../ledger/replay-keeping.ts'
import type { ReplayPacks } from '../ledger/replay-packs.ts'
import { LIMITS } from '../limits.ts'
import type { Granted } from '../services.ts'
import type { KeptReplays } from '../telemetry/kept-replays.ts'

type KeepingServices = Finding &
  Granted<{ stars: 'add' | 'forget' | 'of' }> & {
    readonly keeping: Pick<ReplayKeeping, 'of' | 'organizationDays' | 'save'>
    readonly kept: Pick<KeptReplays, 'sum'>
    readonly packs: Pick<ReplayPacks, 'storedBytes' | 'storedBytesOf'>
    readonly assets: Pick<ReplayAssets, 'storedBytes' | 'storedBytesOf'>
  }

const GIGABYTE = 1_000_000_000

/** How long replays are kept, and which of them longest. */
export const createKeepingRoutes = (services: KeepingServices): Route[] => [
  bind(getReplayKeeping, async ({ params, request }) => ({
    body: await keepingJson(services, request.organization.id, params.project),
  })),
  bind(updateReplayKeeping, async ({ body, params, request }) => {
    const organizationId = request.organization.id
    const { id } = await findProject(services, organizationId, params.project)
    const longest = await services.keeping.organizationDays(organizationId)
    if (body.days !== null && body.days > longest) {
      const sentence = `Your organisation keeps data for ${longest} days: a project cannot keep replays for longer.`
      throw badRequest(sentence, { days: sentence })
    }
    const maxBytes = body.gigabytes === null ? null : Math.round(body.gigabytes * GIGABYTE)
    await services.keeping.save(id, { days: body.days, maxBytes })
    return { body: await keepingJson(services, organizationId, params.project) }
  }),
  bind(starReplay, async ({ params, request }) => {
    const { record } = await findOfProject(services, request.organization.id, params)
    if (!(await services.stars.add(record, request.caller.user.id))) {
      throw conflict(
        `A project has at most ${LIMITS.REPLAY_STARS} starred replays, so that its space stays bounded. Take the star of another one away first.`,
      )
    }
    return { body: null }
  }),
  bind(unstarReplay, async ({ params, request }) => {
    const { record } = await findOfProject(services, request.organization.id, params)
    await services.stars.forget({ projectId: record.projectId, replayIds: [record.replayId] })
    return { body: null }
  }),
]

const keepingJson = async (
  { assets, keeping, kept, packs, stars, ...services }: KeepingServices,
  organizationId: number,
  named: string,
) => {
  const { id: projectId } = await findProject(services, organizationId, named)
  const project = { organizationId, projectId }
  const starred = (await stars.of([projectId])).map(({ replayId }) => replayId)
  const [{ days, freed, maxBytes }, organizationDays, all, cut, fetched, own, ownCut, ownFetched] = await Promise.all([
    keeping.of(projectId),
    keeping.organizationDays(organizationId),
    kept.sum(project),
    packs.storedBytes(projectId),
    assets.storedBytes(projectId),
    kept.sum(project, starred),
    packs.storedBytesOf(projectId, starred),
    assets.storedBytesOf(projectId, starred),
  ])
  const starredCut = [...ownCut.values()].reduce((sum, bytes) => sum + bytes, 0)
  return {
    days,
    gigabytes: maxBytes === null ? null : maxBytes / GIGABYTE,
    organizationDays,
    replays: all.replays,
    bytes: all.bytes + cut + fetched,
    starred: own.replays,
    starredBytes: own.bytes + starredCut + ownFetched,
    freed: freed === null ? null : { at: toDate(freed.at), replays: freed.replays, bytes: freed.bytes },
  }
}
