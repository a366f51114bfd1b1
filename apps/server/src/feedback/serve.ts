import type { Served, ServerParts } from '../capability.ts'
import type { ItemAnswer } from '../ingest/index.ts'
import {
  COUNT_REPORTS,
  COUNT_WRITERS,
  createIssueReads,
  readErrorsOfTraces,
  RANK_WRITERS,
  readSurroundings,
  REPORT_OF_EVENT,
  type IssueWorkflow,
} from '../issues/index.ts'
import { createOccasion, type Occasion } from '../lib/occasion.ts'
import { answering } from '../lib/questions.ts'
import { quietMsOf } from '../storage/ledger/quiet.ts'
import { LIMITS } from './limits.ts'
import { createAwaitIssue } from './await-issue.ts'
import { createForgetDeleted, forgetRest } from './forget-deleted.ts'
import { createPersonalReports } from './erase-reports.ts'
import { createErrorPage } from './error-page.ts'
import { createFeedbackSettingsRoutes } from './feedback-settings.routes.ts'
import { createFeedbackRoutes } from './feedback.routes.ts'
import type { InboxParts } from './inbox-request.routes.ts'
import type { FeedbackReference } from './inbox.store.ts'
import { createOlderAddresses } from './older-addresses.ts'
import { createAwaitedEvents } from './ledger/awaited-events.ts'
import { createReportRetention } from './ledger/expiry.ts'
import { countReports, organizationOfReport, reportOf } from './ledger/reports-about.ts'
import { createLedgerInbox } from './ledger/inbox.ts'
import { createLedgerThreads, type Threads } from './ledger/threads.ts'
import { REPORT_ITEMS } from './report-items.ts'
import { createReportRoutes } from './report.routes.ts'
import { createReportAsIssueListRoutes } from './report-as-issue-lists.routes.ts'
import { createReportAsIssueRoutes, type ReportAsIssueParts } from './report-as-issue.routes.ts'
import { createReportIssueRoutes } from './reports-as-issues.routes.ts'
import { createReporterJob } from './reporter-mail.ts'
import { createTakeFromEvents } from './take-from-event.ts'
import { createLinkByTrace } from './link-by-trace.ts'
import { countWriters, rankWriters } from './ledger/writers.ts'
import { createUnrepaired } from './ledger/still-happens.ts'
import { createTracesOfReports } from './ledger/traces-of-reports.ts'
import { createLedgerUnsubscribes } from './ledger/unsubscribes.ts'
import { addressHash, UNSUBSCRIBE_PATH } from './unsubscribe.ts'
import { createUnsubscribePage } from './unsubscribe-page.ts'
import { THREAD_PATH, threadToken } from './thread-link.ts'
import { createThreadPage, createThreadPicture } from './thread-page.ts'
import { createUserFeedbackRoutes } from './user-feedback.routes.ts'
import { REPORT_FORMS } from './user-report-forms.ts'

export const serveFeedback = (parts: ServerParts): Served => {
  const { accounts, ask, client, clock, ledger, live, mailer, submit } = parts
  const { issues, attachments, workflow } = createIssueReads(parts)
  const threads = createLedgerThreads({ ledger })
  const canSendEmail = mailer !== null
  const tell = (organizationId: number, projectId: number | null): void =>
    live.publish({ topic: 'feedback', organizationId, projectId, at: clock.now() })
  const inboxParts: InboxParts = {
    inbox: createLedgerInbox({ ledger }),
    clock,
    resolveProjects: (organizationId, references) => accounts.projects.resolve(organizationId, references),
    findAssignee: (organizationId, { type, id }) =>
      workflow.assignee(
        organizationId,
        type === 'user' ? { kind: 'user', id } : { kind: 'team', reference: String(id) },
      ),
    changed: (organizationId) => tell(organizationId, null),
  }
  const forget = async (reports: readonly FeedbackReference[]): Promise<void> => {
    for (const [projectId, own] of Map.groupBy(reports, (report) => report.projectId)) {
      await forgetRest(client, {
        organizationId: own[0]?.organizationId ?? 0,
        projectId,
        eventIds: own.map(({ eventId }) => eventId),
        withFiles: own.flatMap(({ attachments: files, eventId }) => (files > 0 ? eventId : [])),
      })
    }
  }
  const asIssues: InboxParts & ReportAsIssueParts = {
    ...inboxParts,
    forget,
    findPerson: (organizationId, reference) => workflow.assignee(organizationId, reference),
  }
  return {
    routes: [
      ...createFeedbackRoutes({ ...inboxParts, forget }),
      ...createReportRoutes({
        ...inboxParts,
        ask,
        threads,
        attachments,
        settings: accounts.lookup,
        canSendEmail,
        findIssue: (organizationId, reference) => issues.find(organizationId, reference),
        submit,
        awaitIssue: createAwaitIssue({ issues }),
      }),
      ...createFeedbackSettingsRoutes({ accounts, canSendEmail }),
      ...createUserFeedbackRoutes({ ...inboxParts, submit }),
      ...createReportIssueRoutes(asIssues),
      ...createReportAsIssueRoutes(asIssues),
      ...createReportAsIssueListRoutes(asIssues),
    ],
    pages: [
      {
        methods: ['GET', 'POST'],
        path: `${THREAD_PATH}:token`,
        handle: createThreadPage({
          threads,
          attachments,
          clock,
          answered: ({ organizationId, projectId }) => tell(organizationId, projectId),
          stillHappens: createStillHappens(parts, workflow),
        }),
      },
      {
        methods: ['GET', 'POST'],
        path: `${UNSUBSCRIBE_PATH}:token`,
        handle: createUnsubscribePage({ unsubscribes: createLedgerUnsubscribes({ ledger }), clock }),
      },
      {
        methods: ['GET'],
        path: `${THREAD_PATH}:token/:picture`,
        handle: createThreadPicture({ threads, attachments }),
      },
      { methods: ['GET'], path: '/api/embed/error-page', handle: createErrorPage({ lookup: accounts.lookup }) },
    ],
    jobs: [...createJobs(parts, threads, tell), createForgetDeleted(parts)],
    retention: createReportRetention(parts),
    personal: [createPersonalReports({ ...parts, inbox: inboxParts.inbox })],
    hear: { [REPORT_ITEMS]: ({ organizationId, projectId }) => tell(organizationId, projectId) },
    knows: [
      answering(COUNT_REPORTS, countReports(ledger)),
      answering(COUNT_WRITERS, countWriters(ledger)),
      answering(RANK_WRITERS, rankWriters(ledger)),
      answering(REPORT_OF_EVENT, reportOf(ledger)),
    ],
    resolve: createOlderAddresses((reference) => organizationOfReport(ledger, reference)),
    forms: REPORT_FORMS,
    answers: { feedback: threadAnswer(parts) },
  }
}

