import type { SavedSearches } from './ledger/saved-searches.ts'
import type { ClickHouseClient } from '@clickhouse/client'
import type { Handles, ProjectLookup } from '../accounts/index.ts'
import type { Clock } from '../lib/clock.ts'
import type { Ask } from '../lib/questions.ts'
import type { BlobStore } from '../storage/blobs/blobs.store.ts'
import type { Ledger } from '../storage/index.ts'
import { createTelemetryAttachmentView, type AttachmentView } from '../kept-items/index.ts'
import type { EventView } from './events.view.ts'
import { createIssueStream } from './issue-stream.ts'
import type { IssueView } from './ledger/issue-view.ts'
import type { IssuesChanged, IssueServices } from './services.ts'
import { createLedgerIssueView } from './ledger/issue-view.ts'
import { createLedgerIssueWorkflow } from './ledger/issue-workflow.ts'
import { createReadYourWrites } from './read-your-writes.ts'
import { createTelemetryEventView } from './telemetry/events.view.ts'
import type { IssueSets } from './ledger/issue-sets.ts'
import type { IssueMarks } from './ledger/issue-marks.ts'
import type { IssueWorkflow } from './ledger/issue-workflow.ts'
import type { Glances } from './stats/glances.ts'

/** The face of the slice: error events and the issues they belong to. Its HTTP routes are in `slice.routes.ts`. */

export type { ErrorSteps } from './digest/event-items.ts'
export { occurrenceHash } from './digest/read-occurrence.ts'
export type { EventView } from './events.view.ts'
export type { IssueView } from './ledger/issue-view.ts'
export type { IssuesChanged, IssueServices } from './services.ts'
export { readEventTable } from './stats/event-table.ts'
export type { EventTableServices } from './stats/event-table.ts'
export { createCountCache } from './stats/count-cache.ts'
export type { CountCache } from './stats/count-cache.ts'
export { createGlances } from './stats/glances.ts'
export { readStatusDetails } from './ledger/status-details.ts'
export { TRANSACTION_OF_EVENT, type AskedEvent, type FoundTransaction } from './transaction-events.ts'
export {
  COUNT_REPORTS,
  COUNT_WRITERS,
  PLAN_TELLING,
  RANK_WRITERS,
  REPORT_OF_EVENT,
  type TellingRequest,
  type WrittenAbout,
} from './visitor-reports.ts'
export { loadReadable } from './load-readable.ts'
export { featuresOf, outlineOf, type Features } from './features.ts'
export { plainIssues } from './plain-issues.ts'
export { ISSUES_WITH_TICKETS, TICKETS_OF_ISSUES, type TicketOfIssue } from './tickets-of-issues.ts'
export { OWNERS_OF_ISSUES, type NamedOwner } from './owners-of-issues.ts'
export { assignToOwner } from './ledger/assign-owner.ts'
export { issueOfHash } from './ledger/issue-of-hash.ts'
export { changeIssues } from './ledger/issue-workflow.ts'
export type { AssigneeRecord, IssueRecord } from './issues.view.ts'
export { formatShortId, parseShortId } from './short-id.ts'
export { assigneeJson, releaseJson, shortVersion } from './issue-json.ts'
export { bindNextRelease, unbindRelease } from './ledger/next-release.ts'
export { noteReleaseProjects, noteReleases, releaseKey } from './ledger/releases.ts'
export { readStatusRequest } from './workflow/status-request.ts'
export { isEventAxis } from './stats/event-series.ts'
export { meantCategories } from './meant-categories.ts'
export { isEventColumn, isSearchKey } from './search/index.ts'
export { standingIssues } from './standing-issues.ts'
export { createErrorsOfPerson, type ErrorOfPerson, type SumOfErrors } from './telemetry/errors-of-person.ts'
export { readErrorsOfTraces, type ErrorOfTrace } from './telemetry/errors-of-traces.ts'
export { readSurroundings, type EventSurroundings } from './telemetry/event-surroundings.ts'
export type { EventPlace, LoadedEvent } from './events.view.ts'
export { mappedLate } from './late-frames.ts'
export { readReplayEvents, type ReplayEventRecord } from './telemetry/replay-events.ts'
export type { IssueMarks } from './ledger/issue-marks.ts'
export type { IssueWorkflow } from './ledger/issue-workflow.ts'

/** What other capabilities read of issues and events. */
export const createIssueReads = ({
  blobs,
  client,
  ledger,
}: {
  readonly blobs: BlobStore
  readonly client: ClickHouseClient
  readonly ledger: Ledger
}): Pick<IssueServices, 'issues' | 'events' | 'attachments' | 'workflow'> => {
  const issues = createLedgerIssueView({ ledger })
  const events = createTelemetryEventView({ client })
  const attachments = createTelemetryAttachmentView({ client, blobs })
  return {
    issues,
    workflow: createLedgerIssueWorkflow({ ledger }),
    ...createReadYourWrites({ issues, events, attachments }),
  }
}

export const createIssueServices = (ports: {
  readonly issues: IssueView
  readonly events: EventView
  readonly attachments: AttachmentView
  readonly workflow: IssueWorkflow
  readonly marks: IssueMarks
  readonly sets: IssueSets
  readonly savedSearches: SavedSearches
  /** Settings of projects, to say why events are together. */
  readonly settings: Pick<ProjectLookup, 'byProjectId'>
  readonly handles: Pick<Handles, 'mentionsIn'>
  readonly clock: Clock
  readonly glances: Pick<Glances, 'count'>
  readonly ask: Ask
  /** Told whenever people change issues; for live updates. */
  readonly changed: (change: IssuesChanged) => void
}): IssueServices => ({ ...ports, ...createReadYourWrites(ports), stream: createIssueStream(ports) })
export { ISSUE_FACT_COLUMNS, issueOfFact } from './issue-facts.ts'
