import { z } from './zod.ts'
import { date, id, paging } from './common.ts'
import { endpoint } from './endpoint.ts'

/** Files that came with an event, in Sentry's shape. */
export const eventAttachment = z.object({
  id,
  event_id: z.string(),
  /** `event.attachment`, `event.minidump`, `event.view_hierarchy`, …: what the SDK says it is. */
  type: z.string(),
  name: z.string(),
  mimetype: z.string(),
  dateCreated: date,
  /** Bytes. */
  size: z.number(),
  headers: z.record(z.string(), z.string()),
  /** Empty (clients insist on a text): contents are known by their SHA-256. */
  sha1: z.string(),
})
export type EventAttachment = z.output<typeof eventAttachment>

export const listEventAttachments = endpoint({
  method: 'GET',
  path: '/projects/{org}/{project}/events/{event}/attachments/',
  query: z.object({ ...paging }),
  ok: z.array(eventAttachment),
  summary: 'Files that came with an event',
  scope: 'event:read',
})

export const getEventAttachment = endpoint({
  method: 'GET',
  path: '/projects/{org}/{project}/events/{event}/attachments/{attachment}/',
  /** With `download` (whatever its value), the answer is the file itself instead of its description. */
  query: z.object({ download: z.string().max(8).optional() }),
  ok: eventAttachment,
  summary: 'One file of an event; with ?download=1 its bytes, to be saved and never shown as a page',
  scope: 'event:read',
})
