import { z } from './zod.ts'
import { cursor, date, fileFormat, id, number, pageLimit, projectFilter, scopeQuery, timeRange } from './common.ts'
import { endpoint } from './endpoint.ts'

/** Profiles: which functions the time went to. */

const milliseconds = z.number()

export const profileSummary = z.object({
  /** Of the profile, or of the chunk of a continuous one. */
  id: z.string(),
  /** Of the profiler whose chunk it is; '' for the profile of one transaction. */
  profilerId: z.string(),
  projectId: id,
  projectSlug: z.string(),
  /** '' when it is not known, as for chunks. */
  transaction: z.string(),
  traceId: z.string(),
  /** Of its transaction; '' when it is not known. */
  spanId: z.string(),
  start: date,
  /** The start, in microseconds since the epoch. */
  startMicroseconds: z.number(),
  duration: milliseconds,
  threads: z.array(z.string()),
  samples: z.number(),
  platform: z.string(),
  release: z.string(),
  environment: z.string(),
})
export type ProfileSummary = z.output<typeof profileSummary>

export const listProfiles = endpoint({
  method: 'GET',
  path: '/organizations/{org}/profiles/',
  query: z.object({
    ...scopeQuery,
    /** Its whole name: the latest that came with it, and chunks that were taken while it ran. */
    transaction: z.string().max(400).optional(),
    cursor,
    limit: pageLimit.optional(),
    format: fileFormat,
  }),
  ok: z.array(profileSummary),
  summary: 'Profiles of transactions and chunks of continuous ones, latest first',
  scope: 'event:read',
})

export const listTraceProfiles = endpoint({
  method: 'GET',
  path: '/organizations/{org}/traces/{trace}/profiles/',
  ok: z.array(profileSummary),
  summary: 'Profiles that were taken while a trace ran',
  scope: 'event:read',
})

/** Functions as columns: entry `i` of every list is about the same one. Texts are indexes in `words`. */
const functions = z.object({
  name: z.array(z.number()),
  file: z.array(z.number()),
  /** 0 for unknown. */
  line: z.array(z.number()),
  /** One of `FRAME_KINDS`. */
  kind: z.array(z.number()),
})

export const traceProfileLanes = z.object({
  /** The earliest first. */
  lanes: z.array(
    z.object({
      /** Id of the profile of a transaction, or of the profiler of a continuous one. */
      profile: z.string(),
      projectId: id,
      transaction: z.string(),
      /** Of its transaction; '' when it is not known. */
      spanId: z.string(),
      thread: z.object({ id: z.string(), name: z.string() }),
      /** Microseconds since the epoch, and of one step. */
      start: z.number(),
      end: z.number(),
      step: z.number(),
      samples: z.number(),
      /** By step, of each the functions that ran longest. */
      steps: z.object({
        step: z.array(z.number()),
        /** Index in `functions`; -1 for all others together. */
        function: z.array(z.number()),
        /** Microseconds that it ran itself, without what it called. */
        self: z.array(z.number()),
      }),
    }),
  ),
  functions,
  words: z.array(z.string()),
  /** There is more than is in it. */
  truncated: z.boolean(),
})
export type TraceProfileLanes = z.output<typeof traceProfileLanes>

export const getTraceProfileLanes = endpoint({
  method: 'GET',
  path: '/organizations/{org}/traces/{trace}/profile-lanes/',
  ok: traceProfileLanes,
  summary: 'Where the time went while a trace ran, by profile and thread, step by step',
  scope: 'event:read',
})

/**
 * Samples as columns, of one profile or of many. A stack is a frame and the stack that called it, so that each place of
 * the call tree is there once; callers come first.
 */
