import type { ProjectReference } from '../accounts/index.ts'
import type { IssueView } from '../issues/index.ts'
import type { Clock } from '../lib/clock.ts'
import type { ReplayDeletions } from './ledger/replay-deletions.ts'
import type { ReplayStars } from './ledger/replay-stars.ts'
import type { ReplayViewers } from './ledger/replay-viewers.ts'
import type { ReplayView } from './replays.view.ts'

/** What all routes of replays work with. Each of them is given only what it uses. */
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

/** Some of these services, with only what is named of each: `Granted<{ replays: 'find' | 'segments'; stars: 'among' }>`. */
export type Granted<Names extends { readonly [Service in keyof ReplayServices]?: keyof ReplayServices[Service] }> = {
  readonly [Service in keyof Names & keyof ReplayServices]: Pick<
    ReplayServices[Service],
    Names[Service] & keyof ReplayServices[Service]
  >
}
