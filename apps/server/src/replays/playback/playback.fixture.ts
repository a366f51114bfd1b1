import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import { START } from '../replay.fixture.ts'
import type { SegmentRecord } from '../replay.ts'

/** Test helpers: segments of recordings that can be drawn, and the blobs they lie in. */

export const page = (at: number, words = 'first'): object[] => [
  { type: 4, timestamp: at, data: { href: 'https://shop.example/', width: 1280, height: 720 } },
  {
    type: 2,
    timestamp: at,
    data: {
      node: {
        type: 0,
        id: 1,
        childNodes: [
          {
            type: 2,
            id: 2,
            tagName: 'html',
            attributes: {},
            childNodes: [
              {
                type: 2,
                id: 3,
                tagName: 'body',
                attributes: {},
                childNodes: [{ type: 3, id: 4, textContent: words }],
              },
            ],
          },
        ],
      },
      initialOffset: { top: 0, left: 0 },
    },
  },
]

export const says = (at: number, words: string): object => ({
  type: 3,
  timestamp: at,
  data: { source: 0, adds: [], removes: [], texts: [{ id: 4, value: words }], attributes: [] },
})

export const payloadOf = (events: readonly object[]): Buffer =>
  Buffer.concat([Buffer.from('{"segment_id":0}\n'), deflateSync(JSON.stringify(events))])

/** Recordings by the keys of their blobs. */
export const createRecordings = () => {
  const payloads = new Map<string, Uint8Array>()
  const asked: string[] = []
  return {
    payloads,
    /** Keys that were read, in that order. */
    asked,
    blobs: {
      get: (key: string): Promise<Uint8Array | null> => {
        asked.push(key)
        return Promise.resolve(payloads.get(key) ?? null)
      },
      put: (blobs: readonly { readonly organizationId: number; readonly bytes: Uint8Array }[]): Promise<string[]> => {
        const keys = blobs.map(
          ({ bytes, organizationId }) => `${organizationId}/${createHash('sha256').update(bytes).digest('hex')}`,
        )
        for (const [index, key] of keys.entries()) payloads.set(key, blobs[index]?.bytes ?? new Uint8Array())
        return Promise.resolve(keys)
      },
    },
    /** A segment as its row says it. */
    segment: (key: string, events: readonly object[], more: Partial<SegmentRecord> = {}): SegmentRecord => {
      payloads.set(key, payloadOf(events))
      const times = events.map((event) => (event as { timestamp: number }).timestamp)
      return {
        segmentId: payloads.size - 1,
        id: key.padStart(32, '0'),
        from: Math.min(...times) + (more.shift ?? 0),
        to: Math.max(...times) + (more.shift ?? 0),
        replayStart: START,
        shift: 0,
        active: [],
        hasSnapshot: true,
        bytes: 100,
        canvasBytes: 0,
        rawBytes: 1000,
        marksLeftOut: 0,
        textsLeftOut: 0,
        blobKey: key,
        videoKey: '',
        videoBytes: 0,
        broken: '',
        receivedAt: START,
        ...more,
      }
    },
  }
}