export const profile = z.object({
  /** Of one transaction; a stretch of a continuous one; the sum of many. */
  kind: z.enum(['transaction', 'continuous', 'sum']),
  /** Of the profile or of the profiler; '' for a sum. */
  id: z.string(),
  /** How many profiles, chunks or runs of the transaction are in it. */
  profiles: z.number(),
  projectId: id,
  projectSlug: z.string(),
  transaction: z.string(),
  traceId: z.string(),
  spanId: z.string(),
  platform: z.string(),
  release: z.string(),
  environment: z.string(),
  sdk: z.string(),
  runtime: z.string(),
  device: z.string(),
  start: date,
  startMicroseconds: z.number(),
  duration: milliseconds,
  threads: z.array(z.object({ id: z.string(), name: z.string(), samples: z.number() })),
  /** Id of the thread whose samples these are. */
  thread: z.string(),
  /** Each text once. */
  words: z.array(z.string()),
  frames: z.object({
    /** Indexes in `words`. */
    name: z.array(z.number()),
    file: z.array(z.number()),
    module: z.array(z.number()),
    /** 0 for unknown. */
    line: z.array(z.number()),
    column: z.array(z.number()),
    /** One of `FRAME_KINDS`. */
    kind: z.array(z.number()),
  }),
  stacks: z.object({
    /** Index in `frames`. */
    frame: z.array(z.number()),
    /** Index in `stacks`; -1 for a root. */
    parent: z.array(z.number()),
  }),
  /** By time; of a sum, each stack once. */
  samples: z.object({
    /** Index in `stacks`; -1 where nothing ran. */
    stack: z.array(z.number()),
    /** Microseconds after the start. */
    at: z.array(z.number()),
    /** Microseconds that it stands for. */
    weight: z.array(z.number()),
    /** How many samples it stands for. */
    count: z.array(z.number()),
  }),
  /** Sentences about what was changed or left out. */
  notes: z.array(z.string()),
  /** There is more than is in it. */
  truncated: z.boolean(),
})
export type Profile = z.output<typeof profile>

export const getProfile = endpoint({
  method: 'GET',
  path: '/organizations/{org}/profiles/{profile}/',
  query: z.object({
    ...projectFilter,
    /** Without it, the one that the profile is about, or else the busiest. */
    thread: z.string().max(128).optional(),
    /** Milliseconds since the epoch: only what ran in this time. */
    from: number().pipe(z.number().min(0)).optional(),
    to: number().pipe(z.number().min(0)).optional(),
  }),
  ok: profile,
  summary: 'Samples of a profile, or of a stretch of the continuous one of a profiler, as columns',
  scope: 'event:read',
})

export const getTransactionProfile = endpoint({
  method: 'GET',
  path: '/organizations/{org}/transactions/profile/',
  query: z.object({ ...scopeQuery, transaction: z.string().max(400) }),
  ok: profile,
  summary: 'The sum of the latest profiles of a transaction',
  scope: 'event:read',
})

export const getFlamegraph = endpoint({
  method: 'GET',
  path: '/organizations/{org}/profiling/flamegraph/',
  query: z.object({ ...scopeQuery, query: z.string().max(4096).optional() }),
  /** A speedscope file with Sentry’s additions. */
  ok: z.record(z.string(), z.unknown()),
  summary: 'The sum of the latest profiles of a transaction (`query=transaction:"…"`), in Sentry’s shape',
  scope: 'event:read',
})

export const getProjectProfile = endpoint({
  method: 'GET',
  path: '/projects/{org}/{project}/profiling/profiles/{profile}/',
  ok: z.record(z.string(), z.unknown()),
  summary: 'A profile with its samples, stacks and frames, in Sentry’s shape',
  scope: 'event:read',
})

export const getProfileChunk = endpoint({
  method: 'GET',
  path: '/organizations/{org}/profiling/chunks/',
  query: z.object({ ...projectFilter, ...timeRange, profiler_id: z.string().max(64) }),
  ok: z.object({
    chunk: z.record(z.string(), z.unknown()).nullable(),
    /** The same: newer clients of Sentry's read a list. */
    chunks: z.array(z.record(z.string(), z.unknown())),
  }),
  summary: 'What a continuous profiler saw in a time, in Sentry’s shape',
  scope: 'event:read',
})
