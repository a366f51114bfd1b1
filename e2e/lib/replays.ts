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
