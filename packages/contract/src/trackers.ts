import { date, empty, id } from './common.ts'
import { endpoint } from './endpoint.ts'
import { TRACKER_FORMS, type TrackerKindName } from './tracker-forms.ts'
import { z } from './zod.ts'

/** Issue trackers of an organisation, and the tickets in them that belong to issues and reports. */

const kindNames = Object.keys(TRACKER_FORMS) as [TrackerKindName, ...TrackerKindName[]]
export const trackerKind = z.enum(kindNames)

const name = z.string().trim().min(1).max(80)
/** Checked by the form of the kind. */
const fields = z.record(z.string().max(40), z.unknown())
const user = z.object({ id, name: z.string(), email: z.string() })

export const tracker = z.object({
  id,
  kind: trackerKind,
  name: z.string(),
  settings: fields,
  /** Rises with each change; a change can name the version that it is of. */
  version: z.number(),
  /** Repository, project or team, as people write it. */
  target: z.string(),
  /** Where the tracker sends its webhooks. */
  webhookUrl: z.string(),
  /** Whether there is a secret by which webhooks are checked; without one they are refused. */
  hasWebhookSecret: z.boolean(),
  lastHeardAt: date.nullable(),
  lastError: z.string().nullable(),
  tickets: z.number(),
  createdAt: date,
  createdBy: user.nullable(),
})
export type Tracker = z.output<typeof tracker>

/** With the secret that the tracker signs its webhooks by, shown this once; null where the tracker makes it. */
const trackerWithSecret = tracker.extend({ webhookSecret: z.string().nullable() })
export type TrackerWithSecret = z.output<typeof trackerWithSecret>

const list = '/organizations/{org}/trackers/'
const one = '/organizations/{org}/trackers/{tracker}/'

export const listTrackers = endpoint({
  method: 'GET',
  path: list,
  ok: z.array(tracker),
  summary: 'Issue trackers of the organisation; no secrets',
  scope: 'org:read',
})

export const createTracker = endpoint({
  method: 'POST',
  path: list,
  body: z.object({ kind: trackerKind, name, settings: fields.default({}), secrets: fields.default({}) }),
  ok: trackerWithSecret,
  summary: 'Connect an issue tracker (201); its address is checked, its token is never shown again',
  scope: 'org:write',
})

export const getTracker = endpoint({
  method: 'GET',
  path: one,
  ok: tracker,
  summary: 'One issue tracker; no secrets',
  scope: 'org:read',
})

export const updateTracker = endpoint({
  method: 'PUT',
  path: one,
  body: z.object({
    name: name.optional(),
    settings: fields.optional(),
    /** Those that are left out stay as they are. */
    secrets: fields.optional(),
    /** Refused where somebody else changed it since (409). */
    version: z.int().min(1).optional(),
  }),
  ok: tracker,
  summary: 'Change the connection to an issue tracker',
  scope: 'org:write',
})

export const deleteTracker = endpoint({
  method: 'DELETE',
  path: one,
  ok: empty,
  summary: 'Disconnect an issue tracker; for a day it can be brought back. Its tickets stay as they are',
  scope: 'org:write',
})

export const restoreTracker = endpoint({
  method: 'POST',
  path: `${one}restore/`,
  ok: tracker,
  summary: 'Bring a disconnected issue tracker back, with its tickets',
  scope: 'org:write',
})

export const renewTrackerSecret = endpoint({
  method: 'POST',
  path: `${one}secret/`,
  ok: trackerWithSecret,
  summary: 'Make a new secret for webhooks; the one before is refused from now on',
  scope: 'org:write',
})

export const testTracker = endpoint({
  method: 'POST',
  path: `${one}test/`,
  ok: z.object({ isReached: z.boolean(), sentence: z.string() }),
  summary: 'Ask an issue tracker now whether tickets can be made there; nothing is changed',
  scope: 'org:write',
})
export type TrackerTest = z.output<(typeof testTracker)['ok']>

/** `creating`: not there yet; `failed`: it could not be made; `gone`: the tracker does not have it any more. */
export const TICKET_STATES = ['creating', 'failed', 'open', 'closed', 'gone'] as const

export const ticket = z.object({
  id,
  tracker: z.object({ id, kind: trackerKind, name: z.string() }),
  /** As people call it there: `#12`, `SHOP-12`; '' until it is there. */
  key: z.string(),
  /** Null until it is there. */
  url: z.string().nullable(),
  title: z.string(),
  state: z.enum(TICKET_STATES),
  /** What it shall become, where the tracker was not told yet. */
  wanted: z.enum(['open', 'closed']).nullable(),
  /** Why the tracker was not told, or does not have it. */
  error: z.string().nullable(),
  isLinked: z.boolean(),
  createdAt: date,
  createdBy: user.nullable(),
})
export type Ticket = z.output<typeof ticket>

