import type { ProjectLookup } from '../accounts/index.ts'
import type { Clock } from '../lib/clock.ts'
import type { AttachmentView } from './attachments/attachments.view.ts'
import type { EventView } from './events.view.ts'
import { createIssueStream } from './issue-stream.ts'
import type { IssueView } from './issues.view.ts'
import type { IssuesChanged, IssueServices } from './services.ts'
import { createSettledReads } from './settled-reads.ts'
import type { ReceiptView } from './stats/receipts.view.ts'
import type { IssueMarks } from './workflow/marks.store.ts'
import type { IssueWorkflow } from './workflow/workflow.store.ts'

/** The face of the slice: error events and the issues they belong to. Its HTTP routes are in `slice.routes.ts`. */

export { fileName, mediaType } from './attachments/attachment-file.ts'
export type { AttachmentRecord, AttachmentView } from './attachments/attachments.view.ts'
export type { EventView } from './events.view.ts'
export type { IssueView } from './issues.view.ts'
export { createOldAddresses } from './old-addresses.ts'
export type { IssuesChanged, IssueServices } from './services.ts'
export { createCountMemory } from './stats/count-memory.ts'
export type { CountMemory } from './stats/count-memory.ts'
export { readPeriod } from './stats/time-range.ts'
export type { ReceiptView } from './stats/receipts.view.ts'
export type { IssueMarks } from './workflow/marks.store.ts'
export type { IssueWorkflow } from './workflow/workflow.store.ts'

export const createIssueServices = (ports: {
  readonly issues: IssueView
  readonly events: EventView
  readonly attachments: AttachmentView
  readonly receipts: ReceiptView
  readonly workflow: IssueWorkflow
  readonly marks: IssueMarks
  /** Settings of projects, to say why events are together. */
  readonly settings: Pick<ProjectLookup, 'byProjectId'>
  readonly clock: Clock
  /** Told whenever people change issues; for live updates. */
  readonly changed: (change: IssuesChanged) => void
}): IssueServices => ({ ...ports, ...createSettledReads(ports), stream: createIssueStream(ports) })
