import { z } from './zod.ts'
import { date, id } from './common.ts'
import { endpoint } from './endpoint.ts'

/** What the server is doing, for the console's banner and for operators. */
export const serverStatus = z.object({
  version: z.string(),
  startedAt: date,
  /** `degraded`: works, with the problems named, which concern whoever asks; `refusing`: new events are answered 503. */
  status: z.enum(['ok', 'degraded', 'refusing']),
  /** Each with what happened, why it matters and what to do, and since when it is known. */
  problems: z.array(z.object({ id: z.string(), message: z.string(), since: date })),
  spool: z.object({ backlogBytes: z.number(), backlogRecords: z.number().nullable(), oldestAt: date.nullable() }),
  digest: z.object({ state: z.enum(['running', 'behind', 'stopped']), lagMs: z.number().nullable() }),
  disk: z.object({ freeBytes: z.number(), totalBytes: z.number(), reserveBytes: z.number() }).nullable(),
  stores: z.object({ ledger: z.string(), telemetry: z.string(), blobs: z.string() }),
})
export type ServerStatus = z.output<typeof serverStatus>

export const getServerStatus = endpoint({
  method: 'GET',
  path: '/organizations/{org}/status/',
  ok: serverStatus,
  summary: 'Is everything being received, kept and digested?',
  scope: 'org:read',
})

export const liveFact = z.object({
  projectId: id,
  issueIds: z.array(id),
  /** Those of `issueIds` that are new. */
  opened: z.array(id),
  at: date,
})
export type LiveFact = z.output<typeof liveFact>

export const streamLive = endpoint({
  method: 'GET',
  path: '/organizations/{org}/live/',
  query: z.object({ project: z.array(z.string().max(64)).max(100).optional() }),
  ok: liveFact,
  summary:
    'Live updates as server-sent events named `issues`, `feedback` and `replays`; comments keep the connection alive',
  scope: 'event:read',
  stream: true,
})
