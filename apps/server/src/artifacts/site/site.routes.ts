import { getSiteMapSettings, updateSiteMapSettings } from '@firsthand/contract'
import { bind, readHosts, type Route } from '../../http/index.ts'
import type { Ledger } from '../../storage/ledger/ledger.ts'
import { readSiteSettings, saveSiteSettings, type SiteSettings } from '../ledger/site-settings.ts'
import type { ProjectOf } from '../projects-of.ts'

const json = ({ hosts, isOn }: SiteSettings) => ({ enabled: isOn, hosts: [...hosts] })

/** Whether the sites of a project are asked for source maps, and which. */
export const createSiteRoutes = ({
  ledger,
  projectOf,
}: {
  readonly ledger: Ledger
  readonly projectOf: ProjectOf
}): Route[] => [
  bind(getSiteMapSettings, async ({ params, request }) => {
    const { projectId } = await projectOf(request.organization.id, params.project)
    return { body: json(await readSiteSettings(ledger.db, projectId)) }
  }),

  bind(updateSiteMapSettings, async ({ body, params, request }) => {
    const { projectId } = await projectOf(request.organization.id, params.project)
    const hosts = readHosts(body.hosts, body.enabled)
    await saveSiteSettings(ledger, projectId, { isOn: body.enabled, hosts })
    return { body: json(await readSiteSettings(ledger.db, projectId)) }
  }),
]
