import { z } from './zod.ts'
import { endpoint } from './endpoint.ts'
import { issue } from './issues.ts'

/** Issues that may be the same problem. */

export const similarIssue = z.object({
  issue,
  /** How alike they are, in hundredths; and in what. Null where neither has any. */
  percent: z.number(),
  frames: z.number().nullable(),
  type: z.number().nullable(),
  message: z.number().nullable(),
  /** Functions of the application that both have, from the crash outwards; and those that only one of them has. */
  shared: z.array(z.string()),
  onlyHere: z.array(z.string()),
  onlyThere: z.array(z.string()),
  /** Somebody took the two apart after they had been merged. */
  isTakenApart: z.boolean(),
})
export type SimilarIssue = z.output<typeof similarIssue>

export const listSimilarIssues = endpoint({
  method: 'GET',
  path: '/organizations/{org}/issues/{issue}/similar-issues/',
  ok: z.array(similarIssue),
  summary: 'Issues of the same project that are like this one, and in what; those most alike first',
  scope: 'event:read',
})

export const listSimilarScores = endpoint({
  method: 'GET',
  path: '/organizations/{org}/issues/{issue}/similar/',
  /** An issue and its scores from 0 to 1 by feature; null where neither has any. */
  ok: z.array(z.tuple([issue, z.record(z.string(), z.number().nullable())])),
  summary: 'The same in the shape of Sentry’s API',
  scope: 'event:read',
})
