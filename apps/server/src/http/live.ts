import { streamLive } from '@firsthand/contract'
import { onOwnBehalf } from '../lib/caller-context.ts'
import { RecentMap } from '../lib/recent-map.ts'
import { LIMITS } from './limits.ts'
import { bind } from './bind.ts'
import type { Route } from './bind.ts'
import type { Authenticator } from './caller.ts'
import { HttpError, notFound } from './errors.ts'

/** Something has changed that open pages show; they ask again for what they need. */
export interface LiveUpdate {
  /** Name of the message, e.g. `issues`. */
  readonly topic: string
  readonly organizationId: number
  /** Null for any. */
  readonly projectId: number | null
  /** Milliseconds since the epoch. */
  readonly at: number
  /** More of the message, as JSON. */
  readonly data?: Readonly<Record<string, unknown>>
}

interface Subscription {
  readonly organizationId: number
  /** Null for all projects. */
  readonly projectIds: ReadonlySet<number> | null
  /** One person, or the tokens of one. */
  readonly owner: string
  readonly userId: number
  /** Asked again while the stream is open: may it still be read? */
  readonly mayStay: () => Promise<boolean>
}

export interface Live {
  /** Sends an update to everybody who may see it. Never waits. */
  publish(update: LiveUpdate): void
  /** Is called with every update, before anybody is sent it. */
  hear(heard: (update: LiveUpdate) => void): void
  /** @throws HttpError 503 when too many streams are open */
  subscribe(subscription: Subscription): ReadableStream<Uint8Array>
  /** Ends the streams that a person may not read any more, after their role, sessions or tokens have changed. */
  review(userId: number): Promise<void>
  readonly size: number
  /** Ends all streams, so that the server can stop. */
  close(): void
}

interface Listener extends Subscription {
  /** The last time it was asked, the ledger did not say whether it may stay. */
  undecided: boolean
  send(text: string): void
  end(): void
}

interface Sent {
  readonly projectId: number | null
  /** As a server-sent event. */
  readonly text: string
  /** By `performance.now()`. */
  readonly at: number
}

const wants = ({ projectIds }: Subscription, { projectId }: Pick<Sent, 'projectId'>): boolean =>
  projectIds === null || projectId === null || projectIds.has(projectId)

/** What was sent lately. A page reads what it shows before its stream is open: what changed in between it would never hear. */
const createNewestUpdates = () => {
  /** By organisation, the oldest first. */
  const updates = new RecentMap<number, readonly Sent[]>(LIMITS.LIVE_ORGANIZATIONS_REPEATED)
  return {
    add(organizationId: number, update: Sent): void {
      const known = updates.peek(organizationId) ?? []
      updates.set(organizationId, [...known.slice(1 - LIMITS.LIVE_REPEATED_UPDATES), update])
    },
    sendTo(listener: Listener): void {
      const since = performance.now() - LIMITS.LIVE_REPEATED_SECONDS * 1000
      for (const update of updates.peek(listener.organizationId) ?? []) {
        if (update.at >= since && wants(listener, update)) listener.send(update.text)
      }
    },
  }
}

export const createLive = (): Live => {
  const listeners = new Set<Listener>()
  const encoder = new TextEncoder()
  const newest = createNewestUpdates()
  const hearers: ((update: LiveUpdate) => void)[] = []
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

  /**
   * A ledger that does not answer once is no reason to end a stream; one that does not answer with the next heartbeat
   * either is: its browser comes back, and is let in when the ledger says so.
   */
  const reviewOne = async (listener: Listener): Promise<void> => {
    // No answer is not a no; see above for how long it may last.
    const answer = await onOwnBehalf(listener.mayStay).catch(() => null)
    const mayStay = answer ?? !listener.undecided
    listener.undecided = answer === null
    if (!mayStay && listeners.has(listener)) listener.end()
  }

  return {
    hear(heard) {
      hearers.push(heard)
    },
    publish(news) {
      for (const heard of hearers) heard(news)
      const { topic, organizationId, projectId, at, data = {} } = news
      const project = projectId === null ? null : String(projectId)
      const text = `event: ${topic}\ndata: ${JSON.stringify({ projectId: project, ...data, at: new Date(at).toISOString() })}\n\n`
      const update = { projectId, text, at: performance.now() }
      newest.add(organizationId, update)
      for (const listener of listeners) {
        if (listener.organizationId === organizationId && wants(listener, update)) listener.send(text)
      }
    },
    subscribe(subscription) {
      makeRoom(subscription.owner)
      let stop = (): void => {}
      return new ReadableStream<Uint8Array>(
        {
          start(controller) {
            const listener: Listener = {
              ...subscription,
              undecided: false,
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
            const heartbeat = setInterval(() => {
              listener.send(':\n\n')
              // Another process may have taken the rights, e.g. the command that resets a password.
              void reviewOne(listener)
            }, LIMITS.LIVE_HEARTBEAT_SECONDS * 1000)
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
            newest.sendTo(listener)
          },
          cancel: () => stop(),
        },
        { highWaterMark: LIMITS.LIVE_QUEUED_UPDATES },
      )
    },
    async review(userId) {
      await Promise.all([...listeners].filter((listener) => listener.userId === userId).map(reviewOne))
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
  readonly authenticator: Pick<Authenticator, 'stillMay'>
  readonly resolveProjects: (organizationId: number, references: readonly string[]) => Promise<readonly number[] | null>
}): Route[] => [
  bind(streamLive, async ({ query, request }) => {
    const references = (query.project ?? []).filter((reference) => reference !== '-1')
    const ids = references.length === 0 ? null : await options.resolveProjects(request.organization.id, references)
    if (ids === null && references.length > 0) throw notFound('One of the projects does not exist.')
    const { caller, organization } = request
    return {
      stream: options.live.subscribe({
        organizationId: organization.id,
        projectIds: ids === null ? null : new Set(ids),
        owner: `${caller.kind}:${caller.user.id}`,
        userId: caller.user.id,
        mayStay: () => options.authenticator.stillMay(caller, organization.id, 'event:read'),
      }),
    }
  }),
]
