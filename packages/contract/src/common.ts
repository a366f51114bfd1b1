import { z } from './zod.ts'

/** Building blocks of requests and answers. Requests are strict about values, answers lenient about unknown keys. */

/** RFC 3339 with milliseconds, UTC. */
export const date = z.string().meta({ format: 'date-time' })

/** Ids are strings in JSON, though they are numbers inside. */
export const id = z.string()

export const slug = z
  .string()
  .min(1)
  .max(50)
  .regex(
    /^(?![0-9]+$)[a-z0-9][a-z0-9_-]*$/,
    'Use lower-case letters, digits, hyphens and underscores, and not digits alone.',
  )

export const personName = z.string().trim().max(128)
export const displayName = z.string().trim().min(1).max(128)
export const email = z.string().trim().toLowerCase().pipe(z.email('Write an e-mail address.').max(254))
/** The rules for passwords are the server's (length, common words); this only bounds the request. */
export const password = z.string().min(1).max(1024)
export const platform = z
  .string()
  .max(64)
  .regex(/^[a-z0-9-]*$/, 'A platform is written like javascript-react.')

/** An answer without a body (204). */
export const empty = z.null()

export const number = () => z.coerce.number<string | number>()
/** A yes-or-no query parameter: `1`, `true`, `yes`, `on` and their opposites. */
export const flag = () => z.union([z.boolean(), z.stringbool()])

/** `<offset or value>:<page>:<is previous>`; opaque to clients. */
export const cursor = z.string().max(200).optional()

export const PAGE_LIMIT_MAX = 100

/** Rows per page. Whoever asks for more than a page holds (Grafana asks for 10,000) gets a full page, as from Sentry. */
export const pageLimit = number()
  .pipe(z.int().min(1))
  .transform((rows) => Math.min(rows, PAGE_LIMIT_MAX))

export const paging = {
  cursor,
  limit: pageLimit.optional(),
}

/** `24h`, `14d`, `30m`, `2w`; Sentry's relative period. */
export const statsPeriod = z
  .string()
  .max(12)
  .regex(/^\d{1,5}[smhdw]$/, 'A period is a number and one of s, m, h, d, w: 24h, 14d.')

/** The time range of most reads: a relative period, or start and end (ISO, UTC when no zone is given, or seconds since 1970). */
export const timeRange = {
  statsPeriod: statsPeriod.optional(),
  start: z.string().max(40).optional(),
  end: z.string().max(40).optional(),
}

/** Rows of a list that is saved as a file. */
export const EXPORT_ROWS_MAX = 50_000

/** All pages of a list as a file that somebody saves. */
export const fileFormat = z.enum(['csv', 'json']).optional()
export type FileFormat = NonNullable<z.output<typeof fileFormat>>

/** Numeric ids or slugs; absent (or `-1`) means every project the caller may see. */
export const projectFilter = { project: z.array(z.string().max(64)).max(100).optional() }
export const environmentFilter = { environment: z.array(z.string().max(64)).max(100).optional() }

/** Which rows a question about telemetry is of. */
export const scopeQuery = { ...projectFilter, ...environmentFilter, ...timeRange }

/** `[seconds since the epoch, count]` pairs, oldest first. */
export const series = z.array(z.tuple([z.number(), z.number()]))

/** Nobody has a picture here: clients draw the first letters of the name. */
export const avatar = z.object({ avatarType: z.string(), avatarUuid: z.null() })