/** Somebody was told that something is repaired, and says that it is not. */
const createStillHappens = (
  { clock, ledger, live }: Pick<ServerParts, 'clock' | 'ledger' | 'live'>,
  workflow: Pick<IssueWorkflow, 'change'>,
): ((token: string) => Promise<void>) => {
  const unrepaired = createUnrepaired(ledger)
  return async (token) => {
    const found = await unrepaired(token)
    if (found === null) return
    const { feedbackId, issueId, organizationId, projectId } = found
    const now = clock.now()
    const because = { reason: 'still_happens', report: String(feedbackId) }
    await workflow.change({
      organizationId,
      userId: null,
      now,
      ids: [issueId],
      status: { kind: 'unresolved', substatus: 'regressed', because },
    })
    const data = { issueIds: [String(issueId)], opened: [] }
    live.publish({ topic: 'issues', organizationId, projectId, at: now, data })
  }
}

/** What is done again and again, after something happened to reports or issues. */
const createJobs = (
  { client, clock, keyFor, ledger, live, logger, mailer, url: publicUrl }: ServerParts,
  threads: Threads,
  tell: (organizationId: number, projectId: number | null) => void,
): NonNullable<Served['jobs']> => {
  const made = (): Occasion => {
    const occasion = createOccasion({ clock, quietMs: quietMsOf(ledger) })
    live.hear(({ topic }) => {
      if (topic === 'issues' || topic === 'feedback') occasion.wake()
    })
    return occasion
  }
  const [answers, events, errors] = [made(), made(), made()]
  const addressKey = keyFor('addresses of reporters')
  const reporters = createReporterJob({
    threads,
    mailer,
    publicUrl,
    clock,
    logger,
    occasion: answers,
    addressHash: (organizationId, address) => addressHash(addressKey, organizationId, address),
  })
  const takeFromEvents = createTakeFromEvents({
    awaited: createAwaitedEvents({ ledger }),
    surroundings: (place) => readSurroundings(client, place),
    occasion: events,
    changed: (organizationId) => tell(organizationId, null),
  })
  const linkByTrace = createLinkByTrace({
    traced: createTracesOfReports({ ledger }),
    errors: (asked) => readErrorsOfTraces(client, { ...asked, limit: LIMITS.FEEDBACK_TRACE_ERRORS }),
    occasion: errors,
    changed: (organizationId) => tell(organizationId, null),
  })
  const everyMs = LIMITS.FEEDBACK_MAIL_INTERVAL_MS
  return [
    { name: 'answers to reporters', everyMs, isDue: answers.isDue, run: () => reporters.run() },
    { name: 'events of reports', everyMs, isDue: events.isDue, run: () => takeFromEvents.run() },
    { name: 'errors of the traces of reports', everyMs, isDue: errors.isDue, run: () => linkByTrace.run() },
  ]
}

/** The address of the private page on which the sender of a report will find the answer. */
const threadAnswer = ({ addressing, keyFor }: Pick<ServerParts, 'addressing' | 'keyFor'>): ItemAnswer => {
  const key = keyFor('threads')
  return ({ request, key: { projectId, settings }, eventId, payload }) => {
    if (!settings.feedback.reply.page) return {}
    const header = (name: string) => {
      const value = request.headers[name]
      return typeof value === 'string' ? value : undefined
    }
    const { publicUrl } = addressing.resolve({ remoteAddress: request.socket.remoteAddress ?? null, header })
    return { thread_url: `${publicUrl}${THREAD_PATH}${threadToken(key, { projectId, eventId, payload })}` }
  }
}
