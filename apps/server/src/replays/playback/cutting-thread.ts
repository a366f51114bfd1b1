import { parentPort } from 'node:worker_threads'
import { gzipSync } from 'node:zlib'
import type { RecordedChunk } from '@firsthand/recording'
import { decodeSegment } from '../read/decode-segment.ts'
import { SegmentCutter } from './segment-cutter.ts'

/** Entry of the thread that cuts replays into chunks: see cutting.ts. */

export type CuttingRequest =
  /** Another replay. */
  | { readonly kind: 'begin' }
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
  /** Of its JSON. */
  readonly bytes: number
  /** Its JSON, as gzip. */
  readonly packed: Uint8Array
}

const port = parentPort
if (port === null) throw new Error('The thread that cuts replays was started as a program')

/** Stronger ones take several times as long for a few percent. */
const LEVEL = 4

const packed = ({ from, to, nodes, json }: RecordedChunk): CutChunk => {
  const text = Buffer.from(json)
  return { from, to, nodes, bytes: text.byteLength, packed: gzipSync(text, { level: LEVEL }) }
}

let cutter = new SegmentCutter()

const answer = (request: CuttingRequest): RecordedChunk[] => {
  if (request.kind === 'end') return cutter.end()
  if (request.kind === 'begin') cutter = new SegmentCutter()
  else {
    const decoded = decodeSegment(request.payload)
    if (decoded.ok) return cutter.add(decoded.value.events, { ...request, bytes: decoded.value.bytes })
  }
  return []
}

port.on('message', (request: CuttingRequest) => {
  const chunks = answer(request).map(packed)
  port.postMessage(chunks satisfies CutChunk[], [])
})
