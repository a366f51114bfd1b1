import { z } from './zod.ts'
import { date, empty, id, number } from './common.ts'
import { endpoint } from './endpoint.ts'
import { replayChunk, replayPlayback } from './replays.ts'

/** Replays for people without an account: by a link that ends, and as a file that plays without any server. */

/** Milliseconds since the epoch. */
const moment = z.number()

/** For how many days a link opens its replay; the console offers these. */
export const REPLAY_LINK_DAYS = [1, 7, 30] as const
export const REPLAY_LINK_DAYS_MAX = 30

const stretch = {
  /** Of what is shown; the beginning and the end of the replay without. */
  from: moment.nullable(),
  to: moment.nullable(),
}

export const replayLink = z.object({
  id,
  createdBy: z.object({ id, name: z.string(), email: z.string() }),
  createdAt: date,
  expiresAt: date,
  ...stretch,
  /** How often it was opened. */
  views: z.number(),
  lastViewedAt: date.nullable(),
})
export type ReplayLink = z.output<typeof replayLink>

export const listReplayLinks = endpoint({
  method: 'GET',
  path: '/projects/{org}/{project}/replays/{replay}/links/',
  /** Those that open it, the newest first. Their addresses are not kept. */
  ok: z.object({ data: z.array(replayLink) }),
  summary: 'Links by which people without an account see a replay',
  scope: 'event:read',
})

export const createReplayLink = endpoint({
  method: 'POST',
  path: '/projects/{org}/{project}/replays/{replay}/links/',
  body: z.object({
    days: z.int().min(1).max(REPLAY_LINK_DAYS_MAX),
    from: moment.nullable().default(null),
    to: moment.nullable().default(null),
  }),
  /** The only answer that ever has the address. */
  ok: replayLink.extend({ url: z.string() }),
  summary: 'Makes a link by which anybody sees a replay, or a stretch of it, until it ends',
  scope: 'event:write',
})

export const deleteReplayLink = endpoint({
  method: 'DELETE',
  path: '/projects/{org}/{project}/replays/{replay}/links/{link}/',
  ok: empty,
  summary: 'Revokes a link: it opens nothing any more',
  scope: 'event:write',
})

/**
 * A replay, or a stretch of it, as strangers see it: what was recorded and when. Of `playback.replay` only times, browser,
 * system and device are told; nothing names the visitor, the project or anything else of the organisation.
 */
export const sharedReplay = z.object({
  playback: replayPlayback,
  /** By time; none where no page was recorded. */
  chunks: z.array(replayChunk),
  /** Others follow the last of these, which are being prepared: `listSharedReplayChunks` tells them. */
  preparing: z.boolean(),
  /** When the link ends; null for a file. */
  expiresAt: date.nullable(),
})
export type SharedReplay = z.output<typeof sharedReplay>

export const getSharedReplay = endpoint({
  method: 'GET',
  path: '/shared-replays/{token}/',
  ok: sharedReplay,
  summary: 'The replay of a link',
  scope: 'public',
})

export const listSharedReplayChunks = endpoint({
  method: 'GET',
  path: '/shared-replays/{token}/chunks/',
  /** As of `listReplayChunks`. */
  query: z.object({ after: number().optional() }),
  ok: z.object({ chunks: z.array(replayChunk), first: z.number(), preparing: z.boolean() }),
  summary: 'What can be drawn of it by now, while it is prepared',
  scope: 'public',
})

export const getSharedReplayChunk = endpoint({
  method: 'GET',
  path: '/shared-replays/{token}/chunks/{number}/',
  /** As of `getReplayChunk`: hostile, and to be rewritten before it is drawn. */
  ok: z.array(z.object({ type: z.number(), timestamp: moment, data: z.unknown() })),
  summary: 'What is drawn in a chunk of it',
  scope: 'public',
})

export const getSharedReplayAsset = endpoint({
  method: 'GET',
  path: '/shared-replays/{token}/assets/{asset}/',
  /** Its bytes; its type stands with its name in the chunk. */
  ok: z.unknown(),
  summary: 'An image or font that was kept of its pages, by the name that stands in a chunk',
  scope: 'public',
})

export const getSharedReplayVideo = endpoint({
  method: 'GET',
  path: '/shared-replays/{token}/videos/{segment}/',
  /** An MP4 or WebM file; a part of it for a `Range`. */
  ok: z.unknown(),
  summary: 'What a phone filmed of its screen in a segment of it',
  scope: 'public',
})

const touch = z.object({
  from: moment,
  to: moment,
  points: z.array(z.object({ at: moment, x: z.number(), y: z.number() })),
})

export const getSharedReplayTouches = endpoint({
  method: 'GET',
  path: '/shared-replays/{token}/videos/{segment}/touches/',
  ok: z.array(touch),
  summary: 'Where fingers were on the screen meanwhile',
  scope: 'public',
})

export const getReplayFile = endpoint({
  method: 'GET',
  path: '/projects/{org}/{project}/replays/{replay}/file/',
  query: z.object({ from: number().optional(), to: number().optional() }),
  /** HTML. */
  ok: z.string(),
  summary: 'A replay, or a stretch of it, as a file that plays without a server',
  scope: 'event:read',
})
