import type { ProjectReference } from '../accounts/index.ts'
import type { IssueView } from '../issues/index.ts'
import type { Clock } from '../lib/clock.ts'
import type { ReplayDeletions } from './ledger/replay-deletions.ts'
import type { ReplayStars } from './ledger/replay-stars.ts'
import type { ReplayViewers } from './ledger/replay-viewers.ts'
import type { ReplayView } from './replays.view.ts'

/** What the routes of replays work with. */
export interface ReplayServices {
  readonly replays: ReplayView
  /** Living ones of an organisation. */
  readonly projects: (organizationId: number) => Promise<readonly ProjectReference[]>
  readonly deletions: Pick<ReplayDeletions, 'find'>
  readonly viewers: ReplayViewers
  readonly stars: ReplayStars
  readonly issues: Pick<IssueView, 'merges' | 'records' | 'shortIds'>
  readonly clock: Clock
}
