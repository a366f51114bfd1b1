import { createHash } from 'node:crypto'
import { parentPort } from 'node:worker_threads'
import { readEvents, type RecordedChunk } from '@firsthand/recording'
import { LIMITS } from '../limits.ts'
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
  /** What the answer before left out. */
  | { readonly kind: 'more' }

/** A stretch of a replay that can be shown without what was before. */
export interface CutChunk extends Omit<RecordedChunk, 'json'> {
  readonly json: Uint8Array
  /** Of it, in hex. */
  readonly sha256: string
}

/** An answer is bounded, whatever a segment is cut into. */
export interface CutPortion {
  readonly chunks: readonly CutChunk[]
  /** There are others: `more` asks for them. */
  readonly hasMore: boolean
}

const port = parentPort
if (port === null) throw new Error('The thread that cuts replays was started as a program')

const encoder = new TextEncoder()

const written = ({ from, to, nodes, json }: RecordedChunk): CutChunk => {
  const bytes = encoder.encode(json)
  return { from, to, nodes, json: bytes, sha256: createHash('sha256').update(bytes).digest('hex') }
}

let cutter = new SegmentCutter()
let left: Iterator<RecordedChunk> = [].values()

const answer = (request: CuttingRequest): Iterator<RecordedChunk> => {
  switch (request.kind) {
    case 'begin':
      cutter = new SegmentCutter()
      return [].values()
    case 'chunk':
      return cutter.goOn(readEvents(JSON.parse(Buffer.from(request.json).toString())).events).values()
    case 'segment': {
      const decoded = decodeSegment(request.payload)
      return decoded.ok ? cutter.add(decoded.value.events, { ...request, bytes: decoded.value.bytes }) : [].values()
    }
    case 'end':
      return cutter.end()
    case 'more':
      return left
  }
}

const portion = (): CutPortion => {
  const chunks: CutChunk[] = []
  let bytes = 0
  while (bytes < LIMITS.REPLAY_PORTION_BYTES) {
    const next = left.next()
    if (next.done === true) return { chunks, hasMore: false }
    const chunk = written(next.value)
    bytes += chunk.json.byteLength
    chunks.push(chunk)
  }
  return { chunks, hasMore: true }
}

port.on('message', (request: CuttingRequest) => {
  left = answer(request)
  const answered = portion()
  port.postMessage(
    answered,
    answered.chunks.map(({ json }) => json.buffer as ArrayBuffer),
  )
})
