import { isWithin, type Clock } from '../../lib/clock.ts'
import { RecentMap } from '../../lib/recent-map.ts'
import type { Ledger } from '../../storage/index.ts'
import { NO_ASSETS, readAssetSettings } from '../ledger/asset-settings.ts'
import { LIMITS } from '../limits.ts'
import { allowing } from '../../lib/allowed-hosts.ts'

/** What projects want of the pictures, fonts and style sheets that their pages name, on the digest's thread. */
export interface AssetRules {
  /** What has to be known of projects before it is asked what they allow. */
  recall(projectIds: readonly number[]): Promise<void>
  /** Null where nothing is fetched: then addresses need not be looked for. */
  allows(projectId: number): ((url: string) => boolean) | null
}

/** Nobody wants anything. */
export const NO_ASSET_RULES: AssetRules = { recall: async () => undefined, allows: () => null }

/** So many projects are remembered. */
const PROJECTS = 10_000

interface Recalled {
  readonly at: number
  readonly allows: ((url: string) => boolean) | null
}

export const createAssetRules = ({ ledger, clock }: { readonly ledger: Ledger; readonly clock: Clock }): AssetRules => {
  const projects = new RecentMap<number, Recalled>(PROJECTS)
  return {
    recall: async (projectIds) => {
      const at = clock.now()
      const old = projectIds.filter(
        (id) => !isWithin(projects.get(id)?.at ?? -Infinity, LIMITS.REPLAY_ASSET_RULES_MS, at),
      )
      const settings = await readAssetSettings(ledger.db, old)
      for (const id of old) {
        const { hosts, isOn } = settings.get(id) ?? NO_ASSETS
        const allows = isOn && hosts.length > 0 ? allowing(hosts) : null
        projects.set(id, { at, allows: allows === null ? null : (url) => allows(new URL(url)) })
      }
    },
    allows: (projectId) => projects.peek(projectId)?.allows ?? null,
  }
}
