import { randomUUID } from 'node:crypto'

/** Events as an SDK sends them, without an SDK: for shapes, numbers and times that no test application has. */

export type EventPayload = Readonly<Record<string, unknown>>

export interface Frame {
  readonly function: string
  readonly filename: string
  readonly lineno: number
  readonly colno?: number
  readonly in_app?: boolean
  readonly pre_context?: readonly string[]
  readonly context_line?: string
  readonly post_context?: readonly string[]
}

export const newEventId = (): string => randomUUID().replaceAll('-', '')

/** `http://key@host/7` → where its envelopes go. */
export const ingestUrl = (dsn: string): string => {
  const { origin, username, pathname } = new URL(dsn)
  return `${origin}/api${pathname}/envelope/?sentry_key=${username}&sentry_version=7`
}

const SDK = { name: 'sentry.javascript.browser', version: '11.10.0' }

/** Sends one envelope of items, each a header and a JSON payload. */
export const sendItems = (
  dsn: string,
  items: readonly { readonly type: string; readonly payload: unknown; readonly header?: EventPayload }[],
  header: EventPayload = {},
): Promise<Response> => {
  const lines = [
    JSON.stringify({ sent_at: new Date().toISOString(), sdk: SDK, ...header }),
    ...items.flatMap(({ type, payload, header: own }) => [JSON.stringify({ type, ...own }), JSON.stringify(payload)]),
  ]
  return fetch(ingestUrl(dsn), {
    method: 'POST',
    headers: { 'content-type': 'application/x-sentry-envelope' },
    body: lines.join('\n'),
  })
}

/** Sends one event. The answer is not judged: some tests want a refusal. */
export const sendEvent = (dsn: string, event: EventPayload): Promise<Response> => {
  const id = typeof event['event_id'] === 'string' ? event['event_id'] : newEventId()
  const payload = { platform: 'javascript', timestamp: Date.now() / 1000, sdk: SDK, ...event, event_id: id }
  return sendItems(dsn, [{ type: 'event', payload }], { event_id: id })
}

/** Requests that are under way at one time. */
const PARALLEL = 8

/** Sends all of them and insists that each is taken. */
export const sendEvents = async (dsn: string, events: readonly EventPayload[]): Promise<void> => {
  const waiting = [...events]
  const work = async (): Promise<void> => {
    for (let event = waiting.shift(); event !== undefined; event = waiting.shift()) {
      const answer = await sendEvent(dsn, event)
      const text = await answer.text()
      if (answer.status !== 200) throw new Error(`the event was refused: ${answer.status} ${text}`)
    }
  }
  await Promise.all(Array.from({ length: PARALLEL }, work))
}

/** An error with a short stack of its own, so that each `type: value in function` is an issue of its own. */
export const errorEvent = (
  type: string,
  value: string,
  more: EventPayload & { readonly in?: string; readonly frames?: readonly Frame[] } = {},
): EventPayload => {
  const { in: place = 'main', frames, ...event } = more
  return {
    ...event,
    exception: {
      values: [
        {
          type,
          value,
          mechanism: { type: 'generic', handled: true },
          stacktrace: {
            frames: frames ?? [{ function: place, filename: `/src/${place}.js`, lineno: 7, colno: 3, in_app: true }],
          },
        },
      ],
    },
  }
}
