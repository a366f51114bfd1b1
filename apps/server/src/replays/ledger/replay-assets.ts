import type { Clock } from '../../lib/clock.ts'
import type { Ledger } from '../../storage/index.ts'
import { createAssetBytes } from './assets/asset-bytes.ts'
import { createReads } from './assets/asset-reads.ts'
import { createDayBudget } from './assets/day-budget.ts'
import { createFinding } from './assets/find-asset.ts'
import { createForgetting } from './assets/forget-assets.ts'
import { createOutcomes } from './assets/outcomes.ts'
import { createQueue } from './assets/queue.ts'

/** What was fetched for replays, and what is to be. Bytes are blobs, held by each row. */
export const createReplayAssets = (parts: { readonly ledger: Ledger; readonly clock: Clock }) => ({
  ...createQueue(parts),
  ...createDayBudget(parts),
  ...createOutcomes(parts),
  ...createReads(parts),
  ...createFinding(parts),
  ...createAssetBytes(parts),
  ...createForgetting(parts),
})

export type ReplayAssets = ReturnType<typeof createReplayAssets>
