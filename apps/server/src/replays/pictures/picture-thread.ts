import { parentPort } from 'node:worker_threads'
import {
  EventType,
  FIRST_SIGHT_STEP_MS,
  keptAssets,
  PageState,
  readEvents,
  showsSomething,
  type KeptSheet,
  type RecordedEvent,
  type SheetImport,
} from '@firsthand/recording'
import { writeStill, type Still } from '@firsthand/recording/still'
import { STYLE_SHEET } from '../asset.ts'
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
  /** Where nothing is to be seen at that moment: the first moment after it at which something is, so long after the first page. */
  readonly looksFor: number
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
  /** Nothing is to be seen on the page. */
  readonly isBlank: boolean
}

const port = parentPort
if (port === null) throw new Error('The thread that draws pages of replays was started as a program')

const eventsOf = ({ kind, bytes }: PicturePart): readonly RecordedEvent[] => {
  if (kind === 'chunk') return readEvents(JSON.parse(Buffer.from(bytes).toString())).events
  const decoded = decodeSegment(bytes)
  return decoded.ok ? decoded.value.events : []
}

/** The page at that moment, or where something is to be seen; where there was none yet, the first that came. */
const pageAt = ({ at, looksFor, parts }: PageRequest): PageState => {
  const page = new PageState()
  let begun = Infinity
  let looked = -Infinity
  const isLate = (moment: number): boolean => {
    if (moment <= at || !page.hasPage) return false
    if (moment > begun + looksFor) return true
    if (moment < looked + FIRST_SIGHT_STEP_MS) return false
    looked = moment
    return showsSomething(page)
  }
  for (const part of parts) {
    for (const event of eventsOf(part)) {
      const moment = event.timestamp + part.shift
      if (isLate(moment)) return page
      if (event.type !== EventType.Custom) page.apply(event)
      if (page.hasPage) begun = Math.min(begun, moment)
    }
  }
  return page
}

/** A page that is drawn, and what is known of its assets by now. */
class Drawing {
  readonly isBlank: boolean
  readonly #keyFrame: readonly RecordedEvent[]
  readonly #words: string
  /** Addresses of what was not given yet. */
  readonly #missing: Set<string>
  readonly #data = new Map<string, string>()
  readonly #sheets = new Map<string, KeptSheet>()
  /** Characters of the page without anything that was kept. */
  #bare = 0

  constructor(request: PageRequest) {
    const page = pageAt(request)
    this.isBlank = !showsSomething(page)
    this.#keyFrame = page.keyFrame(request.at)
    this.#words = request.words
    this.#missing = new Set(request.kept)
  }

  give({ bytes, imports, type, url }: PictureAsset): void {
    this.#missing.delete(url)
    if (type === STYLE_SHEET) this.#sheets.set(url, { text: new TextDecoder().decode(bytes), imports })
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
  const isBlank = drawing?.isBlank ?? true
  port.postMessage({ picture, named, isBlank } satisfies DrawnPicture, picture === null ? [] : [picture.buffer])
})
