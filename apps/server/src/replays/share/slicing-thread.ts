import { parentPort } from 'node:worker_threads'
import { gzipSync } from 'node:zlib'
import {
  keptUnderNames,
  namesIn,
  readEvents,
  readTouches,
  rewriteEvents,
  sliceChunk,
  type KeptAssets,
  type SheetImport,
} from '@firsthand/recording'
import { LIMITS } from '../limits.ts'
import { decodeSegment } from '../read/decode-segment.ts'

/** Entry of the thread that cuts out what is shared of recordings, and packs it for files: see slicing.ts. */

export type SliceRequest = ChunkRequest | TouchesRequest

interface TouchesRequest {
  /** A segment, as it was sent. */
  readonly payload: Uint8Array
  /** Added to its times. */
  readonly shift: number
}

/** What was kept of the pages of a replay. */
export interface KeptForSlicing {
  /** Of pictures and fonts: addresses, and the names that are written for them. */
  readonly names: readonly (readonly [url: string, name: string])[]
  readonly sheets: readonly {
    readonly url: string
    readonly bytes: Uint8Array
    readonly imports: readonly SheetImport[]
  }[]
}

/** What is shown of a chunk, and what of the pictures and fonts that were kept stands in it. */
export interface Slice {
  readonly bytes: Uint8Array
  readonly named: readonly string[]
}

interface ChunkRequest {
  /** Of a chunk. */
  readonly json: Uint8Array
  readonly from: number
  readonly to: number
  /** For a file: nothing in it fetches or runs any more, and it is gzip. */
  readonly packs: boolean
  /** Written into it, or named there; null where nothing was kept. */
  readonly kept: KeptForSlicing | null
}

const port = parentPort
if (port === null) throw new Error('The thread that cuts chunks of shared replays was started as a program')

port.on('message', (request: SliceRequest) => {
  const answer = 'payload' in request ? { bytes: touchesOf(request), named: [] } : chunkOf(request)
  port.postMessage(answer satisfies Slice, [answer.bytes.buffer])
})

/** A copy of its own, of exactly its bytes: it is handed over, not copied again. */
const own = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes)

const touchesOf = ({ payload, shift }: TouchesRequest): Uint8Array<ArrayBuffer> => {
  const decoded = decodeSegment(payload)
  return own(new TextEncoder().encode(JSON.stringify(decoded.ok ? readTouches(decoded.value.events, shift) : [])))
}

const keptIn = ({ names, sheets }: KeptForSlicing): KeptAssets => {
  const texts = sheets.map(
    ({ bytes, imports, url }) => [url, { text: new TextDecoder().decode(bytes), imports }] as const,
  )
  return keptUnderNames(new Map(names), new Map(texts), LIMITS.REPLAY_SHARED_PUT_IN_CHARS)
}

const chunkOf = ({ json, from, kept, packs, to }: ChunkRequest) => {
  const { events } = readEvents(JSON.parse(Buffer.from(json).toString()))
  const shown = sliceChunk(events, { from, to })
  const isRewritten = packs || kept !== null
  const { events: told } = isRewritten
    ? rewriteEvents(shown, kept === null ? undefined : keptIn(kept))
    : { events: shown }
  const text = JSON.stringify(told)
  const written = new TextEncoder().encode(text)
  return { bytes: packs ? own(gzipSync(written)) : written, named: kept === null ? [] : namesIn(text) }
}
