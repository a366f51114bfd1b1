import { ingestUrl, newEventId } from './send.ts'

/** Reports as the widget sends them, without the widget. */

export interface SentFeedback {
  readonly eventId: string
  readonly threadUrl: string
}

export interface FeedbackFile {
  readonly name: string
  readonly type: string
  readonly bytes: Uint8Array
}

/**
 * @param context `contexts.feedback`
 * @param more.event more of the event
 * @param more.url where to send it, in place of the DSN's own address
 * @throws Error when it is refused
 */
export const sendFeedback = async (
  dsn: string,
  context: Readonly<Record<string, unknown>>,
  more: {
    readonly event?: Readonly<Record<string, unknown>>
    readonly files?: readonly FeedbackFile[]
    readonly url?: string
  } = {},
): Promise<SentFeedback> => {
  const eventId = newEventId()
  const { contexts, ...event } = more.event ?? {}
  const payload = {
    event_id: eventId,
    type: 'feedback',
    level: 'info',
    timestamp: Date.now() / 1000,
    platform: 'javascript',
    ...event,
    contexts: { ...(contexts as object | undefined), feedback: { source: 'widget', fill_ms: 9000, ...context } },
  }
  const line = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value)}\n`)
  const body = Buffer.concat([
    line({ event_id: eventId, dsn }),
    line({ type: 'feedback' }),
    line(payload),
    ...(more.files ?? []).flatMap(({ name, type, bytes }) => [
      line({ type: 'attachment', filename: name, content_type: type, length: bytes.byteLength }),
      bytes,
      Buffer.from('\n'),
    ]),
  ])
  const answer = await fetch(more.url ?? ingestUrl(dsn), { method: 'POST', body })
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`the report was refused: ${answer.status} ${text}`)
  const { thread_url: threadUrl } = JSON.parse(text) as { thread_url?: string }
  return { eventId, threadUrl: threadUrl ?? '' }
}
