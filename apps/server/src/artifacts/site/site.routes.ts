import { getSiteMapSettings, updateSiteMapSettings } from '@firsthand/contract'
import { badRequest, bind, type Route } from '../../http/index.ts'
import { normalHost } from '../../lib/allowed-hosts.ts'
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
    const hosts = new Set<string>()
    for (const written of body.hosts) {
      const host = normalHost(written)
      if (host === null) {
        const sentence = `"${written}" is no host. Write for example cdn.shop.example, *.shop.example or https://shop.example:8443, without a path.`
        throw badRequest(sentence, { hosts: sentence })
      }
      hosts.add(host)
    }
    if (body.enabled && hosts.size === 0) {
      const sentence = 'Name at least one host: nothing is fetched from any other.'
      throw badRequest(sentence, { hosts: sentence })
    }
    await saveSiteSettings(ledger, projectId, { isOn: body.enabled, hosts: [...hosts] })
    return { body: json(await readSiteSettings(ledger.db, projectId)) }
  }),
]
