import { REPLAY_ASSET_HOSTS_MAX, type ReplayAssetSettings } from '@firsthand/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'

import { describeError } from '../../../lib/api.ts'
import { formatBytes, formatCount } from '../../../lib/format.ts'
import { showSaved } from '../../../lib/shown-data.ts'
import { ErrorState } from '../../../ui/index.ts'
import { FormOutline, HostsForm } from '../../settings/index.ts'
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
  return (
    <HostsForm
      title="Images, fonts and styles of recorded pages"
      label="Fetch and keep them"
      help="A recording only names most of them. Without this the player shows grey boxes in their place. With it, this server fetches each one once, soon after a replay came, without cookies, and the player plays what was kept. Privacy: the sites see requests from this server's address for what your visitors had on their screens. Nothing is fetched while somebody watches."
      example="cdn.shop.example"
      most={REPLAY_ASSET_HOSTS_MAX}
      of="replays"
      saved={assets}
      mayWrite={mayWrite}
      save={async (wanted) => showSaved(client, assetsKey(org, project), await saveAssets(org, project, wanted))}
    >
      <p className={styles.note}>{sumOf(assets)}</p>
    </HostsForm>
  )
}
