import type { ProjectLookup } from '../accounts/index.ts'
import type { Clock } from '../lib/clock.ts'
import type { AttachmentView } from './attachments/attachments.view.ts'
import type { EventView } from './events.view.ts'
import type { IssueStream } from './issue-stream.ts'
import type { IssueView } from './issues.view.ts'
import type { ReceiptView } from '../receipts/receipts.view.ts'
import type { SavedSearches } from './saved-searches/saved-searches.store.ts'
import type { IssueMarks } from './workflow/marks.store.ts'
import type { IssueWorkflow } from './workflow/workflow.store.ts'

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
  readonly receipts: ReceiptView
  readonly stream: IssueStream
  readonly workflow: IssueWorkflow
  readonly marks: IssueMarks
  readonly savedSearches: SavedSearches
  readonly settings: Pick<ProjectLookup, 'byProjectId'>
  readonly clock: Clock
  changed(change: IssuesChanged): void
}
