import {
  createIssueTicket,
  createReportTicket,
  linkIssueTicket,
  linkReportTicket,
  listIssueTickets,
  listReportTickets,
  listTrackers,
  previewIssueTicket,
  previewReportTicket,
  type Ticket,
} from '@firsthand/contract'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { trackersKey } from './query-keys.ts'

/** What tickets belong to. */
export interface TicketSubject {
  readonly kind: 'issue' | 'report'
  readonly id: string
}

/** Connected issue trackers. */
export const trackersQuery = (org: string) =>
  queryOptions({
    queryKey: [...trackersKey(org), 'list'],
    queryFn: ({ signal }) => api.call(listTrackers, { params: { org }, signal }),
  })

export const ticketsQuery = (org: string, { kind, id }: TicketSubject) =>
  queryOptions({
    queryKey: [...trackersKey(org), 'tickets', kind, id],
    queryFn: ({ signal }) =>
      kind === 'issue'
        ? api.call(listIssueTickets, { params: { org, issue: id }, signal })
        : api.call(listReportTickets, { params: { org, feedback: id }, signal }),
  })

/** What the ticket would say. */
export const previewQuery = (org: string, { kind, id }: TicketSubject, tracker: string) =>
  queryOptions({
    queryKey: [...trackersKey(org), 'preview', kind, id, tracker],
    queryFn: ({ signal }) =>
      kind === 'issue'
        ? api.call(previewIssueTicket, { params: { org, issue: id }, query: { tracker }, signal })
        : api.call(previewReportTicket, { params: { org, feedback: id }, query: { tracker }, signal }),
    // While somebody reads it, it stays as it is.
    staleTime: Infinity,
    gcTime: 0,
  })

interface Written {
  readonly tracker: string
  readonly title?: string
  readonly note: string
}

export const createTicket = (org: string, { kind, id }: TicketSubject, body: Written): Promise<Ticket> =>
  kind === 'issue'
    ? api.call(createIssueTicket, { params: { org, issue: id }, body })
    : api.call(createReportTicket, { params: { org, feedback: id }, body })

export const linkTicket = (org: string, { kind, id }: TicketSubject, url: string): Promise<Ticket> =>
  kind === 'issue'
    ? api.call(linkIssueTicket, { params: { org, issue: id }, body: { url } })
    : api.call(linkReportTicket, { params: { org, feedback: id }, body: { url } })
