import type { ProjectReference } from '../accounts/index.ts'
import type { IssueServices } from '../issues/index.ts'
import type { Clock } from '../lib/clock.ts'
import type { Ask } from '../lib/questions.ts'
import type { TraceView } from './traces.view.ts'
import type { TransactionView } from './transactions.view.ts'

/** What the routes of traces work with. */
export interface TraceServices {
  readonly traces: TraceView
  readonly transactions: TransactionView
  readonly issues: Pick<IssueServices['issues'], 'merges' | 'records'>
  /** Living ones of an organisation. */
  readonly projects: (organizationId: number) => Promise<readonly ProjectReference[]>
  readonly clock: Clock
  /** Asks those that come later what else a trace has. */
  readonly ask: Ask
}
