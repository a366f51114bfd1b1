import { z } from './zod.ts'
import { date, id, projectFilter, statsPeriod, timeRange } from './common.ts'
import { endpoint } from './endpoint.ts'

export const OUTCOMES = [
  'accepted',
  'filtered',
  'rate_limited',
  'invalid',
  'duplicate',
  'client_discard',
  'abuse',
] as const

export const receipt = z.object({
  /** Start of the interval. */
  timestamp: date,
  projectId: id,
  /** `name/version`; '' when the SDK did not say. */
  sdk: z.string(),
  itemType: z.string(),
  category: z.string(),
  outcome: z.enum(OUTCOMES),
  /** '' only for `accepted`; the words are listed in docs/spec.md. */
  reason: z.string(),
  quantity: z.number(),
  bytes: z.number(),
})
export type Receipt = z.output<typeof receipt>

export const listReceipts = endpoint({
  method: 'GET',
  path: '/organizations/{org}/receipts/',
  query: z.object({
    ...projectFilter,
    ...timeRange,
    interval: statsPeriod.optional(),
    outcome: z.array(z.enum(OUTCOMES)).max(OUTCOMES.length).optional(),
    itemType: z.array(z.string().max(64)).max(40).optional(),
    sdk: z.array(z.string().max(200)).max(40).optional(),
  }),
  ok: z.object({
    start: date,
    end: date,
    intervalSeconds: z.number(),
    rows: z.array(receipt),
    /** Summed over time, largest first. */
    totals: z.array(receipt.omit({ timestamp: true }).extend({ firstSeen: date, lastSeen: date })),
    /** True when there were more rows than are shown; `totals` is complete all the same. */
    truncated: z.boolean(),
  }),
  summary: 'What became of everything that was sent: items by SDK, type, outcome and reason',
  scope: 'project:read',
})
