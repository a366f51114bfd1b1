import { parentPort } from 'node:worker_threads'
import {
  EventType,
  keptAssets,
  PageState,
  readEvents,
  type KeptSheet,
  type RecordedEvent,
  type SheetImport,
} from '@firsthand/recording'
import { writeStill, type Still } from '@firsthand/recording/still'
import { LIMITS } from '../limits.ts'
import { decodeSegment } from '../read/decode-segment.ts'
import { writePicture } from './write-picture.ts'

/** Entry of the thread that draws pages of replays for lists: see make-picture.ts. */

export type PictureRequest = PageRequest | AssetsRequest

interface PageRequest {
  /** In the order in which they are played. */
  readonly parts: readonly PicturePart[]
  /** Milliseconds since the epoch. */
  readonly at: number
  /** What is outlined on the page; '' for nothing. */
  readonly words: string
  /** Addresses of which something was kept. */
  readonly kept: readonly string[]
}

/** The same page again, with what was kept of some of its addresses. */
interface AssetsRequest {
  readonly assets: readonly PictureAsset[]
}

export interface PictureAsset {
  readonly url: string
  readonly type: string
  readonly bytes: Uint8Array
  readonly imports: readonly SheetImport[]
}

export interface PicturePart {
  /** A segment as it was sent, or the JSON of a chunk. */
  readonly kind: 'segment' | 'chunk'
  readonly bytes: Uint8Array
  /** Milliseconds that are added to its times. */
  readonly shift: number
}

export interface DrawnPicture {
  /** Null where nothing can be drawn. */
  readonly picture: Uint8Array | null
  /** Addresses that stand on the page, of which something was kept that was not given yet; in the order of the page. */
  readonly named: readonly string[]
}

const port = parentPort
if (port === null) throw new Error('The thread that draws pages of replays was started as a program')

const eventsOf = ({ kind, bytes }: PicturePart): readonly RecordedEvent[] => {
  if (kind === 'chunk') return readEvents(JSON.parse(Buffer.from(bytes).toString())).events
  const decoded = decodeSegment(bytes)
  return decoded.ok ? decoded.value.events : []
}

/** The page at that moment; where there was none yet, the first that came. */
const pageAt = ({ at, parts }: PageRequest): PageState => {
  const page = new PageState()
  for (const part of parts) {
    for (const event of eventsOf(part)) {
      if (event.timestamp + part.shift > at && page.hasPage) return page
      if (event.type !== EventType.Custom) page.apply(event)
    }
  }
  return page
}

/** A page that is drawn, and what is known of its assets by now. */
class Drawing {
  readonly #keyFrame: readonly RecordedEvent[]
  readonly #words: string
  /** Addresses of what was not given yet. */
  readonly #missing: Set<string>
  readonly #data = new Map<string, string>()
  readonly #sheets = new Map<string, KeptSheet>()
  /** Characters of the page without anything that was kept. */
  #bare = 0

  constructor(request: PageRequest) {
    this.#keyFrame = pageAt(request).keyFrame(request.at)
    this.#words = request.words
    this.#missing = new Set(request.kept)
  }

  give({ bytes, imports, type, url }: PictureAsset): void {
    this.#missing.delete(url)
    if (type === 'text/css') this.#sheets.set(url, { text: new TextDecoder().decode(bytes), imports })
    else this.#data.set(url, `data:${type};base64,${Buffer.from(bytes).toString('base64')}`)
  }

  draw(): { readonly still: Still | null; readonly named: readonly string[] } {
    const named = new Set<string>()
    const bounds = { nodes: LIMITS.REPLAY_PICTURE_NODES, characters: LIMITS.REPLAY_PICTURE_CHARS }
    // What stands in the page itself comes first.
    const room = Math.min(LIMITS.REPLAY_PICTURE_PUT_IN_CHARS, bounds.characters - this.#bare)
    const kept = keptAssets(this.#noting(this.#data, named), this.#noting(this.#sheets, named), Math.max(0, room))
    const still = writeStill(this.#keyFrame, bounds, this.#words, kept)
    if (this.#bare === 0) this.#bare = still?.html.length ?? 0
    return { still, named: [...named] }
  }

  /** Notes what is looked for in vain. */
  #noting<Value>(found: ReadonlyMap<string, Value>, named: Set<string>) {
    return {
      get: (url: string): Value | undefined => {
        if (this.#missing.has(url)) named.add(url)
        return found.get(url)
      },
    }
  }
}

let drawing: Drawing | null = null

port.on('message', (request: PictureRequest) => {
  if ('parts' in request) drawing = new Drawing(request)
  else for (const asset of request.assets) drawing?.give(asset)
  const { named, still } = drawing?.draw() ?? { named: [], still: null }
  const picture = still === null ? null : new TextEncoder().encode(writePicture(still))
  port.postMessage({ picture, named } satisfies DrawnPicture, picture === null ? [] : [picture.buffer])
})
