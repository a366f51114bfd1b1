import { HOUR, payloadOf, recordHour, SEGMENT_MS } from './recorded-hour.ts'

/**
 * Whole HTTP requests, each with one segment as an SDK sends it, and how many bytes they are before compression.
 *
 * @param path to which SDKs send
 * @param visitor each does something else
 */
export const replayRequests = (path: string, replay: string, segments: number, visitor = 0) => {
  const start = Date.now() - segments * SEGMENT_MS - 60_000
  const requests: Buffer[] = []
  let raw = 0
  for (const events of recordHour({ ...HOUR, seed: HOUR.seed + visitor, segments, start })) {
    const segment = requests.length
    const payload = payloadOf(segment, events)
    raw += Buffer.byteLength(JSON.stringify(events))
    const about = JSON.stringify({
      type: 'replay_event',
      replay_id: replay,
      event_id: replay,
      segment_id: segment,
      replay_type: 'session',
      replay_start_timestamp: start / 1000,
      timestamp: (start + (segment + 1) * SEGMENT_MS) / 1000,
      urls: ['https://shop.example/'],
      platform: 'javascript',
    })
    const body = Buffer.concat([
      Buffer.from(`{"event_id":"${replay}"}\n{"type":"replay_event"}\n${about}\n`),
      Buffer.from(`{"type":"replay_recording","length":${payload.byteLength}}\n`),
      payload,
    ])
    const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${body.byteLength}\r\n\r\n`
    requests.push(Buffer.concat([Buffer.from(head, 'latin1'), body]))
  }
  return { requests, raw }
}
