import { z } from './zod.ts'
import { date, id } from './common.ts'
import { endpoint } from './endpoint.ts'

export const backfill = z.object({
  projectId: id,
  /** Types that belong together in an envelope are read together; the one that leads the others first. */
  itemTypes: z.array(z.string()),
  items: z.number(),
  /** Of `items`, how many were read. */
  ended: z.number(),
  /** `waiting`: a store does not answer, it goes on by itself. `failed`: the next start of the server goes on with it. */
  state: z.enum(['queued', 'running', 'waiting', 'done', 'failed']),
  /** Since when it is in this state. */
  since: date,
})
export type Backfill = z.output<typeof backfill>

export const listBackfills = endpoint({
  method: 'GET',
  path: '/organizations/{org}/backfills/',
  ok: z.array(backfill),
  summary: 'Items that were received before this server could read them: how far they are read',
  scope: 'org:read',
})
