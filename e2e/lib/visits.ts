import { ingestUrl, newEventId } from './send.ts'

/** Replays that no SDK recorded, for lists: their names and numbers matter, and nothing is to be seen in them. */

interface ClickedElement {
  readonly tagName: string
  readonly textContent?: string
  readonly attributes: Readonly<Record<string, string>>
}

export interface VisitSpec {
  readonly replayId?: string
  /** Milliseconds since the epoch. */
  readonly startMs?: number
  readonly durationMs?: number
  readonly urls?: readonly string[]
  /** Elements that did not answer, each with how often it was clicked: five times or more is a rage click. */
  readonly dead?: readonly (readonly [element: ClickedElement, clicks: number])[]
  /** What else the SDK says of it. */
  readonly event?: Readonly<Record<string, unknown>>
}

const ANSWER_MS = 7000

/** A replay of one segment. @returns its id */
export const sendVisit = async (dsn: string, spec: VisitSpec = {}): Promise<string> => {
  const { replayId = newEventId(), durationMs = 30_000, urls = ['https://shop.example/'], dead = [] } = spec
  const { startMs = Date.now() - durationMs - 1000 } = spec
  const [href = ''] = urls
  const crumb = (at: number, category: string, data: object) => ({
    type: 5,
    timestamp: at,
    data: { tag: 'breadcrumb', payload: { type: 'default', category, timestamp: at / 1000, message: '', data } },
  })
  const clicks = dead.flatMap(([element, clickCount], index) => {
    const at = startMs + 1000 * (index + 1)
    const node = { id: 10 + index, textContent: '', ...element }
    const slow = { nodeId: 10 + index, node, url: href, timeAfterClickMs: ANSWER_MS, endReason: 'timeout', clickCount }
    return [crumb(at, 'ui.click', { nodeId: 10 + index, node }), crumb(at, 'ui.slowClickDetected', slow)]
  })
  const events = [
    { type: 4, timestamp: startMs, data: { href, width: 1440, height: 900 } },
    {
      type: 2,
      timestamp: startMs + 1,
      data: { node: { type: 0, childNodes: [], id: 1 }, initialOffset: { top: 0, left: 0 } },
    },
    ...clicks,
    { type: 3, timestamp: startMs + durationMs, data: { source: 2, type: 2, id: 1, x: 1, y: 1 } },
  ]
  const event = {
    type: 'replay_event',
    replay_id: replayId,
    event_id: replayId,
    segment_id: 0,
    replay_type: 'session',
    replay_start_timestamp: startMs / 1000,
    timestamp: (startMs + durationMs) / 1000,
    urls,
    error_ids: [],
    trace_ids: [],
    platform: 'javascript',
    ...spec.event,
  }
  const recording = `{"segment_id":0}\n${JSON.stringify(events)}`
  const lines = [
    JSON.stringify({ event_id: replayId, sent_at: new Date().toISOString() }),
    JSON.stringify({ type: 'replay_event' }),
    JSON.stringify(event),
    JSON.stringify({ type: 'replay_recording', length: Buffer.byteLength(recording) }),
    recording,
  ]
  const headers = { 'content-type': 'application/x-sentry-envelope' }
  const answer = await fetch(ingestUrl(dsn), { method: 'POST', headers, body: lines.join('\n') })
  if (answer.status !== 200) throw new Error(`the replay was refused: ${answer.status} ${await answer.text()}`)
  return replayId
}
