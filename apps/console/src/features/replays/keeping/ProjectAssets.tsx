import { REPLAY_ASSET_HOSTS_MAX, type ReplayAssetSettings } from '@firsthand/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'

import { describeError } from '../../../lib/api.ts'
import { formatBytes, formatCount } from '../../../lib/format.ts'
import { showSaved } from '../../../lib/shown-data.ts'
import { useForm } from '../../../lib/use-form.ts'
import { ErrorState, Switch, toast } from '../../../ui/index.ts'
import { FormOutline, fromLines, LinesField, SettingsForm, toLines } from '../../settings/index.ts'
import { assetsKey, assetsQuery, saveAssets } from './queries.ts'
import styles from './ProjectReplays.module.css'

interface AssetsProps {
  readonly org: string
  /** Slug. */
  readonly project: string
  readonly mayWrite: boolean
}

/** Whether pictures, fonts and style sheets of recorded pages are fetched, and from where. */
export function ProjectAssets({ org, project, mayWrite }: AssetsProps) {
  const { data, error, refetch } = useQuery(assetsQuery(org, project))
  if (error !== null) {
    return (
      <ErrorState
        title="The settings of images, fonts and styles could not be loaded"
        {...describeError(error)}
        onRetry={() => void refetch()}
      />
    )
  }
  if (data === undefined) return <FormOutline label="Loading the settings of images, fonts and styles" />
  return <Assets org={org} project={project} mayWrite={mayWrite} assets={data} />
}

/** What there is now. */
function sumOf({ bytes, failed, kept, waiting }: ReplayAssetSettings): string {
  if (kept + waiting + failed === 0) return 'Nothing has been fetched yet.'
  const parts = [
    `${formatCount(kept)} kept, ${formatBytes(bytes)}`,
    ...(waiting === 0 ? [] : [`${formatCount(waiting)} still to be fetched`]),
    ...(failed === 0 ? [] : [`${formatCount(failed)} could not be fetched; each replay says why under About`]),
  ]
  return `${parts.join('. ')}.`
}

function Assets({ org, project, mayWrite, assets }: AssetsProps & { readonly assets: ReplayAssetSettings }) {
  const client = useQueryClient()
  const form = useForm({
    initial: { enabled: assets.enabled, hosts: toLines(assets.hosts) },
    validate: ({ enabled, hosts }) => {
      const lines = fromLines(hosts)
      if (enabled && lines.length === 0) return { hosts: 'Name at least one host: nothing is fetched from any other.' }
      return lines.length > REPLAY_ASSET_HOSTS_MAX ? { hosts: `At most ${REPLAY_ASSET_HOSTS_MAX} hosts.` } : {}
    },
    submit: async ({ enabled, hosts }) => {
      const saved = await saveAssets(org, project, { enabled, hosts: fromLines(hosts) })
      showSaved(client, assetsKey(org, project), saved)
      toast({ title: enabled ? 'Saved; it holds for replays that come from now on' : 'Saved', tone: 'ok' })
    },
  })
  return (
    <SettingsForm form={form} title="Images, fonts and styles of recorded pages" mayWrite={mayWrite}>
      <Switch
        label="Fetch and keep them"
        help="A recording only names most of them. Without this the player shows grey boxes in their place. With it, this server fetches each one once, soon after a replay came, without cookies, and the player plays what was kept. Privacy: the sites see requests from this server's address for what your visitors had on their screens. Nothing is fetched while somebody watches."
        disabled={!mayWrite}
        checked={form.values.enabled}
        onCheckedChange={(checked) => form.set('enabled', checked)}
      />
      <LinesField
        form={form}
        name="hosts"
        label="Hosts to fetch from"
        help="One per line: cdn.shop.example, or *.shop.example for all below it; with a port if it is not the usual one. From any other nothing is fetched, and from private addresses only where the operator of this server allows it."
        mayWrite={mayWrite}
        rows={4}
      />
      <p className={styles.note}>{sumOf(assets)}</p>
    </SettingsForm>
  )
}
