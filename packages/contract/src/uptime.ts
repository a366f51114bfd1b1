import { z } from './zod.ts'
import { date, displayName, empty, id, number, paging, projectFilter } from './common.ts'
import { endpoint } from './endpoint.ts'

/** Uptime: addresses that the server asks by itself, with Sentry's names where it has them. */

const uptimeMethod = z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** What is asked, and what the answer has to be. */
const askedFields = {
  url: z.string().trim().min(1).max(2000),
  method: uptimeMethod,
  /** Values are written and never shown again: null in what is answered, and for one that stays as it is. */
  headers: z
    .array(z.tuple([z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/), z.string().max(1000).nullable()]))
    .max(20),
  /** It may hold secrets: it is written and never shown again; null for one that stays as it is. */
  body: z.string().max(1024).nullable(),
  timeoutMs: number().pipe(z.int().min(1000).max(60_000)),
  /** `200-299, 401`. */
  statuses: z.string().trim().min(3).max(100),
  textPresent: z.string().max(300),
  textAbsent: z.string().max(300),
  /** `status.database`, `items[0].id`; '' for none. */
  jsonPath: z.string().trim().max(300),
  jsonValue: z.string().max(300),
  /** Slower is a failure; null for any. */
  latencyMs: number().pipe(z.int().min(1).max(60_000)).nullable(),
}

export const UPTIME_INTERVALS = [60, 300, 600, 1200, 1800, 3600] as const
const intervalSeconds = z.literal([...UPTIME_INTERVALS])

const { body: _body, ...shownFields } = askedFields

const uptimeCheck = z.object({
  id: z.string(),
  name: z.string(),
  project: z.object({ id, slug: z.string(), name: z.string(), platform: z.string() }),
  projectSlug: z.string(),
  environment: z.string(),
  status: z.enum(['active', 'disabled']),
  isMuted: z.boolean(),
  /** `active` before its first result. */
  uptimeStatus: z.enum(['active', 'up', 'down']),
  ...shownFields,
  /** A body is sent to it. */
  hasBody: z.boolean(),
  intervalSeconds: z.number(),
  downtimeThreshold: z.number(),
  recoveryThreshold: z.number(),
  dateCreated: date,
  lastChecked: date.nullable(),
  nextCheck: date.nullable(),
  /** Since when it is down. */
  downSince: date.nullable(),
  /** What was wrong last, in a sentence; null while all is well. */
  lastFailure: z.string().nullable(),
  /** Milliseconds that the middle of its last good answers took. */
  typicalMs: z.number().nullable(),
  certificateEndsAt: date.nullable(),
})
export type UptimeCheck = z.output<typeof uptimeCheck>

const changeFields = {
  name: displayName.optional(),
  environment: z.string().trim().min(1).max(64).optional(),
  status: z.enum(['active', 'disabled']).optional(),
  isMuted: z.boolean().optional(),
  intervalSeconds: intervalSeconds.optional(),
  downtimeThreshold: number().pipe(z.int().min(1).max(100)).optional(),
  recoveryThreshold: number().pipe(z.int().min(1).max(100)).optional(),
  url: askedFields.url.optional(),
  method: askedFields.method.optional(),
  headers: askedFields.headers.optional(),
  body: askedFields.body.optional(),
  timeoutMs: askedFields.timeoutMs.optional(),
  statuses: askedFields.statuses.optional(),
  textPresent: askedFields.textPresent.optional(),
  textAbsent: askedFields.textAbsent.optional(),
  jsonPath: askedFields.jsonPath.optional(),
  jsonValue: askedFields.jsonValue.optional(),
  latencyMs: askedFields.latencyMs.optional(),
}

export const listUptimeChecks = endpoint({
  method: 'GET',
  path: '/organizations/{org}/uptime/',
  query: z.object({ ...projectFilter, ...paging }),
  ok: z.array(uptimeCheck),
  summary: 'Addresses that the server asks, by name',
  scope: 'event:read',
})

