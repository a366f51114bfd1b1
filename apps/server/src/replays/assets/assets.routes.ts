import {
  getReplayAsset,
  getReplayAssetSettings,
  listReplayAssets,
  updateReplayAssetSettings,
  type ReplayAsset,
} from '@firsthand/contract'
import { readTraceId } from '../../event/index.ts'
import { bind, notFound, readHosts, type Route } from '../../http/index.ts'
import type { Ledger } from '../../storage/index.ts'
import type { BlobStore } from '../../storage/blobs/blobs.store.ts'
import { readNumber } from '../asked-number.ts'
import { STYLE_SHEET, type AssetRecord } from '../asset.ts'
import { deletedIn, findOfOrganization, findProject, type Finding } from '../find-replay.ts'
import { NO_ASSETS, readAssetSettings, saveAssetSettings } from '../ledger/asset-settings.ts'
import type { ReplayAssets } from '../ledger/replay-assets.ts'
import { assetHeaders } from './asset-headers.ts'

type AssetServices = Finding & {
  readonly assets: Pick<ReplayAssets, 'find' | 'of' | 'sums'>
  readonly blobs: Pick<BlobStore, 'get'>
  readonly ledger: Ledger
}

/** Pictures, fonts and style sheets of recorded pages, and where a project has them fetched from. */
export const createAssetRoutes = (services: AssetServices): Route[] => [
  listRoute(services),
  bytesRoute(services),
  ...settingsRoutes(services),
]

const assetJson = ({ bytes, id, imports, type, url }: AssetRecord): ReplayAsset => ({
  id: String(id),
  url,
  type,
  bytes,
  imports: [...imports],
})

const listRoute = (services: AssetServices): Route =>
  bind(listReplayAssets, async ({ params, request }) => {
    const { record } = await findOfOrganization(services, request.organization.id, params.replay)
    const all = await services.assets.of(record)
    return { body: { assets: all.filter(({ state }) => state === 'kept').map(assetJson) } }
  })

const bytesRoute = (services: AssetServices): Route =>
  bind(getReplayAsset, async ({ params, request }) => {
    const { assets, blobs, deletions, projects } = services
    // Pages have hundreds of them: the ledger alone is asked.
    const replayId = readTraceId(params.replay)
    const projectIds = (await projects(request.organization.id)).map(({ id }) => id)
    const id = readNumber(params.asset)
    if (replayId === null || id === null) throw notFound()
    const { others } = await deletedIn({ deletions }, projectIds, replayId)
    const found = await assets.find(others, replayId, id)
    const bytes = found === null ? null : await blobs.get(found.key)
    if (found === null || bytes === null) throw notFound()
    return { bytes, ...(found.type === STYLE_SHEET && { compress: true }), headers: assetHeaders(id, found.key) }
  })

const settingsRoutes = (services: AssetServices): Route[] => [
  bind(getReplayAssetSettings, async ({ params, request }) => ({
    body: await settingsJson(services, request.organization.id, params.project),
  })),
  bind(updateReplayAssetSettings, async ({ body, params, request }) => {
    const organizationId = request.organization.id
    const { id } = await findProject(services, organizationId, params.project)
    const hosts = readHosts(body.hosts, body.enabled)
    await saveAssetSettings(services.ledger, id, { isOn: body.enabled, hosts })
    return { body: await settingsJson(services, organizationId, params.project) }
  }),
]

const settingsJson = async (services: AssetServices, organizationId: number, named: string) => {
  const { id } = await findProject(services, organizationId, named)
  const [settings, sums] = await Promise.all([readAssetSettings(services.ledger.db, [id]), services.assets.sums(id)])
  const { hosts, isOn } = settings.get(id) ?? NO_ASSETS
  return { enabled: isOn, hosts: [...hosts], ...sums }
}
