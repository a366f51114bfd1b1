import { SITE_MAP_HOSTS_MAX, type SiteMapSettings } from '@firsthand/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'

import { describeError } from '../../../lib/api.ts'
import { showSaved } from '../../../lib/shown-data.ts'
import { useForm } from '../../../lib/use-form.ts'
import { ErrorState, Switch, toast } from '../../../ui/index.ts'
import { FormOutline, fromLines, LinesField, SettingsForm, toLines } from '../../settings/index.ts'
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
  const form = useForm({
    initial: { enabled: settings.enabled, hosts: toLines(settings.hosts) },
    validate: ({ enabled, hosts }) => {
      const lines = fromLines(hosts)
      if (enabled && lines.length === 0) return { hosts: 'Name at least one host: nothing is fetched from any other.' }
      return lines.length > SITE_MAP_HOSTS_MAX ? { hosts: `At most ${SITE_MAP_HOSTS_MAX} hosts.` } : {}
    },
    submit: async ({ enabled, hosts }) => {
      const saved = await saveSiteMaps(org, project, { enabled, hosts: fromLines(hosts) })
      showSaved(client, siteMapsKey(org, project), saved)
      toast({ title: enabled ? 'Saved; it holds for errors that come from now on' : 'Saved', tone: 'ok' })
    },
  })
  return (
    <SettingsForm form={form} title="Source maps of your site" mayWrite={mayWrite}>
      <Switch
        label="Fetch those that nobody uploaded"
        help="For sites that serve their source maps to everybody. When an error comes from a file without an upload, this server asks the site for the file and for the map that it names, soon afterwards and without cookies. What was uploaded always counts first."
        disabled={!mayWrite}
        checked={form.values.enabled}
        onCheckedChange={(checked) => form.set('enabled', checked)}
      />
      <LinesField
        form={form}
        name="hosts"
        label="Hosts to fetch from"
        help="One per line: shop.example, or *.shop.example for all below it; with a port if it is not the usual one. From any other nothing is fetched, and from private addresses only where the operator of this server allows it."
        mayWrite={mayWrite}
        rows={4}
      />
    </SettingsForm>
  )
}
