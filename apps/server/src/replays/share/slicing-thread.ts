import { parentPort } from 'node:worker_threads'
import { gzipSync } from 'node:zlib'
import { readEvents, readTouches, rewriteEvents, sliceChunk } from '@firsthand/recording'
import { decodeSegment } from '../read/decode-segment.ts'

/** Entry of the thread that cuts out what is shared of recordings, and packs it for files: see slicing.ts. */

export type SliceRequest = ChunkRequest | TouchesRequest

interface TouchesRequest {
  /** A segment, as it was sent. */
  readonly payload: Uint8Array
  /** Added to its times. */
  readonly shift: number
}

interface ChunkRequest {
  /** Of a chunk. */
  readonly json: Uint8Array
  readonly from: number
  readonly to: number
  /** For a file: nothing in it fetches or runs any more, and it is gzip. */
  readonly packs: boolean
}

const port = parentPort
if (port === null) throw new Error('The thread that cuts chunks of shared replays was started as a program')

port.on('message', (request: SliceRequest) => {
  const answer = 'payload' in request ? touchesOf(request) : chunkOf(request)
  port.postMessage(answer, [answer.buffer])
})

/** A copy of its own, of exactly its bytes: it is handed over, not copied again. */
const own = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes)

const touchesOf = ({ payload, shift }: TouchesRequest): Uint8Array<ArrayBuffer> => {
  const decoded = decodeSegment(payload)
  return own(new TextEncoder().encode(JSON.stringify(decoded.ok ? readTouches(decoded.value.events, shift) : [])))
}

const chunkOf = ({ json, from, packs, to }: ChunkRequest): Uint8Array<ArrayBuffer> => {
  const { events } = readEvents(JSON.parse(Buffer.from(json).toString()))
  const shown = sliceChunk(events, { from, to })
  const written = new TextEncoder().encode(JSON.stringify(packs ? rewriteEvents(shown).events : shown))
  return packs ? own(gzipSync(written)) : written
}
