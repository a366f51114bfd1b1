import type { ReplayPlayback } from '@firsthand/contract'
import type { AssetRecord } from '../asset.ts'

type Summary = ReplayPlayback['assets']

export const NO_ASSET_SUMMARY: Summary = { kept: 0, bytes: 0, waiting: 0, failed: [], leftOut: 0 }

/** What became of all that pages of a replay name. @param leftOut how much more they name */
export const summaryOf = (assets: readonly AssetRecord[], leftOut: number): Summary => {
  const of = (state: AssetRecord['state']): readonly AssetRecord[] => assets.filter((asset) => asset.state === state)
  const failed = [...Map.groupBy(of('failed'), ({ reason }) => reason)].map(([reason, some]) => ({
    reason,
    assets: some.length,
    url: some[0]?.url ?? '',
  }))
  const kept = of('kept')
  return {
    kept: kept.length,
    bytes: kept.reduce((sum, { bytes }) => sum + bytes, 0),
    waiting: of('waiting').length,
    failed: failed.toSorted((one, other) => other.assets - one.assets),
    leftOut,
  }
}
