import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { ingestUrl } from './send.ts'

const FIXTURES = join(import.meta.dirname, '..', '..', 'fixtures', 'envelopes')

/** One event of a recording, as rrweb writes it. */
export interface RecordedEvent {
  readonly type: number
  readonly timestamp: number
  readonly data: unknown
}

const take = async (dsn: string, body: Uint8Array<ArrayBuffer>): Promise<void> => {
  const headers = { 'content-type': 'application/x-sentry-envelope' }
  const answer = await fetch(ingestUrl(dsn), { method: 'POST', headers, body })
  if (!answer.ok) throw new Error(`a segment was refused: ${answer.status} ${await answer.text()}`)
}

/**
 * Sends what an unmodified SDK of this major version recorded of a page, byte for byte, as if it came now.
 *
 * @returns the id of the replay
 */
export const sendRecorded = async (dsn: string, major: number): Promise<string> => {
  const folder = join(FIXTURES, `sdk-${major}`)
  const files = readdirSync(folder).filter((name) => name.endsWith('-replay_event.envelope'))
  const envelopes = files.toSorted().map((name) => {
    const bytes = readFileSync(join(folder, name))
    const end = bytes.indexOf('\n')
    return { header: JSON.parse(bytes.toString('utf8', 0, end)) as Record<string, unknown>, items: bytes.subarray(end) }
  })
  // They were not recorded now: the server would take the clocks of two that come together for two different ones.
  const sentAt = envelopes.at(-1)?.header['sent_at']
  for (const { header, items } of envelopes) {
    await take(dsn, new Uint8Array([...Buffer.from(JSON.stringify({ ...header, sent_at: sentAt })), ...items]))
  }
  return String(envelopes.at(-1)?.header['event_id'])
}

const VIDEOS = join(import.meta.dirname, '..', '..', 'fixtures', 'videos')

/** A map of names to bytes in MessagePack. */
const packed = (parts: Readonly<Record<string, Uint8Array>>): Buffer =>
  Buffer.concat([
    Buffer.from([0x80 | Object.keys(parts).length]),
    ...Object.entries(parts).flatMap(([name, bytes]) => {
      const head = Buffer.alloc(5, 0xc6)
      head.writeUInt32BE(bytes.byteLength, 1)
      return [Buffer.from([0xa0 | name.length]), Buffer.from(name), head, bytes]
    }),
  ])

/** Sends a segment as SDKs of phones do: event, recording and a video of five seconds in one. */
export const sendFilmed = async (
  dsn: string,
  {
    events,
    replayId,
    segmentId,
    video,
  }: {
    readonly replayId: string
    readonly segmentId: number
    readonly events: readonly RecordedEvent[]
    /** One of `fixtures/videos`. */
    readonly video: string
  },
): Promise<void> => {
  const [first, last] = [events[0]?.timestamp ?? Date.now(), events.at(-1)?.timestamp ?? Date.now()]
  const film = readFileSync(join(VIDEOS, video))
  const note = {
    segmentId,
    size: film.byteLength,
    duration: 5000,
    encoding: 'vp8',
    container: 'webm',
    width: 120,
    height: 240,
    frameCount: 5,
    frameRateType: 'constant',
    frameRate: 1,
    left: 0,
    top: 0,
  }
  const recording = [...events, { type: 5, timestamp: first, data: { tag: 'video', payload: note } }]
  const about = {
    type: 'replay_event',
    replay_id: replayId,
    event_id: replayId,
    segment_id: segmentId,
    replay_type: 'session',
    replay_start_timestamp: first / 1000,
    timestamp: Math.max(last, first + 5000) / 1000,
    urls: ['CartActivity'],
    error_ids: [],
    trace_ids: [],
    platform: 'java',
    contexts: { os: { name: 'Android', version: '16' }, device: { name: 'Pixel 10', brand: 'Google' } },
  }
  const payload = packed({
    replay_event: Buffer.from(JSON.stringify(about)),
    replay_recording: Buffer.concat([
      Buffer.from(`{"segment_id":${segmentId}}\n`),
      deflateSync(Buffer.from(JSON.stringify(recording))),
    ]),
    replay_video: film,
  })
  const lines = [
    { event_id: replayId, sent_at: new Date().toISOString() },
    { type: 'replay_video', length: payload.byteLength },
  ]
  await take(
    dsn,
    new Uint8Array([...Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join('')), ...payload]),
  )
}

/** Sends a segment as SDKs do, of events that no SDK recorded. */
export const sendSegment = async (
  dsn: string,
  replayId: string,
  segmentId: number,
  events: readonly RecordedEvent[],
  more: object = {},
): Promise<void> => {
  const [first, last] = [events[0]?.timestamp ?? Date.now(), events.at(-1)?.timestamp ?? Date.now()]
  const about = {
    type: 'replay_event',
    replay_id: replayId,
    event_id: replayId,
    segment_id: segmentId,
    replay_type: 'session',
    replay_start_timestamp: first / 1000,
    timestamp: last / 1000,
    urls: ['https://shop.example/'],
    error_ids: [],
    trace_ids: [],
    platform: 'javascript',
    ...more,
  }
  const recording = Buffer.concat([
    Buffer.from(`{"segment_id":${segmentId}}\n`),
    deflateSync(Buffer.from(JSON.stringify(events))),
  ])
  const lines = [
    { event_id: replayId, sent_at: new Date().toISOString() },
    { type: 'replay_event' },
    about,
    { type: 'replay_recording', length: recording.length },
  ]
  const head = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  await take(dsn, new Uint8Array([...Buffer.from(head), ...recording]))
}

/** By a link of its own, and as a file. */
export interface SharedReplayPlaces {
  readonly link: string
  /** HTML. */
  readonly file: string
}

/** Shares a replay in both ways, as a program does it with its token. */
export const shareReplay = async (
  {
    port,
    account,
  }: { readonly port: number; readonly account: { readonly organization: string; readonly token: string } },
  replayId: string,
): Promise<SharedReplayPlaces> => {
  const replay = `http://127.0.0.1:${port}/api/0/projects/${account.organization}/shop/replays/${replayId}`
  const headers = { authorization: `Bearer ${account.token}`, 'content-type': 'application/json' }
  const take = async (answer: Response): Promise<string> => {
    if (!answer.ok) throw new Error(`the replay could not be shared: ${answer.status} ${await answer.text()}`)
    return answer.text()
  }
  const made = await fetch(`${replay}/links/`, { method: 'POST', headers, body: JSON.stringify({ days: 1 }) })
  const { url } = JSON.parse(await take(made)) as { url: string }
  return { link: url, file: await take(await fetch(`${replay}/file/`, { headers })) }
}
