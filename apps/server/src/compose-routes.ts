import { getServerStatus } from '@firsthand/contract'
import { createAccountRoutes } from './accounts/accounts.routes.ts'
import type { Accounts } from './accounts/index.ts'
import { createAwaitIssue } from './feedback/await-issue.ts'
import { createFeedbackSettingsRoutes } from './feedback/feedback-settings.routes.ts'
import { createFeedbackRoutes } from './feedback/feedback.routes.ts'
import type { InboxParts } from './feedback/inbox-request.routes.ts'
import { createReportRoutes } from './feedback/report.routes.ts'
import { createUserFeedbackRoutes } from './feedback/user-feedback.routes.ts'
import { bind, createLiveRoutes } from './http/index.ts'
import type { Live, Route } from './http/index.ts'
import type { Submission } from './ingest/index.ts'
import { createIssueServices, createOldAddresses } from './issues/index.ts'
import type { CountMemory } from './issues/index.ts'
import { createRoutesOfIssues } from './issues/slice.routes.ts'
import type { Clock } from './lib/clock.ts'
import type { Status } from './status.ts'
import type { Ledger, Telemetry } from './storage/index.ts'
import { createLedgerThreads } from './storage/ledger/feedback-threads.ts'
import { createLedgerInbox } from './storage/ledger/inbox.ts'
import { createLedgerIssueMarks } from './storage/ledger/issue-marks.ts'
import { createLedgerIssueView } from './storage/ledger/issues.view.ts'
import { createLedgerIssueWorkflow } from './storage/ledger/issues.workflow.ts'
import { organizationOfIssue } from './storage/ledger/organization-of-issue.ts'
import { createTelemetryAttachmentView, forgetAttachments } from './storage/telemetry/attachments.view.ts'
import { createTelemetryEventView } from './storage/telemetry/events.view.ts'
import { createTelemetryReceiptView } from './storage/telemetry/receipts.view.ts'
import type { BlobStore } from './storage/blobs/blobs.store.ts'
import { VERSION } from './version.ts'

/** What `createHttpApp` asks about addresses that no route has. */
export const createResolve = ({ ledger }: { readonly ledger: Ledger }): ((path: string) => Promise<string | null>) =>
  createOldAddresses((issueId) => organizationOfIssue(ledger, issueId))

/** All routes of the API, slice by slice. */
export const createRoutes = (parts: {
  readonly accounts: Accounts
  readonly ledger: Ledger
  readonly telemetry: Telemetry
  readonly blobs: BlobStore
  readonly live: Live
  readonly status: Status
  readonly counts: CountMemory
  readonly clock: Clock
  /** Whether there is a mail server to send by. */
  readonly canSendEmail: boolean
  readonly submit: (submission: Submission) => Promise<void>
}): Route[] => {
  const { accounts, clock, ledger, live, status } = parts
  const { client } = parts.telemetry
  const events = createTelemetryEventView({ client })
  const issues = createIssueServices({
    issues: createLedgerIssueView({ ledger }),
    events: {
      ...events,
      countIssues: parts.counts.remembering(events),
      matchingIssues: parts.counts.matching(events),
    },
    attachments: createTelemetryAttachmentView({ client, blobs: parts.blobs }),
    receipts: createTelemetryReceiptView({ client }),
    workflow: createLedgerIssueWorkflow({ ledger }),
    marks: createLedgerIssueMarks({ ledger }),
    settings: accounts.lookup,
    clock,
    changed: (change) => live.publish(change),
  })
  const inboxParts: InboxParts = {
    inbox: createLedgerInbox({ ledger }),
    clock,
    resolveProjects: (organizationId, references) => accounts.projects.resolve(organizationId, references),
    findAssignee: (organizationId, { type, id }) =>
      issues.workflow.assignee(
        organizationId,
        type === 'user' ? { kind: 'user', id } : { kind: 'team', reference: String(id) },
      ),
    changed: (organizationId) => live.publishFeedback({ organizationId, projectId: null, at: clock.now() }),
  }
  return [
    ...createAccountRoutes({ accounts, clock, version: VERSION }),
    ...createRoutesOfIssues(issues),
    ...createFeedbackRoutes({
      ...inboxParts,
      forget: (reports) => forgetAttachments(client, reports),
    }),
    ...createReportRoutes({
      ...inboxParts,
      threads: createLedgerThreads({ ledger }),
      attachments: issues.attachments,
      settings: accounts.lookup,
      canSendEmail: parts.canSendEmail,
      findIssue: (organizationId, reference) => issues.issues.find(organizationId, reference),
      submit: parts.submit,
      awaitIssue: createAwaitIssue({ issues: issues.issues }),
    }),
    ...createFeedbackSettingsRoutes({ accounts, canSendEmail: parts.canSendEmail }),
    ...createUserFeedbackRoutes({ ...inboxParts, submit: parts.submit }),
    ...createLiveRoutes({
      live,
      resolveProjects: (organizationId, references) => accounts.projects.resolve(organizationId, references),
    }),
    bind(getServerStatus, async () => ({ body: await status() })),
  ]
}
