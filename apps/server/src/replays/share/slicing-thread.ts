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
  /** Of its JSON. */
  readonly rawBytes: number
  /** Style sheets that were kept and for which a file has no room any more. */
  readonly sheetsLeftOut: number
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
  /** By so many bytes its JSON may become longer with style sheets. */
  readonly room: number
}

const port = parentPort
if (port === null) throw new Error('The thread that cuts chunks of shared replays was started as a program')

port.on('message', (request: SliceRequest) => {
  const answer = 'payload' in request ? fingersOf(request) : chunkOf(request)
  port.postMessage(answer satisfies Slice, [answer.bytes.buffer])
})

/** A copy of its own, of exactly its bytes: it is handed over, not copied again. */
const own = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes)

const fingersOf = ({ payload, shift }: TouchesRequest) => {
  const decoded = decodeSegment(payload)
  const bytes = own(
    new TextEncoder().encode(JSON.stringify(decoded.ok ? readTouches(decoded.value.events, shift) : [])),
  )
  return { bytes, named: [], rawBytes: bytes.byteLength, sheetsLeftOut: 0 }
}

const keptIn = ({ names, sheets }: KeptForSlicing, characters: number): KeptAssets => {
  const texts = sheets.map(
    ({ bytes, imports, url }) => [url, { text: new TextDecoder().decode(bytes), imports }] as const,
  )
  return keptUnderNames(new Map(names), new Map(texts), Math.min(characters, LIMITS.REPLAY_SHARED_PUT_IN_CHARS))
}

const chunkOf = ({ json, from, kept, packs, room, to }: ChunkRequest) => {
  const { events } = readEvents(JSON.parse(Buffer.from(json).toString()))
  const shown = sliceChunk(events, { from, to })
  const write = (put: KeptAssets | undefined) => {
    const text = JSON.stringify(packs || put !== undefined ? rewriteEvents(shown, put).events : shown)
    return { text, written: new TextEncoder().encode(text) }
  }
  let { text, written } = write(kept === null ? undefined : keptIn(kept, Infinity))
  const isTooLong = kept !== null && written.byteLength > json.byteLength + room
  if (isTooLong) ({ text, written } = write(keptIn({ ...kept, sheets: [] }, room)))
  return {
    bytes: packs ? own(gzipSync(written)) : written,
    named: kept === null ? [] : namesIn(text),
    rawBytes: written.byteLength,
    sheetsLeftOut: isTooLong ? kept.sheets.length : 0,
  }
}
