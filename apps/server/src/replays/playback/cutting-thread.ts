import { createHash } from 'node:crypto'
import { parentPort } from 'node:worker_threads'
import { readEvents, type RecordedChunk } from '@firsthand/recording'
import { decodeSegment } from '../read/decode-segment.ts'
import { SegmentCutter } from './segment-cutter.ts'

/** Entry of the thread that cuts replays into chunks: see cutting.ts. */

export type CuttingRequest =
  /** Another replay. */
  | { readonly kind: 'begin' }
  /** The last chunk of what was cut before: it goes on from there. */
  | { readonly kind: 'chunk'; readonly json: Uint8Array }
  | {
      readonly kind: 'segment'
      /** As it was sent. */
      readonly payload: Uint8Array
      readonly shift: number
      readonly until: number
    }
  | { readonly kind: 'end' }

/** A stretch of a replay that can be shown without what was before. */
export interface CutChunk extends Omit<RecordedChunk, 'json'> {
  readonly json: Uint8Array
  /** Of it, in hex. */
  readonly sha256: string
}

const port = parentPort
if (port === null) throw new Error('The thread that cuts replays was started as a program')

const encoder = new TextEncoder()

const written = ({ from, to, nodes, json }: RecordedChunk): CutChunk => {
  const bytes = encoder.encode(json)
  return { from, to, nodes, json: bytes, sha256: createHash('sha256').update(bytes).digest('hex') }
}

let cutter = new SegmentCutter()

const answer = (request: CuttingRequest): RecordedChunk[] => {
  switch (request.kind) {
    case 'begin':
      cutter = new SegmentCutter()
      return []
    case 'chunk':
      return cutter.goOn(readEvents(JSON.parse(Buffer.from(request.json).toString())).events)
    case 'segment': {
      const decoded = decodeSegment(request.payload)
      return decoded.ok ? cutter.add(decoded.value.events, { ...request, bytes: decoded.value.bytes }) : []
    }
    case 'end':
      return cutter.end()
  }
}

port.on('message', (request: CuttingRequest) => {
  const chunks = answer(request).map(written)
  port.postMessage(
    chunks satisfies CutChunk[],
    chunks.map(({ json }) => json.buffer as ArrayBuffer),
  )
})
