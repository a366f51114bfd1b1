import type { DoorParts } from './door.ts'
import { backlogLimitHeader } from './limit.ts'
import { refuse } from './refusal.ts'
import type { Refusal } from './refusal.ts'
import { overBytes, storageFull, storageGone } from './refusals.ts'
import type { RouteKind } from './route.ts'
import type { RequestState } from './request-state.ts'

/** Senders on these routes do not know 429 (protocol.md 2.3). */
export const NEVER_LIMITED: ReadonlySet<RouteKind> = new Set(['minidump', 'unreal', 'cron', 'nel'])

/** Whether the spool takes anything at this moment. */
export const checkRoom = (kind: RouteKind, { limits, spool }: DoorParts): Refusal | null => {
  switch (spool.pressure()) {
    case 'ok':
      return null
    case 'full':
      return storageFull(limits)
    case 'gone':
      return storageGone(limits)
    case 'behind': {
      const seconds = limits.BACKLOG_RETRY_SECONDS
      return refuse(
        NEVER_LIMITED.has(kind) ? 503 : 429,
        'backlog',
        'the server received more than it can process at present; send again later',
        { retryAfterSeconds: seconds, rateLimits: backlogLimitHeader(seconds) },
      )
    }
  }
}

/** Whether the sender's organisation may have more waiting: the others shall find room, too. */
export const checkShare = ({ key, route }: RequestState, { limits, spool }: DoorParts): Refusal | null => {
  if (key === null || spool.hasShare(key.organizationId)) return null
  const seconds = limits.BACKLOG_RETRY_SECONDS
  return refuse(
    NEVER_LIMITED.has(route.kind) ? 503 : 429,
    'organization_backlog',
    'the organisation sent more than the server can process at present; send again later',
    { retryAfterSeconds: seconds, rateLimits: backlogLimitHeader(seconds, 'organization_backlog') },
  )
}

/** A sender for whom nothing has room is not even read: it shall not cost the others their time. */
export const checkBytes = ({ key, route, receivedAt }: RequestState, { bytes }: DoorParts): Refusal | null => {
  if (key === null || NEVER_LIMITED.has(route.kind)) return null
  const verdict = bytes.spent(key, receivedAt)
  return verdict.granted ? null : overBytes(verdict)
}
