import { getServerStatus } from '@firsthand/contract'
import { createAccountRoutes } from './accounts/accounts.routes.ts'
import type { Accounts } from './accounts/index.ts'
import { createFeedbackRoutes } from './feedback/feedback.routes.ts'
import { bind, createLiveRoutes } from './http/index.ts'
import type { Live, Route } from './http/index.ts'
import { createIssueServices, createOldAddresses } from './issues/index.ts'
import { createRoutesOfIssues } from './issues/slice.routes.ts'
import type { Clock } from './lib/clock.ts'
import type { Status } from './status.ts'
import type { Ledger, Telemetry } from './storage/index.ts'
import { createLedgerInbox } from './storage/ledger/inbox.ts'
import { createLedgerIssueMarks } from './storage/ledger/issue-marks.ts'
import { createLedgerIssueView } from './storage/ledger/issues.view.ts'
import { createLedgerIssueWorkflow } from './storage/ledger/issues.workflow.ts'
import { organizationOfIssue } from './storage/ledger/organization-of-issue.ts'
import { createTelemetryAttachmentView } from './storage/telemetry/attachments.view.ts'
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
  readonly clock: Clock
}): Route[] => {
  const { accounts, clock, ledger, live, status } = parts
  const { client } = parts.telemetry
  const issues = createIssueServices({
    issues: createLedgerIssueView({ ledger }),
    events: createTelemetryEventView({ client }),
    attachments: createTelemetryAttachmentView({ client, blobs: parts.blobs }),
    receipts: createTelemetryReceiptView({ client }),
    workflow: createLedgerIssueWorkflow({ ledger }),
    marks: createLedgerIssueMarks({ ledger }),
    settings: accounts.lookup,
    clock,
    changed: (change) => live.publish(change),
  })
  return [
    ...createAccountRoutes({ accounts, clock, version: VERSION }),
    ...createRoutesOfIssues(issues),
    ...createFeedbackRoutes({
      inbox: createLedgerInbox({ ledger }),
      clock,
      resolveProjects: (organizationId, references) => accounts.projects.resolve(organizationId, references),
    }),
    ...createLiveRoutes({
      live,
      resolveProjects: (organizationId, references) => accounts.projects.resolve(organizationId, references),
    }),
    bind(getServerStatus, async () => ({ body: await status() })),
  ]
}
