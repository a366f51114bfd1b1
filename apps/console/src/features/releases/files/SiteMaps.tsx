import { SITE_MAP_HOSTS_MAX, type SiteMapSettings } from '@firsthand/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'

import { describeError } from '../../../lib/api.ts'
import { showSaved } from '../../../lib/shown-data.ts'
import { ErrorState } from '../../../ui/index.ts'
import { FormOutline, HostsForm } from '../../settings/index.ts'
import { saveSiteMaps, siteMapsKey, siteMapsQuery } from '../queries.ts'

interface SiteMapsProps {
  readonly org: string
  /** Slug. */
  readonly project: string
  readonly mayWrite: boolean
}

/** Whether source maps that nobody uploaded are fetched from the sites of a project, and from which. */
export function SiteMaps({ org, project, mayWrite }: SiteMapsProps) {
  const { data, error, refetch } = useQuery(siteMapsQuery(org, project))
  if (error !== null) {
    return (
      <ErrorState
        title="The settings of source maps could not be loaded"
        {...describeError(error)}
        onRetry={() => void refetch()}
      />
    )
  }
  if (data === undefined) return <FormOutline label="Loading the settings of source maps" />
  return <SiteMapsForm org={org} project={project} mayWrite={mayWrite} settings={data} />
}

function SiteMapsForm({ org, project, mayWrite, settings }: SiteMapsProps & { readonly settings: SiteMapSettings }) {
  const client = useQueryClient()
  return (
    <HostsForm
      title="Source maps of your site"
      label="Fetch those that nobody uploaded"
      help="For sites that serve their source maps to everybody. When an error comes from a file without an upload, this server asks the site for the file and for the map that it names, soon afterwards and without cookies. What was uploaded always counts first."
      example="shop.example"
      most={SITE_MAP_HOSTS_MAX}
      of="errors"
      saved={settings}
      mayWrite={mayWrite}
      save={async (wanted) => showSaved(client, siteMapsKey(org, project), await saveSiteMaps(org, project, wanted))}
    />
  )
}
