import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { parseEnvelope } from '@firsthand/protocol'
import { digestItem, RECEIVED_AT } from '../event/normalise/digest-item.fixture.ts'
import type { DigestItem } from '../ingest/index.ts'

/** Test helpers: segments of replays as the digest hands them over. */

const FIXTURES = join(import.meta.dirname, '..', '..', '..', '..', 'fixtures', 'envelopes')

/** The items of a recorded envelope, received when it was sent. */
export const recorded = (name: string): readonly DigestItem[] => {
  const parsed = parseEnvelope(readFileSync(join(FIXTURES, `${name}.envelope`)))
  if (!parsed.ok) throw new Error(parsed.error.message)
  const { header, items } = parsed.value
  const { sender } = digestItem('{}')
  const receivedAt = header.sentAt ?? RECEIVED_AT
  return items.map((item) => ({ sender, receivedAt, header, eventId: header.eventId, item }))
}

/** A minute before it is received. */
export const START = RECEIVED_AT - 60_000

export const REPLAY_ID = 'd3cb139afef148c784d56d5ce20952f4'

export const meta = (at: number, href = 'https://shop.example/', width = 1440) => ({
  type: 4,
  timestamp: at,
  data: { href, width, height: 900 },
})

export const snapshot = (at: number) => ({
  type: 2,
  timestamp: at,
  data: { node: { type: 0, childNodes: [], id: 1 }, initialOffset: { top: 0, left: 0 } },
})

/** A page with an element for each of these texts. */
export const pageOf = (at: number, ...texts: readonly (string | readonly object[])[]) => ({
  type: 2,
  timestamp: at,
  data: {
    node: {
      type: 0,
      id: 1,
      childNodes: texts.map((text, index) => ({
        type: 2,
        id: 10 + index,
        tagName: 'p',
        attributes: {},
        childNodes: typeof text === 'string' ? [{ type: 3, id: 1000 + index, textContent: text }] : text,
      })),
    },
    initialOffset: { top: 0, left: 0 },
  },
})

export const incremental = (at: number, source: number, data: object = {}) => ({
  type: 3,
  timestamp: at,
  data: { source, ...data },
})

export const breadcrumb = (at: number, category: string, more: object = {}) => ({
  type: 5,
  timestamp: at,
  data: { tag: 'breadcrumb', payload: { type: 'default', category, timestamp: at / 1000, ...more } },
})

/** Its outer time is in seconds, as SDKs write it. */
export const span = (at: number, op: string, more: object = {}) => ({
  type: 5,
  timestamp: at / 1000,
  data: {
    tag: 'performanceSpan',
    payload: { op, description: '', startTimestamp: at / 1000, endTimestamp: at / 1000, ...more },
  },
})

export interface SegmentSpec {
  readonly segmentId?: number
  readonly replayId?: string
  readonly projectId?: number
  readonly event?: object
  readonly events?: readonly object[]
  readonly body?: Uint8Array
  readonly isPlain?: boolean
  readonly receivedAt?: number
  readonly sentAt?: number
  /** As it stands in the envelope. */
  readonly eventPayload?: string
}

/** A map of names to bytes in MessagePack. */
export const packed = (parts: Readonly<Record<string, Uint8Array>>): Buffer =>
  Buffer.concat([
    Buffer.from([0x80 | Object.keys(parts).length]),
    ...Object.entries(parts).flatMap(([name, bytes]) => {
      const head = Buffer.alloc(5, 0xc6)
      head.writeUInt32BE(bytes.byteLength, 1)
      return [Buffer.from([0xa0 | name.length]), Buffer.from(name), head, bytes]
    }),
  ])

/** What the SDK of a phone notes of the video beside a recording. */
export const videoNote = (at: number, segmentId: number, more: object = {}) => ({
  type: 5,
  timestamp: at,
  data: {
    tag: 'video',
    payload: {
      segmentId,
      size: 1000,
      duration: 5000,
      encoding: 'h264',
      container: 'mp4',
      width: 120,
      height: 240,
      frameCount: 5,
      frameRateType: 'constant',
      frameRate: 1,
      left: 0,
      top: 0,
      ...more,
    },
  },
})

/** The same segment as a phone sends it: event, recording and video in one. */
export const phoneSegment = (spec: SegmentSpec, video: Uint8Array): DigestItem => {
  const [event, recording] = segment(spec)
  const payload = packed({
    replay_event: event.item.payload,
    replay_recording: recording.item.payload,
    replay_video: video,
  })
  return { ...event, item: { header: { ...event.item.header, type: 'replay_video' }, payload } }
}

/** Event and recording of one segment. */
export const segment = (spec: SegmentSpec = {}): readonly [DigestItem, DigestItem] => {
  const { segmentId = 0, replayId = REPLAY_ID, projectId = 42, receivedAt = RECEIVED_AT, sentAt } = spec
  const events = spec.events ?? [meta(START), snapshot(START + 1), incremental(START + 4000, 2)]
  const last = events.at(-1) as { timestamp: number } | undefined
  const json = Buffer.from(JSON.stringify(events))
  const body = spec.body ?? (spec.isPlain === true ? json : deflateSync(json))
  const about = {
    type: 'replay_event',
    replay_id: replayId,
    event_id: replayId,
    segment_id: segmentId,
    replay_type: 'session',
    replay_start_timestamp: START / 1000,
    timestamp: (last?.timestamp ?? START) / 1000,
    urls: [],
    error_ids: [],
    trace_ids: [],
    platform: 'javascript',
    ...spec.event,
  }
  const header = { eventId: replayId, sentAt: sentAt ?? null }
  const item = (payload: string | Uint8Array, type: string): DigestItem => ({
    ...digestItem(payload, { type, header, sender: { projectId }, eventId: replayId }),
    receivedAt,
  })
  return [
    item(spec.eventPayload ?? JSON.stringify(about), 'replay_event'),
    item(Buffer.concat([Buffer.from(`{"segment_id":${segmentId}}\n`), body]), 'replay_recording'),
  ]
}
