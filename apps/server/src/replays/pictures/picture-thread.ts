import { parentPort } from 'node:worker_threads'
import { EventType, PageState, readEvents, type RecordedEvent } from '@firsthand/recording'
import { writeStill } from '@firsthand/recording/still'
import { LIMITS } from '../limits.ts'
import { decodeSegment } from '../read/decode-segment.ts'
import { writePicture } from './write-picture.ts'

/** Entry of the thread that draws pages of replays for lists: see make-picture.ts. */

export interface PictureRequest {
  /** In the order in which they are played. */
  readonly parts: readonly PicturePart[]
  /** Milliseconds since the epoch. */
  readonly at: number
  /** What is outlined on the page; '' for nothing. */
  readonly words: string
}

export interface PicturePart {
  /** A segment as it was sent, or the JSON of a chunk. */
  readonly kind: 'segment' | 'chunk'
  readonly bytes: Uint8Array
  /** Milliseconds that are added to its times. */
  readonly shift: number
}

const port = parentPort
if (port === null) throw new Error('The thread that draws pages of replays was started as a program')

const eventsOf = ({ kind, bytes }: PicturePart): readonly RecordedEvent[] => {
  if (kind === 'chunk') return readEvents(JSON.parse(Buffer.from(bytes).toString())).events
  const decoded = decodeSegment(bytes)
  return decoded.ok ? decoded.value.events : []
}

/** The page at that moment; where there was none yet, the first that came. */
const pageAt = ({ at, parts }: PictureRequest): PageState => {
  const page = new PageState()
  for (const part of parts) {
    for (const event of eventsOf(part)) {
      if (event.timestamp + part.shift > at && page.hasPage) return page
      if (event.type !== EventType.Custom) page.apply(event)
    }
  }
  return page
}

const draw = (request: PictureRequest): Uint8Array<ArrayBuffer> | null => {
  const bounds = { nodes: LIMITS.REPLAY_PICTURE_NODES, characters: LIMITS.REPLAY_PICTURE_CHARS }
  const still = writeStill(pageAt(request).keyFrame(request.at), bounds, request.words)
  return still === null ? null : new TextEncoder().encode(writePicture(still))
}

port.on('message', (request: PictureRequest) => {
  const picture = draw(request)
  port.postMessage(picture, picture === null ? [] : [picture.buffer])
})
