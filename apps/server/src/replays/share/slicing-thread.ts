import { parentPort } from 'node:worker_threads'
import { gzipSync } from 'node:zlib'
import { readEvents, rewriteEvents, sliceChunk } from '@firsthand/recording'

/** Entry of the thread that cuts chunks to what is shared, and packs them for files: see slicing.ts. */

export interface SliceRequest {
  /** Of a chunk. */
  readonly json: Uint8Array
  readonly from: number
  readonly to: number
  /** For a file: nothing in it fetches or runs any more, and it is gzip. */
  readonly packs: boolean
}

const port = parentPort
if (port === null) throw new Error('The thread that cuts chunks of shared replays was started as a program')

port.on('message', ({ json, from, packs, to }: SliceRequest) => {
  const { events } = readEvents(JSON.parse(Buffer.from(json).toString()))
  const shown = sliceChunk(events, { from, to })
  const written = new TextEncoder().encode(JSON.stringify(packs ? rewriteEvents(shown).events : shown))
  // A copy of its own, of exactly its bytes: it is handed over, not copied again.
  const answer = packs ? new Uint8Array(gzipSync(written)) : written
  port.postMessage(answer, [answer.buffer])
})
