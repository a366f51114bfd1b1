import type { Handles, ProjectLookup } from '../accounts/index.ts'
import type { Clock } from '../lib/clock.ts'
import type { Ask } from '../lib/questions.ts'
import type { AttachmentView } from '../kept-items/index.ts'
import type { EventView } from './events.view.ts'
import type { IssueStream } from './issue-stream.ts'
import type { IssueView } from './ledger/issue-view.ts'
import type { SavedSearches } from './ledger/saved-searches.ts'
import type { IssueSets } from './ledger/issue-sets.ts'
import type { IssueMarks } from './ledger/issue-marks.ts'
import type { IssueWorkflow } from './ledger/issue-workflow.ts'

/** People changed issues; lists that show them are out of date. */
export interface IssuesChanged {
  readonly organizationId: number
  readonly projectId: number
  readonly issueIds: readonly number[]
  readonly opened: readonly number[]
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** What the routes of this slice work with. */
export interface IssueServices {
  readonly issues: IssueView
  readonly events: EventView
  readonly attachments: AttachmentView
  readonly stream: IssueStream
  readonly workflow: IssueWorkflow
  readonly marks: IssueMarks
  readonly sets: IssueSets
  readonly savedSearches: SavedSearches
  readonly settings: Pick<ProjectLookup, 'byProjectId'>
  /** Whom notes name. */
  readonly handles: Pick<Handles, 'mentionsIn'>
  readonly clock: Clock
  /** Asks capabilities that build on this one. */
  readonly ask: Ask
  changed(change: IssuesChanged): void
}
