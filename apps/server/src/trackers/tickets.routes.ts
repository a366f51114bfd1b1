import {
  createIssueTicket,
  createReportTicket,
  linkIssueTicket,
  linkReportTicket,
  listExternalIssues,
  listIssueIntegrations,
  listIssueTickets,
  listReportTickets,
  previewIssueTicket,
  previewReportTicket,
} from '@firsthand/contract'
import type { FeedbackRecord } from '../feedback/index.ts'
import { bind, notFound, type Route } from '../http/index.ts'
import type { IssueView } from '../issues/index.ts'
import type { Gather } from './evidence/gather.ts'
import { draftOfReport } from './evidence/of-report.ts'
import { areThere, externalIssueJson, integrationJson } from './sentry-json.ts'
import type { About, TicketDesk, TicketRequest } from './ticket-desk.ts'
import { ticketJson } from './tracker-json.ts'

/** Tickets of issues. */
export const createIssueTicketRoutes = ({
  desk,
  issues,
  gather,
}: {
  readonly desk: TicketDesk
  readonly issues: Pick<IssueView, 'find' | 'records'>
  readonly gather: Gather
}): Route[] => {
  const about = async ({ organization }: TicketRequest, reference: string): Promise<About> => {
    const id = await issues.find(organization.id, reference)
    const [issue] = id === null ? [] : await issues.records(organization.id, [id])
    if (issue === undefined) throw notFound()
    return {
      subject: { kind: 'issue', id: issue.id, storedIds: issue.storedIds },
      draft: () => gather(organization, issue),
    }
  }
  return [
    bind(listIssueTickets, async ({ params, request }) => {
      const { subject } = await about(request, params.issue)
      return { body: (await desk.list(request.organization.id, subject)).map(ticketJson) }
    }),
    bind(previewIssueTicket, async ({ params, query, request }) => ({
      body: await desk.preview(request, await about(request, params.issue), query.tracker),
    })),
    bind(createIssueTicket, async ({ params, body, request }) => ({
      body: await desk.create(request, await about(request, params.issue), body),
      status: 201,
    })),
    bind(linkIssueTicket, async ({ params, body, request }) => ({
      body: await desk.link(request, await about(request, params.issue), body.url),
      status: 201,
    })),
    bind(listExternalIssues, async ({ params, request }) => {
      const { subject } = await about(request, params.issue)
      const tickets = await desk.list(request.organization.id, subject)
      return { body: areThere(tickets).map((ticket) => externalIssueJson(ticket, subject.id)) }
    }),
    bind(listIssueIntegrations, async ({ params, request }) => {
      const { subject } = await about(request, params.issue)
      const organizationId = request.organization.id
      const tickets = areThere(await desk.list(organizationId, subject))
      return { body: (await desk.trackers(organizationId)).map((tracker) => integrationJson(tracker, tickets)) }
    }),
  ]
}

/** Tickets of reports. */
export const createReportTicketRoutes = ({
  desk,
  findReport,
  publicUrl,
}: {
  readonly desk: TicketDesk
  /** By id or event id; null for those of other organisations. */
  readonly findReport: (organizationId: number, reference: string) => Promise<FeedbackRecord | null>
  readonly publicUrl: string
}): Route[] => {
  const about = async ({ organization }: TicketRequest, reference: string): Promise<About> => {
    const report = await findReport(organization.id, reference)
    if (report === null) throw notFound()
    const url = `${publicUrl}/organizations/${organization.slug}/feedback?report=${report.id}`
    return { subject: { kind: 'report', id: report.id }, draft: async () => draftOfReport(report, url) }
  }
  return [
    bind(listReportTickets, async ({ params, request }) => {
      const { subject } = await about(request, params.feedback)
      return { body: (await desk.list(request.organization.id, subject)).map(ticketJson) }
    }),
    bind(previewReportTicket, async ({ params, query, request }) => ({
      body: await desk.preview(request, await about(request, params.feedback), query.tracker),
    })),
    bind(createReportTicket, async ({ params, body, request }) => ({
      body: await desk.create(request, await about(request, params.feedback), body),
      status: 201,
    })),
    bind(linkReportTicket, async ({ params, body, request }) => ({
      body: await desk.link(request, await about(request, params.feedback), body.url),
      status: 201,
    })),
  ]
}
