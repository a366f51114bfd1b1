import { streamLive } from '@firsthand/contract'
import { LIMITS } from '../limits.ts'
import { bind } from './bind.ts'
import type { Route } from './bind.ts'
import { HttpError, notFound } from './errors.ts'

/** Something about issues of a project has changed; posted by the digest once per batch and project. */
export interface LiveUpdate {
  readonly organizationId: number
  readonly projectId: number
  readonly issueIds: readonly number[]
  /** Those of `issueIds` that are new. */
  readonly opened: readonly number[]
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** Something about reports of visitors has changed. */
export interface FeedbackUpdate {
  readonly organizationId: number
  /** Null for any. */
  readonly projectId: number | null
  /** Milliseconds since the epoch. */
  readonly at: number
}

interface Subscription {
  readonly organizationId: number
  /** Null for all projects. */
  readonly projectIds: ReadonlySet<number> | null
  /** One person or one token. */
  readonly owner: string
}

export interface Live {
  /** Sends an update to everybody who may see it. Never waits. */
  publish(update: LiveUpdate): void
  publishFeedback(update: FeedbackUpdate): void
  /** @throws HttpError 503 when too many streams are open */
  subscribe(subscription: Subscription): ReadableStream<Uint8Array>
  readonly size: number
  /** Ends all streams, so that the server can stop. */
  close(): void
}

interface Listener extends Subscription {
  send(text: string): void
  end(): void
}

export const createLive = (): Live => {
  const listeners = new Set<Listener>()
  const encoder = new TextEncoder()
  let closed = false

  const makeRoom = (owner: string): void => {
    if (closed || listeners.size >= LIMITS.LIVE_STREAMS) {
      throw new HttpError(503, 'Too many live views are open. Close some; lists still refresh when reloaded.', {
        headers: { 'retry-after': '30' },
      })
    }
    const own = [...listeners].filter((listener) => listener.owner === owner)
    if (own.length >= LIMITS.LIVE_STREAMS_PER_CALLER) own[0]?.end()
  }

  const send = (event: string, update: FeedbackUpdate, more: Readonly<Record<string, unknown>>): void => {
    const { projectId } = update
    const at = new Date(update.at).toISOString()
    const data = JSON.stringify({ projectId: projectId === null ? null : String(projectId), ...more, at })
    for (const listener of listeners) {
      const wanted = listener.projectIds === null || projectId === null || listener.projectIds.has(projectId)
      if (listener.organizationId === update.organizationId && wanted) {
        listener.send(`event: ${event}\ndata: ${data}\n\n`)
      }
    }
  }

  return {
    publish(update) {
      send('issues', update, {
        issueIds: update.issueIds.map(String),
        opened: update.opened.map(String),
      })
    },
    publishFeedback: (update) => send('feedback', update, {}),
    subscribe(subscription) {
      makeRoom(subscription.owner)
      let stop = (): void => {}
      return new ReadableStream<Uint8Array>(
        {
          start(controller) {
            const listener: Listener = {
              ...subscription,
              send: (text) => {
                // A reader that does not read is let go; its browser comes back when it can.
                if ((controller.desiredSize ?? 0) <= 0) listener.end()
                else controller.enqueue(encoder.encode(text))
              },
              end: () => {
                stop()
                controller.close()
              },
            }
            const heartbeat = setInterval(() => listener.send(':\n\n'), LIMITS.LIVE_HEARTBEAT_SECONDS * 1000)
            const end = setTimeout(() => listener.end(), LIMITS.LIVE_STREAM_SECONDS * 1000)
            heartbeat.unref()
            end.unref()
            stop = () => {
              clearInterval(heartbeat)
              clearTimeout(end)
              listeners.delete(listener)
            }
            listeners.add(listener)
            listener.send('retry: 3000\n\n')
          },
          cancel: () => stop(),
        },
        { highWaterMark: LIMITS.LIVE_QUEUED_UPDATES },
      )
    },
    get size() {
      return listeners.size
    },
    close() {
      closed = true
      for (const listener of listeners) listener.end()
    },
  }
}

/**
 * @param options.resolveProjects ids of projects given as numeric ids or slugs; null when one is not in the organisation
 */
export const createLiveRoutes = (options: {
  readonly live: Live
  readonly resolveProjects: (organizationId: number, references: readonly string[]) => Promise<readonly number[] | null>
}): Route[] => [
  bind(streamLive, async ({ query, request }) => {
    const references = (query.project ?? []).filter((reference) => reference !== '-1')
    const ids = references.length === 0 ? null : await options.resolveProjects(request.organization.id, references)
    if (ids === null && references.length > 0) throw notFound('One of the projects does not exist.')
    const { caller, organization } = request
    const owner = caller.user === null ? `token:${caller.tokenOrganizationId ?? 0}` : `user:${caller.user.id}`
    return {
      stream: options.live.subscribe({
        organizationId: organization.id,
        projectIds: ids === null ? null : new Set(ids),
        owner,
      }),
    }
  }),
]