/** A line, and what somebody wants to say above the evidence. */
const written = z.object({
  tracker: id,
  /** The title that the preview shows, where it is left out. */
  title: z.string().trim().min(1).max(200).optional(),
  note: z.string().trim().max(4000).optional(),
})
const preview = z.object({ title: z.string(), body: z.string() })
export type TicketPreview = z.output<typeof preview>
const address = z.object({ url: z.string().trim().min(1).max(1000) })

const ofIssue = '/organizations/{org}/issues/{issue}/tickets/'
const ofReport = '/organizations/{org}/feedback/{feedback}/tickets/'

export const listIssueTickets = endpoint({
  method: 'GET',
  path: ofIssue,
  ok: z.array(ticket),
  summary: 'Tickets of an issue in the issue trackers of the organisation',
  scope: 'event:read',
})

export const previewIssueTicket = endpoint({
  method: 'GET',
  path: `${ofIssue}preview/`,
  query: z.object({ tracker: id }),
  ok: preview,
  summary: 'Title and text of the ticket that would be made of an issue',
  scope: 'event:read',
})

export const createIssueTicket = endpoint({
  method: 'POST',
  path: ofIssue,
  body: written,
  ok: ticket,
  summary: 'Make a ticket of an issue with its evidence (201); once in each tracker: asked again, it is the same one',
  scope: 'event:write',
})

export const linkIssueTicket = endpoint({
  method: 'POST',
  path: `${ofIssue}link/`,
  body: address,
  ok: ticket,
  summary: 'Link a ticket that exists to an issue, by its address (201)',
  scope: 'event:write',
})

export const listReportTickets = endpoint({
  method: 'GET',
  path: ofReport,
  ok: z.array(ticket),
  summary: 'Tickets of a report in the issue trackers of the organisation',
  scope: 'event:read',
})

export const previewReportTicket = endpoint({
  method: 'GET',
  path: `${ofReport}preview/`,
  query: z.object({ tracker: id }),
  ok: preview,
  summary: 'Title and text of the ticket that would be made of a report',
  scope: 'event:read',
})

export const createReportTicket = endpoint({
  method: 'POST',
  path: ofReport,
  body: written,
  ok: ticket,
  summary: 'Make a ticket of a report with what is known of it (201); once in each tracker',
  scope: 'event:write',
})

export const linkReportTicket = endpoint({
  method: 'POST',
  path: `${ofReport}link/`,
  body: address,
  ok: ticket,
  summary: 'Link a ticket that exists to a report, by its address (201)',
  scope: 'event:write',
})

const oneTicket = '/organizations/{org}/tickets/{ticket}/'

export const unlinkTicket = endpoint({
  method: 'DELETE',
  path: oneTicket,
  ok: empty,
  summary: 'Take a ticket off its issue or report; the ticket itself stays as it is, and for a day it can be put back',
  scope: 'event:write',
})

export const restoreTicket = endpoint({
  method: 'POST',
  path: `${oneTicket}restore/`,
  ok: ticket,
  summary: 'Put a ticket back that was taken off its issue or report',
  scope: 'event:write',
})

export const checkTicket = endpoint({
  method: 'POST',
  path: `${oneTicket}check/`,
  ok: ticket,
  summary: 'Ask the tracker now how a ticket stands, or try again what failed',
  scope: 'event:write',
})

export const listExternalIssues = endpoint({
  method: 'GET',
  path: '/organizations/{org}/issues/{issue}/external-issues/',
  ok: z.array(z.object({ id, issueId: id, serviceType: z.string(), displayName: z.string(), webUrl: z.string() })),
  summary: 'Tickets of an issue in the shape of Sentry’s API',
  scope: 'event:read',
})

const issueIntegration = z.object({
  id,
  name: z.string(),
  icon: z.null(),
  domainName: z.string(),
  accountType: z.null(),
  scopes: z.null(),
  status: z.literal('active'),
  provider: z.object({
    key: z.string(),
    slug: z.string(),
    name: z.string(),
    canAdd: z.boolean(),
    canDisable: z.boolean(),
    features: z.array(z.string()),
    aspects: z.object({}),
  }),
  externalIssues: z.array(
    z.object({
      id,
      key: z.string(),
      url: z.string(),
      title: z.string(),
      description: z.null(),
      displayName: z.string(),
    }),
  ),
})
export type IssueIntegration = z.output<typeof issueIntegration>

export const listIssueIntegrations = endpoint({
  method: 'GET',
  path: '/organizations/{org}/issues/{issue}/integrations/',
  ok: z.array(issueIntegration),
  summary: 'Issue trackers with the tickets of an issue in each, in the shape of Sentry’s API',
  scope: 'event:read',
})
