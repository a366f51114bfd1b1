import { z } from './zod.ts'
import { date, displayName, empty, id, paging, slug } from './common.ts'
import { endpoint } from './endpoint.ts'

/** The status page of an organisation: what it shows, and what people say on it. */

const component = z.object({
  name: displayName,
  source: z.enum(['monitor', 'uptime']),
  /** Id of the monitor or check. */
  id: z.string().max(64),
})

const pageFields = {
  /** In its address: `/status/<slug>`. */
  slug,
  title: displayName,
  isOn: z.boolean(),
  /** To everybody; otherwise to those who have its link. */
  isPublic: z.boolean(),
  components: z.array(component).max(50),
}

const statusPage = z.object({
  ...pageFields,
  /** Address of the page, with the token of a private one; null before it was made. */
  link: z.string().nullable(),
})
export type StatusPage = z.output<typeof statusPage>

export const getStatusPage = endpoint({
  method: 'GET',
  path: '/organizations/{org}/status-page/',
  ok: statusPage,
  summary: 'The status page of the organisation, with its link',
  scope: 'event:read',
})

export const updateStatusPage = endpoint({
  method: 'PUT',
  path: '/organizations/{org}/status-page/',
  body: z.object({ ...pageFields, renewLink: z.boolean().optional() }),
  ok: statusPage,
  summary: 'Make or change the status page; `renewLink` ends older private links',
  scope: 'org:write',
})

export const STATUS_OF_INCIDENT = ['investigating', 'identified', 'monitoring', 'resolved'] as const
export const STATUS_OF_MAINTENANCE = ['scheduled', 'in_progress', 'verifying', 'completed'] as const
const incidentStatus = z.enum([...STATUS_OF_INCIDENT, ...STATUS_OF_MAINTENANCE])
const impact = z.enum(['none', 'minor', 'major', 'critical'])
const text = z.string().trim().min(1).max(4000)
const title = z.string().trim().min(1).max(200)
const names = z.array(displayName).max(50)

const statusIncident = z.object({
  id,
  kind: z.enum(['incident', 'maintenance']),
  title: z.string(),
  impact,
  status: z.string(),
  components: z.array(z.string()),
  startsAt: date,
  endsAt: date.nullable(),
  /** Nobody outside reads what is not. */
  isPublished: z.boolean(),
  phase: z.enum(['ahead', 'now', 'over']),
  /** The newest first; a list has the newest ones alone. */
  updates: z.array(z.object({ status: z.string(), text: z.string(), at: date })),
  /** How many there are, also those that are not here. */
  updateCount: z.number(),
})
export type StatusIncident = z.output<typeof statusIncident>

export const listStatusIncidents = endpoint({
  method: 'GET',
  path: '/organizations/{org}/status-incidents/',
  query: z.object(paging),
  ok: z.array(statusIncident),
  summary:
    'What was said on the status page, and drafts, with their newest updates: what goes on, then what is announced, then what is over, each the newest first, 25 to a page',
  scope: 'event:read',
})

export const createStatusIncident = endpoint({
  method: 'POST',
  path: '/organizations/{org}/status-incidents/',
  body: z.object({
    kind: z.enum(['incident', 'maintenance']),
    title,
    impact: impact.default('minor'),
    status: incidentStatus.optional(),
    text,
    components: names.default([]),
    startsAt: date.optional(),
    endsAt: date.nullish(),
    isPublished: z.boolean().default(false),
  }),
  ok: statusIncident,
  summary: 'Say that something went wrong, or announce work (201); a draft until it is published',
  scope: 'event:write',
})

export const updateStatusIncident = endpoint({
  method: 'PUT',
  path: '/organizations/{org}/status-incidents/{incident}/',
  body: z.object({
    title: title.optional(),
    impact: impact.optional(),
    components: names.optional(),
    startsAt: date.optional(),
    endsAt: date.nullish(),
    isPublished: z.boolean().optional(),
  }),
  ok: statusIncident,
  summary: 'Change or publish what was said; what is left out stays',
  scope: 'event:write',
})

export const addStatusUpdate = endpoint({
  method: 'POST',
  path: '/organizations/{org}/status-incidents/{incident}/updates/',
  body: z.object({ status: incidentStatus, text }),
  ok: statusIncident,
  summary: 'Say how it goes on (201)',
  scope: 'event:write',
})

export const deleteStatusIncident = endpoint({
  method: 'DELETE',
  path: '/organizations/{org}/status-incidents/{incident}/',
  ok: empty,
  summary: 'Take what was said off the page, for good',
  scope: 'event:write',
})