export const createUptimeCheck = endpoint({
  method: 'POST',
  path: '/organizations/{org}/uptime/',
  body: z.object({ ...changeFields, project: z.string().max(64), url: askedFields.url }),
  ok: uptimeCheck,
  summary: 'Ask another address (201); one inside of a network is refused',
  scope: 'event:write',
})

export const getUptimeCheck = endpoint({
  method: 'GET',
  path: '/organizations/{org}/uptime/{check}/',
  ok: uptimeCheck,
  summary: 'One address that is asked',
  scope: 'event:read',
})

export const updateUptimeCheck = endpoint({
  method: 'PUT',
  path: '/organizations/{org}/uptime/{check}/',
  body: z.object(changeFields),
  ok: uptimeCheck,
  summary: 'Change what is asked, mute it or switch it off; what is left out stays',
  scope: 'event:write',
})

export const deleteUptimeCheck = endpoint({
  method: 'DELETE',
  path: '/organizations/{org}/uptime/{check}/',
  ok: empty,
  summary: 'Ask it no more, which can be undone for half an hour (202)',
  scope: 'event:write',
})

export const restoreUptimeCheck = endpoint({
  method: 'POST',
  path: '/organizations/{org}/uptime/{check}/restore/',
  ok: uptimeCheck,
  summary: 'Ask again what was deleted a moment ago',
  scope: 'event:write',
})

const uptimeResult = z.object({
  id,
  at: date,
  result: z.enum(['up', 'down', 'unknown']),
  /** `dns connect tls timeout redirects blocked status text json latency`; null while all is well. */
  failure: z.string().nullable(),
  reason: z.string().nullable(),
  httpStatus: z.number().nullable(),
  /** Milliseconds since the beginning; null for what did not happen. */
  dnsMs: z.number().nullable(),
  connectMs: z.number().nullable(),
  tlsMs: z.number().nullable(),
  firstByteMs: z.number().nullable(),
  totalMs: z.number().nullable(),
})
export type UptimeResult = z.output<typeof uptimeResult>

export const listUptimeResults = endpoint({
  method: 'GET',
  path: '/organizations/{org}/uptime/{check}/checks/',
  query: z.object(paging),
  ok: z.array(uptimeResult),
  summary: 'What an address answered, newest first',
  scope: 'event:read',
})

const uptimeCell = z.object({
  at: z.number(),
  up: z.number(),
  down: z.number(),
  unknown: z.number(),
  longest: z.number().nullable(),
})
export type UptimeCell = z.output<typeof uptimeCell>

export const getUptimeTimelines = endpoint({
  method: 'GET',
  path: '/organizations/{org}/uptime-timelines/',
  query: z.object({
    check: z.array(z.string().max(64)).max(100),
    hours: number()
      .pipe(
        z
          .int()
          .min(1)
          .max(24 * 30),
      )
      .default(24),
    parts: number().pipe(z.int().min(10).max(200)).default(120),
  }),
  ok: z.object({
    start: date,
    end: date,
    parts: z.number(),
    lines: z.array(z.object({ check: z.string(), cells: z.array(uptimeCell) })),
  }),
  summary: 'Time lines of addresses: parts in which they were asked',
  scope: 'event:read',
})

export const tryUptimeCheck = endpoint({
  method: 'POST',
  path: '/organizations/{org}/uptime-trial/',
  body: z.object({
    ...changeFields,
    url: askedFields.url,
    /** Of which header values and the body are taken that stay as they are. */
    check: z.string().max(64).optional(),
  }),
  ok: z.object({
    failure: z.string().nullable(),
    reason: z.string().nullable(),
    httpStatus: z.number().nullable(),
    totalMs: z.number().nullable(),
  }),
  summary: 'Ask an address once, now, and say what would be wrong; nothing is kept',
  scope: 'event:write',
})
